import { largestPart } from '../findings/floor.ts';
import type { ConditionSummary, Summary } from '../findings/summary.ts';
import { unsettledOf } from '../findings/unsettled.ts';
import { withCapital } from '../model/wording.ts';
import { counted } from './counted.ts';
import { describeFloor, describePart } from './floor-text.ts';
import type { Badge } from './page-data.ts';
import { describeSlowStarts } from './slow-start-text.ts';

/** What must be known before the answer is believed, worst first. */
export function badgesOf(summary: Summary, titleOf: (condition: string) => string): readonly Badge[] {
  const { conditions } = summary;
  const badges = [
    ...unfinishedBadge(summary),
    ...controlBadges(summary),
    ...calibrationBadge(conditions),
    ...floorBadge(conditions, titleOf),
    ...slowStartBadge(conditions),
    ...lossBadges(summary),
    ...machineBadges(summary),
    ...noteBadge(summary),
  ];
  const order = ['bad', 'warn', 'good'];
  return badges.toSorted((a, b) => order.indexOf(a.level) - order.indexOf(b.level));
}

function unfinishedBadge({ finished, conditions }: Summary): Badge[] {
  if (finished) return [];
  const left = conditions.filter(({ state }) => state === 'open').length;
  const { conditions: unsettled } = unsettledOf(conditions);
  const all = counted(conditions.length, 'condition');
  const says =
    unsettled > left && left > 0
      ? `${unsettled} of ${all} are not settled. ${left} of them can get more blocks, so ${left === 1 ? 'its answer' : 'their answers'} may change.`
      : `${left} of ${all} can get more blocks, so ${left === 1 ? 'its answer' : 'their answers'} may change.`;
  return [{ level: 'warn', title: 'Not finished', says }];
}

/** Where there were too few blocks for a control to say anything, it says nothing of the study either. */
function controlBadges({ finished, controls: { aa, planted } }: Summary): Badge[] {
  if (aa.blocks === 0 && !finished)
    return [{ level: 'warn', title: 'No self-test yet', says: 'The study tests itself after its first blocks.' }];
  if (aa.blocks === 0)
    return [{ level: 'warn', title: 'No self-test', says: 'The study was too short to test itself.' }];
  const failed: Badge[] = [
    ...(aa.passed
      ? []
      : [
          {
            level: 'bad' as const,
            title: 'Self-test failed',
            says: 'The same protocol, measured twice, gave different times. Differences in this study may be artefacts of the measurement.',
          },
        ]),
    ...(planted.found || planted.open
      ? []
      : [
          {
            level: 'bad' as const,
            title: 'Self-test failed',
            says: `A delay of ${planted.delayMs ?? '?'} ms, added on purpose, was not found: differences of that size may be missed.`,
          },
        ]),
  ];
  if (failed.length > 0) return failed;
  if (!planted.found)
    return [
      {
        level: 'warn',
        title: 'Self-test not finished',
        says: 'The same protocol twice is alike, as it must be. It takes more loads to find the delay that was added on purpose.',
      },
    ];
  const says = `The same protocol twice is alike, as it must be, and a delay of ${planted.delayMs} ms, added on purpose, is found.`;
  return [{ level: 'good', title: 'Self-test passed', says }];
}

function calibrationBadge(conditions: readonly ConditionSummary[]): Badge[] {
  const known = conditions.filter(({ calibration }) => 'ok' in calibration);
  if (known.length === 0) return [];
  const off = [...new Set(known.filter(({ calibration }) => !calibration.ok).map(({ link }) => `${link.name}`))];
  if (off.length > 0)
    return [{ level: 'bad', title: 'Link out of tolerance', says: `Not what it claims to be: ${off.join(', ')}.` }];
  return [{ level: 'good', title: 'Links calibrated', says: 'Every link was measured and lay within its tolerance.' }];
}

function floorBadge(conditions: readonly ConditionSummary[], titleOf: (condition: string) => string): Badge[] {
  const floor = describeFloor(conditions);
  if (!floor) return [];
  const parts = conditions.flatMap((condition) => {
    const part = largestPart(condition);
    return part ? [{ id: condition.id, part }] : [];
  });
  const { id, part } = parts.reduce((most, each) => (each.part.share > most.part.share ? each : most));
  const says = `${floor}: ${parts.filter((each) => each.part.weighty).length > 1 ? 'most in ' : ''}${titleOf(id)}, ${describePart(part)} with ${part.arm}. The answer may differ on another machine.`;
  return [{ level: 'warn', title: 'Processor-bound pages', says }];
}

function slowStartBadge(conditions: readonly ConditionSummary[]): Badge[] {
  const says = describeSlowStarts(conditions);
  return says === undefined ? [] : [{ level: 'warn', title: 'Jitter', says }];
}

function lossBadges({ loads, conditions }: Summary): Badge[] {
  const { counted: all, failed, void: voids } = loads;
  const broken = conditions.filter(({ state }) => state === 'broken').length;
  return [
    ...(failed > 0
      ? [
          {
            level: 'warn' as const,
            title: 'Failed loads',
            says: `${failed} of ${counted(all, 'load')} failed. A failed load counts as its timeout.`,
          },
        ]
      : []),
    ...(broken > 0
      ? [
          {
            level: 'bad' as const,
            title: 'Broken conditions',
            says: `${counted(broken, 'condition')} ended because a block was void ten times.`,
          },
        ]
      : []),
    ...(voids > 0.05 * all
      ? [
          {
            level: 'warn' as const,
            title: 'Many void loads',
            says: `${voids} loads were void, through no fault of an arm, and were measured again.`,
          },
        ]
      : []),
  ];
}

/** What a machine does otherwise than the others, in a study that workers ran. */
function machineBadges({ machines = [] }: Summary): Badge[] {
  return machines.flatMap(({ name, says }): Badge[] =>
    says.length === 0
      ? []
      : [{ level: 'warn', title: `Machine ${name}`, says: `${says.map(withCapital).join('. ')}.` }],
  );
}

function noteBadge({ provenance }: Summary): Badge[] {
  // What a worker noted stands beside its machine's name.
  const notes = provenance.sessions.flatMap(({ machine, notes: own }) => (machine.worker ? [] : own));
  if (notes.length === 0) return [];
  return [{ level: 'warn', title: 'Changed while measuring', says: `${notes.join('; ')}.` }];
}

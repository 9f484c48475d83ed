import type { Summary } from '../findings/summary.ts';
import type { FoundStudy } from '../model/found-study.ts';
import { describeHeld } from '../model/held.ts';
import { titleOfMetric } from '../model/metric-title.ts';
import { LEAST_OTHER_PAGES, settingOf } from '../model/setting.ts';
import type { Plan } from '../model/study.ts';
import { percentInWords } from '../model/wording.ts';
import type { Fact, LoadLoss, Method, PageCalibration } from './page-data.ts';
import { describeWitnesses } from './remote-text.ts';
import type { Again } from './view-model.ts';
import { describeWatching, referencesOf } from './watching.ts';

/** At most this many are listed; the store has all of them. */
const LOSSES_LISTED = 200;
const SAYS_LENGTH = 500;

/** How a study was measured; `netLogs` of its loads have a log of the browser's network. */
export function describeMethod(
  found: FoundStudy,
  provenance: Summary['provenance'],
  { again, netLogs }: { readonly again: Again; readonly netLogs: number },
): Method {
  const references = referencesOf(found);
  const losses = lossesOf(found);
  return {
    command: again.command,
    commandNeeds: again.needs,
    facts: factsOf(found, netLogs),
    calibrations: calibrationsOf(found),
    references: references.length > 0 ? references : undefined,
    sessions: provenance.sessions,
    losses: losses.slice(0, LOSSES_LISTED),
    lossCount: losses.length,
    texts: textsOf(provenance.links),
  };
}

function factsOf(found: FoundStudy, netLogs: number): readonly Fact[] {
  const { plan, sessions, links } = found;
  const machine = sessions.at(-1)?.machine;
  const { certificateBytes, confinement } = links.at(-1)?.lab ?? {};
  const fact = (name: string, value: string | undefined): Fact[] => (value ? [{ name, value }] : []);
  return [
    ...fact('Study', plan.study),
    ...fact('Seed', `${plan.seed}`),
    ...fact('Order', describeOrder(plan)),
    ...fact('Answers', describeAnswers(plan)),
    ...fact('Proofs', describeProofs(plan)),
    ...fact('Blocks', describeStopping(plan)),
    ...fact('Watching', describeWatching(found, netLogs)),
    ...fact('Device', [...new Set(plan.conditions.map(({ device }) => device))].join(', ')),
    ...fact('Browser', machine && `Chromium ${machine.chromium}`),
    ...fact('Confinement', confinement && describeHeld(confinement)),
    ...fact(
      'Server',
      machine &&
        Object.entries(machine.servers)
          .map((pair) => pair.join(' '))
          .join('; '),
    ),
    ...fact(
      'Certificate',
      certificateBytes === undefined
        ? undefined
        : `The lab’s own: a leaf and an intermediate, both by ECDSA, ${certificateBytes} bytes together, as long as public ones are.`,
    ),
    ...fact('Witnesses', describeWitnesses(plan)),
    ...fact('Kernel', machine?.kernel),
    ...fact('Machine', machine && describeMachine(machine)),
    ...fact('Photofinish', machine?.photofinish),
  ];
}

function describeMachine({ cpu, cores, memoryBytes }: NonNullable<FoundStudy['sessions'][number]>['machine']): string {
  return `${cpu}, ${cores} cores, ${Math.round(memoryBytes / 2 ** 30)} GiB of memory`;
}

function describeOrder({ stopping }: Plan): string {
  const random = 'Every block has each arm once, one right after the other, in random order.';
  if (stopping.kind === 'exactly' || stopping.until === 'proven')
    return `${random} Every round has a block of each condition that still gets any.`;
  return [
    random,
    'Every condition gets two blocks first, the quick conditions of a link before its slow ones, and then a third block after a new launch of the browsers.',
    'Each further block goes where a second of it is worth most: where it is likely to lower the expected regret, or to make an answer sure, for much of the traffic.',
  ].join(' ');
}

function describeAnswers(plan: Plan): string {
  const { rule, metric, served, conditions } = plan;
  const timeouts = [...new Set(conditions.map(({ timeoutMs }) => Math.round(timeoutMs / 1000)))].sort((a, b) => a - b);
  const timeout = timeouts.length > 1 ? `${timeouts[0]} to ${timeouts.at(-1)} s` : `${timeouts[0]} s`;
  return [
    `What counts is ${titleOfMetric(metric)}. The answer is the arm with the least expected regret, which is how much longer its loads take than those of the best arm.`,
    `An arm within ${percent(rule.advantage)} of the best is as good. Gains are over ${served}.`,
    `A load that failed counts as its timeout, ${timeout}.`,
    ...(hasOtherPages(plan)
      ? ['What other pages over the same link show is expected of a page too, the less the more they differ.']
      : []),
  ].join(' ');
}

/** Whether some page's answer rests on those of other pages as well. */
function hasOtherPages({ conditions }: Plan): boolean {
  return [...Map.groupBy(conditions, settingOf).values()].some(({ length }) => length > LEAST_OTHER_PAGES);
}

function describeProofs({ rule }: Plan): string {
  const [advantage, share] = [percent(rule.advantage), percent(rule.share)];
  return `An arm is faster where it wins by ${advantage} or more in over ${share} of all blocks. At most 5 % of all that a study proves is false, however often one looks.`;
}

function describeStopping({ stopping }: Plan): string {
  if (stopping.kind === 'exactly') return `Exactly ${stopping.blocks} in every condition, looked at once at the end.`;
  const { until, cap } = stopping;
  const enough =
    until === 'settled' ? 'its answer is sure and rests on two launches of the browsers' : 'its answer is proven';
  return `A condition gets blocks until ${enough}, at most ${cap}. It is looked at after each round.`;
}

function percent(share: number): string {
  return percentInWords(100 * share);
}

/** Each link as the last session found it. */
function calibrationsOf(found: FoundStudy): readonly PageCalibration[] {
  const latest = new Map(found.links.map(({ link, calibration }) => [link, calibration]));
  return [...latest].map(([link, { ok, attempts, checks }]) => {
    const carried = carriedBy(link, found);
    return { link, ok, attempts, checks, carried };
  });
}

/** What became of the packets of all loads over a link that came to their end. */
function carriedBy(link: string, { plan, measurements }: FoundStudy): PageCalibration['carried'] {
  const conditions = [...plan.conditions, plan.control.condition].filter((each) => each.link.name === link);
  const ids = new Set(conditions.map(({ id }) => id));
  const loads = measurements.flatMap((each) =>
    each.status === 'ok' && ids.has(each.condition) && each.lostDown !== undefined ? each : [],
  );
  if (loads.length === 0) return undefined;
  const sum = (figure: 'packetsDown' | 'packetsUp' | 'lostDown' | 'lostUp') =>
    loads.reduce((all, load) => all + (load[figure] ?? 0), 0);
  const { down, up } = conditions[0]!.link;
  return {
    down: { sent: sum('packetsDown'), lost: down.duplicatePercent > 0 ? undefined : sum('lostDown') },
    up: { sent: sum('packetsUp'), lost: up.duplicatePercent > 0 ? undefined : sum('lostUp') },
  };
}

function lossesOf({ measurements, plan }: FoundStudy): readonly LoadLoss[] {
  return measurements.flatMap((each): LoadLoss[] => {
    if (each.status === 'ok') return [];
    const { condition, arm, block, status, reason } = each;
    const title = condition === plan.control.id ? 'self-test' : condition;
    return [{ condition: title, arm, block, status, reason, says: each.says.slice(0, SAYS_LENGTH) }];
  });
}

/** What is alike for several links is told once. */
function textsOf(links: Summary['provenance']['links']): Method['texts'] {
  const texts = links.flatMap(({ link, lab }) => [
    ...Object.entries(lab.serverConfigurations).map(([name, text]) => ({ title: `Configuration of ${name}`, text })),
    ...Object.entries(lab.flags).map(([kind, flags]) => ({
      title: `Chromium’s flags (${kind})`,
      text: flags.join('\n'),
    })),
    ...lab.hosts.map(({ namespace, routes, sysctls, offloadsOn }) => ({
      title: `Kernel settings of ${namespace}`,
      text: [
        ...routes,
        ...Object.entries(sysctls).map((pair) => pair.join(' = ')),
        `offloads on: ${offloadsOn.join(', ') || 'none'}`,
      ].join('\n'),
    })),
    { title: `Queues of ${link}`, text: `towards the visitor:\n${lab.link.down}\ntowards the server:\n${lab.link.up}` },
  ]);
  const told = new Map(texts.filter(({ text }) => text !== '').map((each) => [`${each.title}\n${each.text}`, each]));
  return [...told.values()];
}

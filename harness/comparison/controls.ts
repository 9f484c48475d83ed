import type { Claim, ConditionRecord, PairJudgement, Verdict } from '../model/comparison.ts';
import type { Measurement } from '../model/measurement.ts';
import type { Metric, Plan } from '../model/study.ts';
import { median } from '../stats/order.ts';
import { judgeStudy } from './judge.ts';
import { recordsOf } from './records.ts';
import { RULES } from './rules.ts';

/** What one half of a study's control came to: the twin, or the delayed arm. */
export interface ControlJudgement {
  /** a is the control, b the arm. */
  readonly pair: PairJudgement;
  /** Whether more blocks could say more. */
  readonly open: boolean;
  readonly passed: boolean;
}

/** What a study's control came to. */
export interface Controls {
  /** The twin must end as a tie, or undecided. */
  readonly aa: ControlJudgement;
  /** The delay must be found. */
  readonly planted: ControlJudgement;
  /** By how much the delayed arm is held back; absent while the arm has too few loads to tell. */
  readonly delayMs?: number | undefined;
}

/** Judges the control of a plan by what was measured so far. */
export function judgeControls({ control, metric }: Plan, measurements: readonly Measurement[]): Controls {
  const { arm, twin, delayed, cap } = control;
  const own = measurements.filter(({ condition }) => condition === control.id);
  // Its page sends nothing.
  const recordFor = (other: string) => pairRecord(own, [arm, other], metric === 'upload' ? 'plt' : metric);
  const delayMs = plantedDelayMs(control, measurements);
  return {
    aa: judgeControl({ arm, cap: Math.min(cap, TWIN_CAP) }, twin, recordFor(twin), ['tie', 'undecided']),
    planted: judgeControl({ arm, cap }, delayed, recordFor(delayed), ['b'], 'b'),
    delayMs,
  };
}

/** The blocks after which a twin that shows no difference has passed: one that matters would show by then. */
const TWIN_CAP = 15;

/** The first loads of the arm and its twin tell what the arm takes; the delay stays what it then is. */
const LOADS_BEFORE = 2;
const DELAY_SHARE = 0.1;
/** Over a quick link the arm takes some 60 ms, and a tenth of that is not found among what the processor adds by chance. */
const LEAST_DELAY_MS = 20;

/** By how much the delayed arm is held back; undefined while its arm and that one's twin have too few loads to tell. */
export function plantedDelayMs(
  { id, arm, twin }: Plan['control'],
  measurements: readonly Measurement[],
): number | undefined {
  const plts = measurements.flatMap((each) =>
    each.condition === id && [arm, twin].includes(each.arm) && each.status === 'ok' ? each.pltMs : [],
  );
  if (plts.length < LOADS_BEFORE) return undefined;
  return Math.max(LEAST_DELAY_MS, Math.round(DELAY_SHARE * median(plts.slice(0, LOADS_BEFORE))));
}

/** The blocks that have both arms, renumbered, since the delayed arm may have joined later. */
function pairRecord(measurements: readonly Measurement[], arms: readonly string[], metric: Metric): ConditionRecord {
  const [record] = recordsOf(
    measurements.filter(({ arm }) => arms.includes(arm)),
    arms.map((name) => ({ name })),
    metric,
  );
  const { condition = '', blocks = [], voids = [] } = record ?? {};
  return { condition, blocks: blocks.map((block, index) => ({ ...block, index })), voids };
}

/**
 * Judges one pair of the control as a study of its own: its verdict takes nothing from the certainty of the study's
 * verdicts, and is false with a chance of 5 % at most. Where one verdict alone is asked about, fewer blocks can give it. The rule is always `default`, as a delay of a tenth is below
 * what `kramer2015` calls better.
 */
export function judgeControl(
  { arm, cap }: Pick<Plan['control'], 'arm' | 'cap'>,
  other: string,
  record: ConditionRecord,
  passes: readonly Verdict[],
  onlyClaim?: Claim,
): ControlJudgement {
  const judgement = judgeStudy(
    {
      conditions: [{ id: record.condition }],
      arms: [{ name: arm }, { name: other }],
      rule: RULES.default,
      stopping: { kind: 'early', until: 'proven', cap },
      onlyPairs: true,
      // What is held back is so in every launch alike.
      onlyClaim,
      leastLaunches: onlyClaim && 1,
    },
    [record],
  );
  const { pairs, blocks } = judgement.conditions[0]!;
  const pair = pairs[0]!;
  const open = pair.verdict === 'undecided' && blocks < cap;
  return { pair, open, passed: passes.includes(pair.verdict) };
}

import { RULES } from '../../harness/comparison/rules.ts';
import type {
  BlockOutcomes,
  ConditionRecord,
  JudgingPlan,
  Outcome,
  Stopping,
  Until,
} from '../../harness/model/comparison.ts';

/** The times of one arm, block by block; a single one stands for all blocks. */
export type Times = Outcome | readonly Outcome[];

/** A condition's record of `count` blocks, three to a launch; several conditions were measured round by round. */
export function recordOf(
  condition: string,
  count: number,
  times: Readonly<Record<string, Times>>,
  more: Partial<ConditionRecord> = {},
): ConditionRecord {
  const at = (of: Times, index: number): Outcome => (Array.isArray(of) ? of[index % of.length] : of) as Outcome;
  const blocks = Array.from({ length: count }, (_, index): BlockOutcomes => {
    const outcomes = Object.entries(times).map(([arm, own]) => [arm, at(own, index)]);
    return { index, launch: Math.floor(index / 3), at: index, outcomes: Object.fromEntries(outcomes) };
  });
  return { condition, blocks, voids: [], ...more };
}

/** A plan for these records, of the arms in their first block. */
export function planFor(
  records: readonly ConditionRecord[],
  { rule = RULES.default, stopping = earlyUntil('proven'), ...more }: PlanWish = {},
): JudgingPlan {
  return {
    conditions: records.map((record) => ({ id: record.condition })),
    arms: Object.keys(records[0]!.blocks[0]!.outcomes).map((name) => ({ name })),
    rule,
    stopping,
    ...more,
  };
}

/** What a plan may have other than the usual. */
export type PlanWish = Partial<Pick<JudgingPlan, 'rule' | 'stopping' | 'onlyPairs'>>;

/** Early stopping, with a cap. */
export function earlyUntil(until: Until, cap = 100): Stopping {
  return { kind: 'early', until, cap };
}

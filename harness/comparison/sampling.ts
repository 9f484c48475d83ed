import type { JudgingPlan } from '../model/comparison.ts';
import { anytimeMedian } from '../stats/anytime-median.ts';
import type { Sampling } from '../stats/median-interval.ts';
import { type Estimate, hodgesLehmann } from '../stats/signed-rank.ts';

/** Whether a condition has as many blocks as were asked for beforehand: if not, their number may depend on them. */
export function isFixed({ stopping }: Pick<JudgingPlan, 'stopping'>, blocks: number): boolean {
  return stopping.kind === 'exactly' && blocks >= stopping.blocks;
}

/** How the number of a condition's blocks came about. */
export function samplingOf({ isFixed: fixed }: { readonly isFixed: boolean }): Sampling {
  return fixed ? 'fixed' : 'stopped';
}

/** The middle of what blocks say, with an interval that holds for how their number came about. */
export function estimateMiddle(values: readonly number[], confidence: number, fixed: boolean): Estimate {
  return fixed ? hodgesLehmann(values, confidence) : anytimeMedian(values, confidence);
}

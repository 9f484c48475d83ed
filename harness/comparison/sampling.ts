import type { ConditionState, JudgingPlan } from '../model/comparison.ts';
import type { Sampling } from '../stats/median-interval.ts';

/** Whether a condition has as many blocks as were asked for beforehand: if not, their number may depend on them. */
export function isFixed({ stopping }: Pick<JudgingPlan, 'stopping'>, state: ConditionState): boolean {
  return stopping.kind === 'exactly' && state === 'full';
}

/** How the number of a condition's blocks came about. */
export function samplingOf({ isFixed: fixed }: { readonly isFixed: boolean }): Sampling {
  return fixed ? 'fixed' : 'stopped';
}

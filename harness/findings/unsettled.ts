import { failsAlways } from './arm-summary.ts';
import type { ConditionSummary } from './summary.ts';

/** The conditions whose answers are not settled. */
export interface Unsettled {
  readonly conditions: number;
  /** How many of them get more blocks; the study allows the others none. */
  readonly getMore: number;
}

/** Counts the conditions whose answers are not settled, and those of them that more blocks may settle. */
export function unsettledOf(conditions: readonly Pick<ConditionSummary, 'answer' | 'state' | 'arms'>[]): Unsettled {
  // Where no load finishes there is nothing to settle.
  const unsettled = conditions.filter((condition) => !condition.answer?.settled && !failsAlways(condition));
  return { conditions: unsettled.length, getMore: unsettled.filter(({ state }) => state === 'open').length };
}

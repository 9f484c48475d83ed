import { successesNeeded } from './evidence.ts';
import { median } from './order.ts';
import type { Estimate } from './signed-rank.ts';

/**
 * The median of the values and an interval that holds the true one at whatever moment one stops: those numbers which
 * neither the values below nor those above speak against, each at half of what is left of the confidence (Howard and
 * Ramdas 2022 invert such a test for quantiles). Values may be infinite; where the two
 * in the middle are opposite infinities the estimate is not a number. The interval is unbounded where values are few.
 */
export function anytimeMedian(values: readonly number[], confidence: number): Estimate {
  const ascending = values.toSorted((a, b) => a - b);
  const needed = successesNeeded(ascending.length, 0.5, Math.log(2 / (1 - confidence)));
  return {
    estimate: median(ascending),
    low: ascending[ascending.length - needed] ?? Number.NEGATIVE_INFINITY,
    high: ascending[needed - 1] ?? Number.POSITIVE_INFINITY,
  };
}

import { medianInterval } from './median-interval.ts';
import type { Estimate } from './signed-rank.ts';

/**
 * The median of the values and an interval that holds the true one at whatever moment one stops: those numbers which
 * neither the values below nor those above speak against, each at half of what is left of the confidence (Howard and
 * Ramdas 2022 invert such a test for quantiles). Values may be infinite; where the two
 * in the middle are opposite infinities the estimate is not a number. The interval is unbounded where values are few.
 */
export function anytimeMedian(values: readonly number[], confidence: number): Estimate {
  return medianInterval(values, (1 - confidence) / 2, 'stopped');
}

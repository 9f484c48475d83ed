import { binomialCdf } from './binomial.ts';
import { successesNeeded } from './evidence.ts';
import { median } from './order.ts';
import type { Estimate } from './signed-rank.ts';

/**
 * How their number came about: `fixed` before the first value, or `stopped` at a moment that may depend on the values.
 * What holds for the latter holds for the former too, but is wider.
 */
export type Sampling = 'fixed' | 'stopped';

/**
 * The median of the values, and an interval of which each end is beyond the true one with this chance at most. Nothing
 * is asked of the values' distribution: an end is where the values on its far side would be too many for a coin.
 * Values may be infinite, and so may the ends where values are few.
 */
export function medianInterval(values: readonly number[], tail: number, sampling: Sampling): Estimate {
  const ascending = values.toSorted((a, b) => a - b);
  const needed = neededBeyond(ascending.length, tail, sampling);
  return {
    estimate: median(ascending),
    low: ascending[ascending.length - needed] ?? Number.NEGATIVE_INFINITY,
    high: ascending[needed - 1] ?? Number.POSITIVE_INFINITY,
  };
}

/** How many of some values must lie on one side of a number to deny, at this tail, that it is the median. */
export function neededBeyond(count: number, tail: number, sampling: Sampling): number {
  if (sampling === 'stopped') return successesNeeded(count, 0.5, -Math.log(tail));
  let needed = Math.ceil(count / 2);
  // At least `needed` of this many tosses show heads as often as at most the rest of them do.
  while (needed <= count && binomialCdf(count - needed, count, 0.5) > tail) needed += 1;
  return needed;
}

/** The fewest values of which both ends of such an interval are finite. */
export function fewestFor(tail: number, sampling: Sampling): number {
  let count = 1;
  while (neededBeyond(count, tail, sampling) > count) count += 1;
  return count;
}

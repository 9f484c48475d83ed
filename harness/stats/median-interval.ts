import { binomialCdf } from './binomial.ts';
import { median } from './order.ts';
import type { Estimate } from './signed-rank.ts';

/**
 * The median of the values and the narrowest pair of them, as far from either end, that holds the true one with this
 * confidence, if their number was fixed beforehand; unbounded where they are too few.
 */
export function medianInterval(values: readonly number[], confidence: number): Estimate {
  const ascending = values.toSorted((a, b) => a - b);
  const tail = (1 - confidence) / 2;
  let rank = 0;
  // The value of this rank, from 0, is above the median where at most so many values are below it.
  while (rank < ascending.length / 2 && binomialCdf(rank, ascending.length, 0.5) <= tail) rank += 1;
  return {
    estimate: median(ascending),
    low: ascending[rank - 1] ?? Number.NEGATIVE_INFINITY,
    high: rank === 0 ? Number.POSITIVE_INFINITY : ascending[ascending.length - rank]!,
  };
}

import { binomialCdf } from './binomial.ts';
import { logEvidence } from './evidence.ts';
import type { Sampling } from './median-interval.ts';
import { median } from './order.ts';
import { seededRandom } from './random.ts';
import type { Estimate } from './signed-rank.ts';

/** Values of one kind, and how much their median counts. */
export interface WeightedSample {
  readonly values: readonly number[];
  readonly weight: number;
  readonly sampling: Sampling;
}

/**
 * The mean of the medians of some samples that have nothing to do with each other, by weight, and an interval of which
 * each end is beyond the true one with the chance `tail`, or less.
 *
 * A sample's own upper ends, at all tails from 0 to 1, are its confidence distribution: its true median is at most the
 * end at a tail that is drawn at random (Schweder and Hjort 2016). The mean of ends at tails drawn for each sample by
 * itself is then beyond the true mean, and its quantile is the upper end sought: narrower than all samples at their
 * ends at once, since it is not by one chance that all of them are far off. Where the number of values may depend on
 * them the tails are those that hold at whatever moment one stops; resampling would know nothing of that moment, at
 * which each sample is likely to look better than it is. Where an end lies beyond all values of a sample, which must be
 * rare enough for it to have an interval of its own, the last value stands for it: so far the interval rests on
 * simulations alone, which bear it out.
 */
export function meanOfMedians(samples: readonly WeightedSample[], tail: number): Estimate {
  const total = samples.reduce((sum, { weight }) => sum + weight, 0);
  const ready = samples.map(({ values, weight, sampling }) => ({
    ascending: values.toSorted((a, b) => a - b),
    share: weight / total,
    tails: tailsOf(values.length, sampling),
  }));
  const mean = (of: (sample: (typeof ready)[number]) => number) =>
    ready.reduce((sum, sample) => sum + sample.share * of(sample), 0);
  const estimate = mean(({ ascending }) => median(ascending));
  if (ready.some(({ tails }) => !(tails.at(-1)! <= tail))) return { estimate, low: -NEVER, high: NEVER };
  const random = seededRandom(1, 'mean of medians');
  const ends = { low: [] as number[], high: [] as number[] };
  for (let draw = 0; draw < DRAWS; draw += 1) {
    const ranks = ready.map(({ tails }) => rankAt(tails, random()));
    const uppers = ready.map(({ ascending, share }, index) => share * ascending[ranks[index]! - 1]!);
    const lowers = ready.map(({ ascending, share }, index) => share * ascending.at(-ranks[index]!)!);
    ends.high.push(uppers.includes(NEVER) ? NEVER : sumOf(uppers));
    ends.low.push(lowers.includes(-NEVER) ? -NEVER : sumOf(lowers));
  }
  return {
    estimate,
    low: ends.low.sort((a, b) => a - b)[Math.floor(tail * DRAWS)]!,
    high: ends.high.sort((a, b) => a - b)[DRAWS - 1 - Math.floor(tail * DRAWS)]!,
  };
}

const DRAWS = 4000;
const NEVER = Number.POSITIVE_INFINITY;

/** The tail at which the value of each rank, from the first, is the upper end; falling. */
function tailsOf(count: number, sampling: Sampling): readonly number[] {
  return Array.from({ length: count }, (_, index) => {
    const rank = index + 1;
    if (sampling === 'stopped') return Math.min(1, Math.exp(-logEvidence(count, rank, 0.5)));
    return binomialCdf(count - rank, count, 0.5);
  });
}

/** The least rank whose tail is no more than this; the last where there is none. */
function rankAt(tails: readonly number[], tail: number): number {
  let low = 0;
  let high = tails.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (tails[middle]! <= tail) high = middle;
    else low = middle + 1;
  }
  return low + 1;
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

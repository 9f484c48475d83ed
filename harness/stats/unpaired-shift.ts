import { binomialCdf } from './binomial.ts';
import { medianInterval, type Sampling } from './median-interval.ts';
import type { Estimate } from './signed-rank.ts';

/** Values, and others that they are held against; each in the order in which it came about. */
export interface TwoSamples {
  readonly values: readonly number[];
  readonly others: readonly number[];
}

/**
 * By how much values lie above others that they are not paired with: the median of the difference of any two (Hodges
 * and Lehmann), and an interval of which each end is beyond the true one with the chance `tail` at most. Two infinite
 * values do not differ.
 *
 *     fixed    all differences, as Mann and Whitney count them
 *     stopped  first against first, second against second and so on: when that ends may depend on all that was seen
 *
 * Mann and Whitney's own interval holds only where both have one shape and differ in nothing but where they lie. Where
 * one spreads more than the other its tails are up to three times as likely as it says (of gates of 24 comparisons 14 %
 * would be shut by chance), and a new version of anything may spread differently. So their count is held against what
 * it can come to for any two shapes: the interval is up to half as wide again.
 */
export function unpairedShift({ values, others }: TwoSamples, tail: number, sampling: Sampling): Estimate {
  if (sampling === 'fixed') return shiftOfAll({ values, others }, tail);
  const pairs = Math.min(values.length, others.length);
  const differences = values.slice(0, pairs).map((value, index) => differenceOf(value, others[index]!));
  return { ...medianInterval(differences, tail, 'stopped'), estimate: middleOf(sorted({ values, others })) };
}

function differenceOf(value: number, other: number): number {
  return value === other ? 0 : value - other;
}

function shiftOfAll({ values, others }: TwoSamples, tail: number): Estimate {
  const both = sorted({ values, others });
  const count = both.values.length * both.others.length;
  const pairs = Math.min(values.length, others.length);
  const needed = Math.ceil(count * shareNeeded(pairs, tail));
  const reachable = count > 0 && needed <= count;
  return {
    estimate: middleOf(both),
    low: reachable ? differenceAt(both, count - needed + 1) : Number.NEGATIVE_INFINITY,
    high: reachable ? differenceAt(both, needed) : Number.POSITIVE_INFINITY,
  };
}

/**
 * The least share of all differences above a number that denies, at this tail, that it is their median; infinite where
 * not even all of them do.
 *
 * Pair the smaller sample with part of the other, in any way. Of independent pairs, each above the median with a chance
 * of a half at most, the share above it is at most that of a coin's heads. The share of all differences is the mean
 * over all ways to pair, so by Jensen's inequality the mean of a convex function of it is at most the one of the heads'
 * share B (Hoeffding 1963, section 5). With the function (x - t)+ and Markov's inequality the chance of a share of u or
 * more is at most E(B - t)+ / (u - t), whichever t below u one takes.
 */
function shareNeeded(pairs: number, tail: number): number {
  const excess = meanExcess(pairs);
  const chanceOf = (share: number) =>
    Math.min(...excess.map((mean, heads) => (heads < share * pairs ? mean / (share * pairs - heads) : 1)));
  if (chanceOf(1) > tail) return Number.POSITIVE_INFINITY;
  let low = 0.5;
  let high = 1;
  for (let step = 0; step < 50; step += 1) {
    const middle = (low + high) / 2;
    if (chanceOf(middle) <= tail) high = middle;
    else low = middle;
  }
  return high;
}

/** By how much, on average, the heads of `tosses` tosses exceed each number of heads below all, from 0. */
function meanExcess(tosses: number): number[] {
  const means = Array.from({ length: tosses }, () => 0);
  let mean = 0;
  for (let heads = tosses - 1; heads >= 0; heads -= 1) {
    mean += binomialCdf(tosses - heads - 1, tosses, 0.5); // As likely as more heads than that.
    means[heads] = mean;
  }
  return means;
}

function sorted({ values, others }: TwoSamples): TwoSamples {
  return { values: values.toSorted((a, b) => a - b), others: others.toSorted((a, b) => a - b) };
}

function middleOf(both: TwoSamples): number {
  const count = both.values.length * both.others.length;
  if (count === 0) return Number.NaN;
  const [below, above] = [differenceAt(both, Math.ceil(count / 2)), differenceAt(both, Math.floor(count / 2) + 1)];
  return below === above ? below : (below + above) / 2;
}

/** The difference of this rank among all, from 1, without writing them out: of 700 against 700 there are 490,000. */
function differenceAt(both: TwoSamples, rank: number): number {
  if (countUpTo(both, Number.NEGATIVE_INFINITY) >= rank) return Number.NEGATIVE_INFINITY;
  if (countUpTo(both, Number.MAX_VALUE) < rank) return Number.POSITIVE_INFINITY;
  const finite = (values: readonly number[]) => values.filter(Number.isFinite);
  const [own, theirs] = [finite(both.values), finite(both.others)];
  let low = Math.min(0, (own[0] ?? 0) - (theirs.at(-1) ?? 0));
  let high = Math.max(0, (own.at(-1) ?? 0) - (theirs[0] ?? 0));
  if (countUpTo(both, low) >= rank) return low;
  // Halves the range that holds it until no number is left between its ends.
  for (;;) {
    const middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) return high;
    if (countUpTo(both, middle) >= rank) high = middle;
    else low = middle;
  }
}

/** How many differences are at most `limit`: as the value rises, fewer of the others are far enough below it. */
function countUpTo({ values, others }: TwoSamples, limit: number): number {
  let count = 0;
  let first = 0;
  for (const value of values) {
    while (first < others.length && differenceOf(value, others[first]!) > limit) first += 1;
    count += others.length - first;
  }
  return count;
}

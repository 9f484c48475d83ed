import { normalQuantile } from './normal.ts';

/** An estimate between the ends of its interval; infinite where the values leave no number. */
export interface Estimate {
  readonly estimate: number;
  readonly low: number;
  readonly high: number;
}

/**
 * The estimate of Hodges and Lehmann, the median of the means of all pairs of values (each with itself too), and the
 * interval that inverts Wilcoxon's signed-rank test. Values may be infinite; the mean of two opposite infinities is
 * unknown, so that it belongs to no side of the estimate and widens the interval on both.
 */
export function hodgesLehmann(values: readonly number[], confidence: number): Estimate {
  const means = pairMeans(values);
  const rank = signedRankCritical(values.length, (1 - confidence) / 2);
  return {
    estimate: middleOf(means),
    low: rank === 0 ? Number.NEGATIVE_INFINITY : meanAt(means, rank - means.unknown),
    high: rank === 0 ? Number.POSITIVE_INFINITY : meanAt(means, countOf(means) - rank + 1),
  };
}

/**
 * The largest rank, counted from 1, of a pair mean whose truth is doubted at this tail: 0 where the values are too
 * few. Exact up to 100 values, from the normal approximation beyond.
 */
export function signedRankCritical(count: number, tail: number): number {
  if (count > EXACT_UP_TO) return normalCritical(count, tail);
  const key = `${count} ${tail}`;
  const rank = exactRanks.get(key) ?? exactCritical(count, tail);
  exactRanks.set(key, rank);
  return rank;
}

const EXACT_UP_TO = 100;
// A rank depends on these two alone, takes milliseconds, and a study asks for the same ones hundreds of times.
const exactRanks = new Map<string, number>();

/** The sum of the ranks of the positive values is as likely to be s as random signs before 1 to n are to sum up to s. */
function exactCritical(count: number, tail: number): number {
  const most = (count * (count + 1)) / 2;
  const chances = new Float64Array(most + 1);
  chances[0] = 1;
  for (let rank = 1; rank <= count; rank += 1)
    for (let sum = (rank * (rank + 1)) / 2; sum >= 0; sum -= 1)
      chances[sum] = (chances[sum]! + (sum >= rank ? chances[sum - rank]! : 0)) / 2;
  let below = 0;
  for (let sum = 0; ; sum += 1) {
    below += chances[sum]!;
    if (below > tail) return sum;
  }
}

function normalCritical(count: number, tail: number): number {
  const mean = (count * (count + 1)) / 4;
  const spread = Math.sqrt((count * (count + 1) * (2 * count + 1)) / 24);
  return Math.floor(mean + normalQuantile(tail) * spread + 0.5);
}

/** The means of all pairs, not written out: of 700 values there are 245,350. */
interface PairMeans {
  /** Ascending. */
  readonly finite: readonly number[];
  readonly lowest: number;
  readonly between: number;
  readonly highest: number;
  readonly unknown: number;
}

function pairMeans(values: readonly number[]): PairMeans {
  const finite = values.filter(Number.isFinite).sort((a, b) => a - b);
  const negative = values.filter((value) => value === Number.NEGATIVE_INFINITY).length;
  const positive = values.filter((value) => value === Number.POSITIVE_INFINITY).length;
  const pairs = (count: number) => (count * (count + 1)) / 2;
  return {
    finite,
    lowest: pairs(negative) + negative * finite.length,
    between: pairs(finite.length),
    highest: pairs(positive) + positive * finite.length,
    unknown: negative * positive,
  };
}

function countOf({ lowest, between, highest, unknown }: PairMeans): number {
  return lowest + between + highest + unknown;
}

function middleOf(means: PairMeans): number {
  const known = countOf(means) - means.unknown;
  if (known === 0) return Number.NaN;
  const [below, above] = [meanAt(means, Math.ceil(known / 2)), meanAt(means, Math.floor(known / 2) + 1)];
  return below === above ? below : (below + above) / 2;
}

/** The mean of this rank among those that are known, from 1; infinite beyond them. */
function meanAt({ finite, lowest, between }: PairMeans, rank: number): number {
  if (rank <= lowest) return Number.NEGATIVE_INFINITY;
  return rank <= lowest + between ? finiteMeanAt(finite, rank - lowest) : Number.POSITIVE_INFINITY;
}

/** Halves the range that holds it until no number is left between its ends. */
function finiteMeanAt(ascending: readonly number[], rank: number): number {
  let low = ascending[0]!;
  let high = ascending.at(-1)!;
  if (countUpTo(ascending, low) >= rank) return low;
  for (;;) {
    const middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) return high;
    if (countUpTo(ascending, middle) >= rank) high = middle;
    else low = middle;
  }
}

/** How many pair means are at most `limit`: as the one of a pair rises, the other that still fits falls. */
function countUpTo(ascending: readonly number[], limit: number): number {
  let count = 0;
  let last = ascending.length - 1;
  for (let first = 0; first <= last; first += 1) {
    while (last >= first && (ascending[first]! + ascending[last]!) / 2 > limit) last -= 1;
    count += last - first + 1;
  }
  return count;
}

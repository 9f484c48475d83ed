import { normalDeviate } from './normal.ts';
import { median } from './order.ts';
import type { Random } from './random.ts';

/** Values of several series that were seen in the same blocks, and how far single values of each lie apart. */
export interface BlockedSeries {
  /** By series, then by block; as logarithms. A block that lacks a series has undefined there. */
  readonly values: readonly (readonly (number | undefined)[])[];
  /** By series: the standard deviation of a value. */
  readonly spreads: readonly number[];
  /** The standard deviation of what no number of these blocks tells of a series; absent: none. */
  readonly doubt?: number;
  /** What is expected of how the series differ; absent: that they are alike. */
  readonly expected?: ExpectedRatios | undefined;
  /** By series: whether anything is expected of how it differs from others; absent: of each. */
  readonly comparable?: readonly boolean[];
}

/** How typical values of some series are expected to differ. */
export interface ExpectedRatios {
  /** By series; as logarithms. */
  readonly ratios: readonly number[];
  /** The variance of what is expected, which adds to how far ratios lie from it anyway. */
  readonly variance: number;
}

/**
 * Draws the medians of some series jointly, as far as a few blocks tell them: by series, then by draw.
 *
 *     values ─► less what all series of a block share ─► Bayesian bootstrap ─► + noise that is gone after some
 *               (the machine was slower just then)       (blocks weigh         ten blocks: few values
 *                                                        differently in        hide how wide they spread
 *                                                        each draw)
 *                                                                ─► weighed by how likely such ratios are at all,
 *                                                                   and by what other series like these have shown
 *
 * The Bayesian bootstrap (Rubin 1981) asks nothing of how values are distributed: times over a link that loses packets
 * are skewed and have several modes. Of a median it knows as much as the sign test does. Of fewer than six blocks it is
 * too sure, since no median can lie beyond the values that were seen; the added noise makes up for that with a standard
 * deviation that similar conditions have a part in. `bench decisions` holds the outcome against known truths.
 */
export function drawTypical(
  { values, spreads, doubt = 0, expected, comparable }: BlockedSeries,
  chance: Chance,
  random: Random,
): readonly Float64Array[] {
  const blocks = values[0]!.length;
  const count = chance.sums.length;
  const share = new Float64Array(blocks);
  const sorted = withoutSharedEffects({ values, spreads }).map(sortWithPlaces);
  const draws = values.map(() => new Float64Array(count));
  const weights = new Float64Array(count);
  const compared = [...values.keys()].filter((series) => comparable?.[series] ?? true);
  const noises = sorted.map(({ ascending }, series) =>
    Math.hypot(SMOOTHING * spreads[series]! * (FEW / Math.max(FEW, ascending.length)) ** 1.5, doubt),
  );
  for (let draw = 0; draw < count; draw += 1) {
    for (let block = 0; block < blocks; block += 1) share[block] = chance.shares[block]![draw]!;
    for (let series = 0; series < draws.length; series += 1) {
      const noise = noises[series]! * chance.deviates[series]![draw]!;
      const own = sorted[series]!;
      const sum = own.places.length === blocks ? chance.sums[draw]! : sumOf(own.places, share);
      draws[series]![draw] = weightedMedian(own, share, sum / 2) + noise;
    }
    weights[draw] = plausibility(compared, draws, draw, expected);
  }
  const kept = resample(weights, random);
  return draws.map((each) => each.map((_, place) => each[kept[place]!]!));
}

/** Draws take as much memory and time as there are blocks: of more than this, neighbours are taken together. */
const MOST_BLOCKS = 500;
/** The standard deviation of a median of normal values over that of their mean. */
const MEDIAN_OVER_MEAN = 1.25;

/** The series as they are, or where there are very many blocks, the medians of neighbouring ones. */
export function takenTogether({ values, spreads, ...rest }: BlockedSeries): BlockedSeries {
  const blocks = values[0]!.length;
  const each = Math.ceil(blocks / MOST_BLOCKS);
  if (each <= 1) return { values, spreads, ...rest };
  const groups = Array.from({ length: Math.ceil(blocks / each) }, (_, group) => group * each);
  return {
    values: values.map((own) =>
      groups.map((from) => {
        const present = own.slice(from, from + each).filter((value) => value !== undefined);
        return present.length === 0 ? undefined : median(present);
      }),
    ),
    spreads: spreads.map((spread) => (MEDIAN_OVER_MEAN * spread) / Math.sqrt(each)),
    ...rest,
  };
}

/** Takes draws in proportion to their weights, so that they count alike afterwards (systematic resampling). */
function resample(weights: Float64Array, random: Random): Int32Array {
  const step = weights.reduce((sum, weight) => sum + weight, 0) / weights.length;
  const kept = new Int32Array(weights.length);
  let [reached, draw] = [weights[0]!, 0];
  let at = random() * step;
  for (let index = 0; index < kept.length; index += 1) {
    while (reached < at && draw < weights.length - 1) {
      draw += 1;
      reached += weights[draw]!;
    }
    kept[index] = draw;
    at += step;
  }
  return kept;
}

/** The standard deviation of a median of three normal values, as a part of one value's standard deviation. */
const SMOOTHING = 0.67;
const FEW = 3;

/** What of draws is chance alone, whatever the values. */
export interface Chance {
  /** By block, then by draw: what the block weighs. */
  readonly shares: readonly Float64Array[];
  /** By draw: what all blocks weigh together. */
  readonly sums: Float64Array;
  /** By series, then by draw. */
  readonly deviates: readonly Float64Array[];
}

/** How much of chance is wanted. */
export interface ChanceSize {
  readonly draws: number;
  readonly blocks: number;
  readonly series: number;
}

/**
 * Draws what is chance alone in a number of draws of typical values. Each block and each series has a stream of its own, so
 * that one block more leaves all others as they were, and `known`, a part of the same chance, need not be drawn again.
 */
export function drawChance(
  { draws, blocks, series }: ChanceSize,
  streamOf: (what: string) => Random,
  known?: Chance,
): Chance {
  const drawn = (what: string, deviate: (random: Random) => number) => {
    const random = streamOf(what);
    return new Float64Array(draws).map(() => deviate(random));
  };
  const shares = Array.from(
    { length: blocks },
    (_, block) => known?.shares[block] ?? drawn(`block ${block}`, exponentialDeviate),
  );
  const sums = new Float64Array(draws);
  for (const own of shares) for (let draw = 0; draw < draws; draw += 1) sums[draw]! += own[draw]!;
  const deviates = Array.from(
    { length: series },
    (_, each) => known?.deviates[each] ?? drawn(`series ${each}`, heavyTailedDeviate),
  );
  return { shares, sums, deviates };
}

/** Such variables in proportion to their sum are a draw from the flat Dirichlet distribution. */
function exponentialDeviate(random: Random): number {
  return -Math.log(1 - random());
}

/** Ratios spread like this around what is expected: half of them within a tenth, a few of several times (Student's t). */
const RATIOS = { spread: 0.1, freedom: 2 } as const;

/** How likely typical values of some series differ like these, up to a constant factor. */
function plausibility(
  compared: readonly number[],
  typical: readonly Float64Array[],
  draw: number,
  expected?: ExpectedRatios,
): number {
  if (compared.length < 2) return 1;
  let [sum, squares] = [0, 0];
  for (const series of compared) {
    const beyond = typical[series]![draw]! - (expected?.ratios[series] ?? 0);
    sum += beyond;
    squares += beyond ** 2;
  }
  const variance = RATIOS.spread ** 2 + (expected?.variance ?? 0);
  const distance = Math.max(0, squares - sum ** 2 / compared.length) / variance;
  return (1 + distance / RATIOS.freedom) ** (-(RATIOS.freedom + compared.length - 1) / 2);
}

/** Student's t with six degrees of freedom. */
function heavyTailedDeviate(random: Random): number {
  const squares = -2 * Math.log((1 - random()) * (1 - random()) * (1 - random()));
  return normalDeviate(random) / Math.sqrt(squares / 6);
}

interface Sorted {
  readonly ascending: readonly number[];
  readonly places: readonly number[];
}

function sortWithPlaces(values: readonly (number | undefined)[]): Sorted {
  const places = [...values.keys()]
    .filter((place) => values[place] !== undefined)
    .sort((a, b) => values[a]! - values[b]!);
  return { ascending: places.map((place) => values[place]!), places };
}

function sumOf(places: readonly number[], share: Float64Array): number {
  let sum = 0;
  for (const place of places) sum += share[place]!;
  return sum;
}

/** Where half of the weight lies on either side, each value standing in the middle of its own and straight lines between. */
function weightedMedian({ ascending, places }: Sorted, share: Float64Array, half: number): number {
  let reached = 0;
  let before = ascending[0]!;
  let beforeAt = Number.NEGATIVE_INFINITY;
  for (let place = 0; place < ascending.length; place += 1) {
    const value = ascending[place]!;
    const weight = share[places[place]!]!;
    const at = reached + weight / 2;
    if (at >= half) return place === 0 ? value : before + (value - before) * ((half - beforeAt) / (at - beforeAt));
    before = value;
    beforeAt = at;
    reached += weight;
  }
  return before;
}

/** Values further out than this many standard deviations say no more about their block. */
const CLIPPED_AT = 2;

/**
 * The values less what their block did to all series alike, as far as the series move together (a best linear unbiased
 * prediction, as in Henderson 1975): all of it on a machine that is slow now and then, none where packets are lost.
 */
function withoutSharedEffects({ values, spreads }: BlockedSeries): BlockedSeries['values'] {
  const medians = values.map((own) => median(own.filter((value) => value !== undefined)));
  const deviations = values.map((own, series) => {
    const most = CLIPPED_AT * spreads[series]!;
    return own.map((value) =>
      value === undefined ? undefined : Math.max(-most, Math.min(most, value - medians[series]!)),
    );
  });
  const shared = Math.max(0, meanCovariance(deviations));
  if (shared === 0) return values;
  const precisions = spreads.map((spread) => 1 / Math.max(spread ** 2 - shared, LEAST_OWN * spread ** 2));
  const effects = deviations[0]!.map((_, block) => {
    let [sum, whole] = [0, 1 / shared];
    for (const [series, own] of deviations.entries()) {
      const deviation = own[block];
      if (deviation === undefined) continue;
      sum += precisions[series]! * deviation;
      whole += precisions[series]!;
    }
    return sum / whole;
  });
  return values.map((own) => own.map((value, block) => (value === undefined ? undefined : value - effects[block]!)));
}

/** The least share of a value's variance that counts as its own. */
const LEAST_OWN = 0.1;

function meanCovariance(deviations: BlockedSeries['values']): number {
  let [sum, pairs] = [0, 0];
  for (const [a, own] of deviations.entries())
    for (const other of deviations.slice(a + 1))
      for (const [block, value] of own.entries()) {
        const its = other[block];
        if (value === undefined || its === undefined) continue;
        sum += value * its;
        pairs += 1;
      }
  return pairs === 0 ? 0 : sum / pairs;
}

import { sumOf } from '../stats/order.ts';
import type { CasePart } from './cases.ts';
import type { Source, Spot } from './source.ts';

/** What each block says of a part, as far as it says anything: the logarithm of a ratio, or a difference. */
export function seriesOf(
  part: Extract<CasePart, { readonly kind: 'product' | 'sum' | 'follows' }>,
  spots: readonly Spot[],
  source: Source,
): readonly number[] {
  const concerned = part.kind === 'product' ? [...part.over, ...part.under].map(({ spot }) => spot) : spots;
  const blocks = Math.min(...concerned.map((spot) => source.blocksOf(spot)));
  return Array.from({ length: blocks }, (_, block) => valueIn(block, part, { spots, source })).filter(
    (value) => value !== undefined,
  );
}

interface Where {
  readonly spots: readonly Spot[];
  readonly source: Source;
}

function valueIn(
  block: number,
  part: Extract<CasePart, { readonly kind: 'product' | 'sum' | 'follows' }>,
  { spots, source }: Where,
): number | undefined {
  const figureAt = (spot: Spot, arm: string) => source.valueOf(spot, arm, part.figure, block);
  switch (part.kind) {
    case 'product': {
      const [over, under] = [part.over, part.under].map((cells) =>
        known(cells.map(({ spot, arm }) => figureAt(spot, arm))),
      );
      return over && under ? logQuotient(over, under) : undefined;
    }
    case 'sum': {
      const [of, to] = [part.of, part.to].map((arm) => known(spots.map((spot) => figureAt(spot, arm))));
      return of && to ? logQuotientOfSums(of, to) : undefined;
    }
    case 'follows': {
      const times = spots.map((spot) => known(part.arms.map((arm) => figureAt(spot, arm))));
      const means = known(times.map((own) => own && sumOf(own) / own.length));
      return means && correlationDifference(means, spots);
    }
  }
}

/** All of the values, or undefined where one is missing. */
function known(values: readonly (number | undefined)[]): readonly number[] | undefined {
  const there = values.filter((value) => value !== undefined);
  return there.length === values.length ? there : undefined;
}

/**
 * The logarithm of the quotient of two totals: infinite where one side failed more often, 0 for 0 over 0. Undefined
 * where both failed equally often: what never ends is not equally fast.
 */
function logQuotient(over: readonly number[], under: readonly number[]): number | undefined {
  const endless = [over, under].map((values) => values.filter((value) => value === Number.POSITIVE_INFINITY).length);
  if (endless[0]! > 0 && endless[0] === endless[1]) return undefined;
  const logs = [...over.map(Math.log), ...under.map((value) => -Math.log(value))];
  const [ups, downs] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY].map(
    (end) => logs.filter((log) => log === end).length,
  ) as [number, number];
  if (ups === downs) return ups > 0 ? 0 : definite(sumOf(logs));
  return ups > downs ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
}

/** Failures are counted before anything is added up. */
function logQuotientOfSums(over: readonly number[], under: readonly number[]): number | undefined {
  const isEndless = [...over, ...under].includes(Number.POSITIVE_INFINITY);
  return isEndless ? logQuotient(over, under) : logQuotient([sumOf(over)], [sumOf(under)]);
}

function definite(value: number): number | undefined {
  return Number.isNaN(value) ? undefined : value;
}

/** How far the correlation of times with requests is above that with bytes. */
export function correlationDifference(times: readonly number[], spots: readonly Spot[]): number | undefined {
  const withRequests = correlation(
    times,
    spots.map(({ objects }) => objects),
  );
  return definite(
    withRequests -
      correlation(
        times,
        spots.map(({ bytes }) => bytes),
      ),
  );
}

/** Pearson's; not a number where either never changes, or a load had no end. */
function correlation(a: readonly number[], b: readonly number[]): number {
  const [ofA, ofB] = [a, b].map((values) => {
    const mean = sumOf(values) / values.length;
    return values.map((value) => value - mean);
  }) as [number[], number[]];
  const product = (left: readonly number[], right: readonly number[]) =>
    sumOf(left.map((each, index) => each * right[index]!));
  return product(ofA, ofB) / Math.sqrt(product(ofA, ofA) * product(ofB, ofB));
}

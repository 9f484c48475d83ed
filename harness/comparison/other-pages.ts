import type { BlockOutcomes } from '../model/comparison.ts';
import { LEAST_OTHER_PAGES } from '../model/setting.ts';
import { meanOf, median, sumOf } from '../stats/order.ts';
import type { ExpectedRatios } from '../stats/typical-draws.ts';
import { logOf, outcomesOf } from './outcome.ts';
import { LEAST_BLOCKS } from './rules.ts';

/*
 * What is found of some pages over a link says something of the others over it: where losses hold up one protocol, they
 * do so on most pages. How far pages differ from each other says how much.
 */

/** What a page's loads came to in a condition. */
export interface PageOutcomes {
  readonly condition: string;
  readonly setting: string;
  readonly blocks: readonly BlockOutcomes[];
  /** What a load that failed is taken to have lasted. */
  readonly timeoutMs: number;
}

/** What is expected of how the arms differ in a condition, before its own blocks; undefined where too few pages tell. */
export type RatiosExpected = (
  page: Pick<PageOutcomes, 'condition' | 'setting'>,
  arms: readonly string[],
) => ExpectedRatios | undefined;

/** What the other pages of each setting tell. */
export function expectedFromOtherPages(pages: readonly PageOutcomes[]): RatiosExpected {
  const settings = Map.groupBy(pages, ({ setting }) => setting);
  const told = new Map<string, ToldRatios>();
  return ({ condition, setting }, arms) => {
    if (arms.length < 2) return undefined;
    const key = JSON.stringify([setting, arms]);
    const all = told.get(key) ?? toldBy(settings.get(setting) ?? [], arms);
    told.set(key, all);
    return expectedBeside(condition, all);
  };
}

/** What the pages of a setting tell. */
interface ToldRatios {
  /** By condition, then by arm: how far the arm lies from the mean of all, as logarithms of typical times. */
  readonly byPage: ReadonlyMap<string, readonly number[]>;
  /** By arm: the sum over all pages. */
  readonly sums: readonly number[];
  /** The sum of the squares of all ratios. */
  readonly squares: number;
}

function toldBy(pages: readonly PageOutcomes[], arms: readonly string[]): ToldRatios {
  const byPage = new Map(
    pages.flatMap((page) => {
      const ratios = ratiosOf(page, arms);
      return ratios ? [[page.condition, ratios] as const] : [];
    }),
  );
  const all = [...byPage.values()];
  return {
    byPage,
    sums: arms.map((_, arm) => sumOf(all.map((ratios) => ratios[arm]!))),
    squares: squaresOf(all.flat()),
  };
}

/** What a page tells; undefined where one of its arms has too few loads. */
function ratiosOf({ blocks, timeoutMs }: PageOutcomes, arms: readonly string[]): readonly number[] | undefined {
  const outcomes = arms.map((arm) => outcomesOf(blocks, arm));
  if (outcomes.some(({ length }) => length < LEAST_BLOCKS.answer)) return undefined;
  const typical = outcomes.map((own) => median(own.map((outcome) => logOf(outcome, timeoutMs))));
  const middle = meanOf(typical);
  return typical.map((each) => each - middle);
}

/** The mean of what all pages but one show, and the variance with which one more page lies around it. */
function expectedBeside(condition: string, { byPage, sums, squares }: ToldRatios): ExpectedRatios | undefined {
  const own = byPage.get(condition);
  const others = byPage.size - (own ? 1 : 0);
  if (others < LEAST_OTHER_PAGES) return undefined;
  const ratios = sums.map((sum, arm) => (sum - (own?.[arm] ?? 0)) / others);
  const around = Math.max(0, squares - squaresOf(own ?? []) - others * squaresOf(ratios));
  const between = around / ((others - 1) * (ratios.length - 1));
  return { ratios, variance: between * (1 + 1 / others) };
}

function squaresOf(values: readonly number[]): number {
  return sumOf(values.map((value) => value ** 2));
}

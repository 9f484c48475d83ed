import type { ConditionSummary } from '../harness/findings/summary.ts';
import type { AdviceCondition } from '../harness/model/advice.ts';
import type { BlockOutcomes, Comparison } from '../harness/model/comparison.ts';
import { type PageBlock, type PageCondition, type PageData, unpackBlocks } from '../harness/report/page-data.ts';
import { type ArmLook, looksOf } from './arms.ts';

/** A page's data as its parts ask for it. */
export interface Report {
  readonly data: PageData;
  readonly looks: readonly ArmLook[];
  readonly lookOf: (arm: string) => ArmLook;
  readonly conditions: readonly ReportCondition[];
}

/** A condition's findings with what the page has beside them. */
export interface ReportCondition extends Omit<ConditionSummary, 'blocks'>, Omit<PageCondition, 'blocks'> {
  readonly index: number;
  /** Those that were judged. */
  readonly blocks: number;
  /** Unpacked when they are first asked for. */
  readonly rows: () => readonly (PageBlock & BlockOutcomes)[];
}

/** Makes a page's data ready to be asked. */
export function openReport(data: PageData): Report {
  const looks = looksOf(data.arms);
  const byName = new Map(looks.map((look) => [look.name, look]));
  return {
    ...{ data, looks, lookOf: (arm) => byName.get(arm)! },
    conditions: data.summary.conditions.map((summary, index) => {
      const { blocks: packed, ...page } = data.conditions[index]!;
      return { ...page, ...summary, index, rows: once(() => unpackBlocks(packed)) };
    }),
  };
}

/** The conditions as those who advise want them. */
export function adviceConditions({ conditions }: Report): readonly AdviceCondition[] {
  return conditions.map(({ id, title, link, comparisons, rows }) => ({
    ...{ id, title, profile: `${link.name}`, blocks: rows() },
    comparisons: comparisons.map(({ ci, ...rest }): Comparison => ({ ...rest, condition: id, interval: ci })),
  }));
}

/** Whether no arm's median is below this one's. */
export function isFastest({ arms }: Pick<ReportCondition, 'arms'>, arm: string): boolean {
  const own = arms[arm]?.medianMs;
  return own !== undefined && Object.values(arms).every(({ medianMs = Number.POSITIVE_INFINITY }) => medianMs >= own);
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

import { CONFIDENCE } from '../comparison/rules.ts';
import { samplingOf } from '../comparison/sampling.ts';
import type { Paper, PublishedColumn, PublishedRow, PublishedTable } from '../model/paper.ts';
import type { CellFinding, RowFinding, TableFinding } from '../model/then-and-now.ts';
import { medianInterval } from '../stats/median-interval.ts';
import type { JudgedStudy, MeasuredSource, OwnSpot } from './measured.ts';
import { liesIn } from './places.ts';

/** A paper's tables, row by row beside our medians. */
export function compareTables(paper: Paper, source: MeasuredSource, study: JudgedStudy): readonly TableFinding[] {
  return paper.tables.map(({ title, where, labels, columns, rows }: PublishedTable) => ({
    title,
    where,
    labels,
    columns: columns.map(({ title: own, decimals }) => ({ title: own, decimals })),
    rows: rows.map((row) => compareRow(row, columns, source, study)),
  }));
}

function compareRow(
  { labels, place, arm, figures }: PublishedRow,
  columns: readonly PublishedColumn[],
  source: MeasuredSource,
  study: JudgedStudy,
): RowFinding {
  const spot = source.spots.find((each) => liesIn(each, place) && each.arms.has(arm));
  if (!spot) return { labels, cells: figures.map((published) => ({ published })) };
  return {
    labels,
    condition: spot.condition,
    arm: spot.arms.get(arm)!,
    cells: columns.map(
      (column, index): CellFinding => ({
        published: figures[index]!,
        ...medianOf(valuesOf(spot, arm, column, { source, study }), column, source.isFixed([spot])),
      }),
    ),
  };
}

interface Measurements {
  readonly source: MeasuredSource;
  readonly study: JudgedStudy;
}

function valuesOf(spot: OwnSpot, arm: string, { figure }: PublishedColumn, { source, study }: Measurements): number[] {
  if (figure === 'lighthouse')
    return study.scores.flatMap(({ condition, arm: own, score }) =>
      condition === spot.condition && own === spot.arms.get(arm) && score.status === 'ok' ? [100 * score.score] : [],
    );
  return Array.from({ length: source.blocksOf(spot) }, (_, block) => source.valueOf(spot, arm, figure, block)).filter(
    (value) => value !== undefined,
  );
}

/** In the paper's unit; without an interval where loads are too few for one. */
function medianOf(
  values: readonly number[],
  { unit, figure }: PublishedColumn,
  fixed: boolean,
): Partial<Pick<CellFinding, 'measured' | 'interval' | 'loads'>> {
  if (values.length === 0) return {};
  // How often Lighthouse runs is always fixed beforehand.
  const sampling = samplingOf({ isFixed: fixed || figure === 'lighthouse' });
  const { estimate, low, high } = medianInterval(values, (1 - CONFIDENCE) / 2, sampling);
  const isBounded =
    low > Number.NEGATIVE_INFINITY && high >= low && (high < Number.POSITIVE_INFINITY || estimate === high);
  return {
    measured: estimate / unit,
    loads: values.length,
    interval: isBounded ? [low / unit, high / unit] : undefined,
  };
}

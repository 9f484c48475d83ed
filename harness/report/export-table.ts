import type { Figure } from '../store/figures.ts';

/** What stands in a column of an exported table; undefined where there is nothing. */
export type Cell = string | number | boolean | undefined;

/** A column as programs, and people who look it up, see it. */
export interface ExportColumn extends Pick<Figure, 'unit' | 'says'> {
  readonly name: string;
  readonly kind: Figure['kind'] | 'text';
}

/** A table for other programs. Its rows are made while they are asked for: there may be a hundred thousand. */
export interface ExportTable {
  readonly name: string;
  /** What one row is. */
  readonly says: string;
  readonly columns: readonly ExportColumn[];
  readonly rows: () => Iterable<readonly Cell[]>;
}

/** A column, and where a row has it. */
export interface ColumnOf<Row> extends ExportColumn {
  readonly cell: (row: Row) => Cell;
}

/** The table of these columns over these things. */
export function tableOf<Row>(
  about: Pick<ExportTable, 'name' | 'says'>,
  columns: readonly ColumnOf<Row>[],
  things: () => Iterable<Row>,
): ExportTable {
  return {
    ...about,
    columns,
    *rows() {
      for (const thing of things()) yield columns.map(({ cell }) => cell(thing));
    },
  };
}

/** So many rows are written at once. */
const BATCH_ROWS = 5_000;

/** A table's rows, some thousands at a time. */
export function* batchesOf({ rows }: ExportTable): Generator<readonly (readonly Cell[])[]> {
  let batch: (readonly Cell[])[] = [];
  for (const row of rows()) {
    batch.push(row);
    if (batch.length < BATCH_ROWS) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

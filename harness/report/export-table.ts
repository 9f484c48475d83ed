import type { Figure } from '../store/figures.ts';

/** What stands in a column of an exported table; undefined where there is nothing. */
export type ExportCell = string | number | boolean | undefined;

/** One row, column by column. */
export type Row = readonly ExportCell[];

/** A column, as programs read it and as people look it up. */
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
  readonly rows: () => Iterable<Row>;
}

/** A column of a table of such things, and where a thing has it. */
export interface ColumnOf<Thing> extends ExportColumn {
  readonly cell: (thing: Thing) => ExportCell;
}

type Head = readonly [name: string, kind: ExportColumn['kind'], unit?: ExportColumn['unit']];

/** A short way to write a column. */
export function column<Thing>(
  [name, kind, unit]: Head,
  says: string,
  cell: (thing: Thing) => ExportCell,
): ColumnOf<Thing> {
  return { name, kind, unit, says, cell };
}

/** The table of these columns over these things. */
export function exportTableOf<Thing>(
  about: Pick<ExportTable, 'name' | 'says'>,
  columns: readonly ColumnOf<Thing>[],
  things: () => Iterable<Thing>,
): ExportTable {
  return {
    ...about,
    columns,
    *rows() {
      for (const thing of things()) yield columns.map(({ cell }) => cell(thing));
    },
  };
}

/** Writes a table down in some format. */
export interface TableWriter {
  /** Writes the next rows. */
  add(rows: readonly Row[]): void;
  finish(): void;
}

/** How many rows are written at once. */
const BATCH_ROWS = 5_000;

/** Goes through a table once, for all writers. */
export function writeTable({ rows }: ExportTable, writers: readonly TableWriter[]): void {
  let batch: Row[] = [];
  const flush = () => {
    for (const writer of writers) writer.add(batch);
    batch = [];
  };
  for (const row of rows()) {
    batch.push(row);
    if (batch.length === BATCH_ROWS) flush();
  }
  if (batch.length > 0) flush();
  for (const writer of writers) writer.finish();
}

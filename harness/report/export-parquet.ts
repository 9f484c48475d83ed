import { type BasicType, fileWriter, ParquetWriter, schemaFromColumnData } from 'hyparquet-writer';
import type { ExportCell, ExportColumn, TableWriter } from './export-table.ts';

const TYPES: Readonly<Record<ExportColumn['kind'], BasicType>> = {
  text: 'STRING',
  number: 'DOUBLE',
  count: 'INT64',
  flag: 'BOOLEAN',
};

/** A Parquet file of such a table, with a row group for what is added at once. */
export function parquetWriter(columns: readonly ExportColumn[], path: string): TableWriter {
  const columnData = columns.map(({ name, kind }) => ({ name, type: TYPES[kind], data: [] }));
  const file = new ParquetWriter({ writer: fileWriter(path), schema: schemaFromColumnData({ columnData }) });
  // For a file it returns nothing that could be waited for.
  return {
    add(rows) {
      const data = ({ kind }: ExportColumn, index: number) => rows.map((row) => toParquet(row[index], kind));
      void file.write({
        columnData: columns.map((column, index) => ({ name: column.name, data: data(column, index) })),
        rowGroupSize: rows.length,
      });
    },
    finish: () => void file.finish(),
  };
}

function toParquet(cell: ExportCell, kind: ExportColumn['kind']): ExportCell | bigint {
  return kind === 'count' && cell !== undefined ? BigInt(cell) : cell;
}

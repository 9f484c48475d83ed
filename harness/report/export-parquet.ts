import { type BasicType, fileWriter, ParquetWriter, schemaFromColumnData } from 'hyparquet-writer';
import { batchesOf, type Cell, type ExportColumn, type ExportTable } from './export-table.ts';

const TYPES: Readonly<Record<ExportColumn['kind'], BasicType>> = {
  text: 'STRING',
  number: 'DOUBLE',
  count: 'INT64',
  flag: 'BOOLEAN',
};

/** Writes a table as a Parquet file, a row group at a time. */
export function writeParquet(table: ExportTable, path: string): void {
  const { columns } = table;
  const columnData = columns.map(({ name, kind }) => ({ name, type: TYPES[kind], data: [] }));
  const file = new ParquetWriter({ writer: fileWriter(path), schema: schemaFromColumnData({ columnData }) });
  for (const batch of batchesOf(table)) {
    const data = ({ kind }: ExportColumn, index: number) => batch.map((row) => toParquet(row[index], kind));
    // Of a file it returns nothing that could be waited for.
    void file.write({
      columnData: columns.map((column, index) => ({ name: column.name, data: data(column, index) })),
      rowGroupSize: batch.length,
    });
  }
  void file.finish();
}

function toParquet(cell: Cell, kind: ExportColumn['kind']): Cell | bigint {
  return kind === 'count' && cell !== undefined ? BigInt(cell) : cell;
}

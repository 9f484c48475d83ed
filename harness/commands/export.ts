import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { UsageError } from '../model/errors.ts';
import { exportTables } from '../report/export.ts';
import { writeParquet } from '../report/export-parquet.ts';
import type { ExportTable } from '../report/export-table.ts';
import { renderColumns, renderCsv, renderJson } from '../report/export-text.ts';
import { openStudy } from '../report/found.ts';
import type { StoreReader } from '../store/reading.ts';
import { writeAside, writePieces, writeWhole } from '../system/write-whole.ts';

/** How the tables are written. */
const TABLES = {
  csv: (table: ExportTable, path: string) => writePieces(path, renderCsv(table)),
  parquet: (table: ExportTable, path: string) => writeAside(path, (partial) => writeParquet(table, partial)),
  json: (table: ExportTable, path: string) => writePieces(path, renderJson(table)),
} as const;

const FORMATS = ['csv', 'parquet', 'json', 'har'] as const;

type Format = (typeof FORMATS)[number];

/** What `export` was asked for. */
export interface ExportRequest {
  /** The study's folder. */
  readonly folder: string;
  readonly to: string;
  readonly formats: readonly Format[];
}

/** Reads the options and the operand of `export`. */
export function parseExport(
  { to, format = FORMATS.join(',') }: { readonly to?: string; readonly format?: string },
  [folder = '.']: readonly string[],
): ExportRequest {
  const formats = format.split(',').map((name) => {
    const found = FORMATS.find((each) => each === name.trim());
    if (!found) throw new UsageError(`--format: no format '${name.trim()}'; allowed: ${FORMATS.join(', ')}`);
    return found;
  });
  return { folder: resolve(folder), to: resolve(to ?? join(folder, 'export')), formats };
}

/** `photofinish export`: what a study found, for other programs; the study may still be running. */
export async function exportStudy(
  { folder, to, formats }: ExportRequest,
  print: (line: string) => void,
): Promise<number> {
  using store = openStudy(folder);
  const tables = exportTables(store);
  writeWhole(join(to, 'columns.md'), renderColumns(tables));
  print(join(to, 'columns.md'));
  for (const format of formats) {
    if (format === 'har') {
      print(`${exportArchives(store, folder, to)} archives in ${join(to, 'har')}`);
      continue;
    }
    for (const table of tables) {
      const path = join(to, `${table.name}.${format}`);
      TABLES[format](table, path);
      print(path);
    }
  }
  return 0;
}

/** Unpacks the archives that the study's trials name, and that are still there; returns how many. */
function exportArchives(store: StoreReader, folder: string, to: string): number {
  const there = new Set(existsSync(join(folder, 'har')) ? readdirSync(join(folder, 'har')) : []);
  let count = 0;
  for (const { evidence } of there.size > 0 ? store.trials() : [])
    for (const name of evidence.map((file) => basename(file)).filter((each) => there.has(each))) {
      writeWhole(join(to, 'har', basename(name, '.gz')), gunzipSync(readFileSync(join(folder, 'har', name))));
      count += 1;
    }
  return count;
}

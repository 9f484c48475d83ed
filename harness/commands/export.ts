import { appendFileSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { EXIT } from '../model/exit-code.ts';
import type { Values } from '../model/option.ts';
import { exportTables } from '../report/export.ts';
import { parquetWriter } from '../report/export-parquet.ts';
import { type ExportColumn, type ExportTable, type TableWriter, writeTable } from '../report/export-table.ts';
import { csvWriter, jsonWriter, renderColumns } from '../report/export-text.ts';
import type { StoreReader } from '../store/reading.ts';
import { findName } from '../study/fields.ts';
import { openAside, writePrivate, writeWhole } from '../system/write-whole.ts';
import { type COMMANDS, FORMAT_NAMES } from './command-table.ts';
import { refuseLinks, withStudy } from './open-study.ts';

/** What writes a table's columns to the file of a path. */
const WRITERS: Readonly<Record<string, (columns: readonly ExportColumn[], path: string) => TableWriter>> = {
  csv: (columns, path) => csvWriter(columns, (text) => appendFileSync(path, text)),
  parquet: parquetWriter,
  json: (columns, path) => jsonWriter(columns, (text) => appendFileSync(path, text)),
};

/** What `export` was asked for. */
export interface ExportRequest {
  /** The study's folder. */
  readonly folder: string;
  readonly to: string;
  readonly formats: readonly string[];
}

/** Reads the options and the operand of `export`. */
export function parseExport(
  { to, format = FORMAT_NAMES.join(',') }: Values<typeof COMMANDS.export.options>,
  [folder]: readonly string[],
): ExportRequest {
  const formats = format.split(',').map((name) => findName('format', name.trim(), FORMAT_NAMES, '--format'));
  return { folder: resolve(folder!), to: resolve(to ?? join(folder!, 'export')), formats };
}

/** `photofinish export`: what a study found, for other programs; the study may still be running. */
export async function exportStudy(
  { folder, to, formats }: ExportRequest,
  print: (line: string) => void,
): Promise<number> {
  withStudy(folder, (store) => {
    refuseLinks(to, ['', 'har'], '--to');
    const tables = exportTables(store);
    writeWhole(join(to, 'columns.md'), renderColumns(tables));
    print(join(to, 'columns.md'));
    for (const table of tables) for (const path of exportTable(table, formats, to)) print(path);
    if (formats.includes('har')) print(`${exportArchives(store, folder, to)} archives in ${join(to, 'har')}`);
  });
  return EXIT.done;
}

/** Writes a table in all formats that a table may have; returns the files. */
function exportTable(table: ExportTable, formats: readonly string[], to: string): readonly string[] {
  using undo = new DisposableStack();
  const files = Object.entries(WRITERS)
    .filter(([format]) => formats.includes(format))
    .map(([format, open]) => {
      const path = join(to, `${table.name}.${format}`);
      const aside = undo.use(openAside(path));
      return { path, aside, writer: open(table.columns, aside.path) };
    });
  writeTable(
    table,
    files.map(({ writer }) => writer),
  );
  for (const { aside } of files) aside.keep();
  return files.map(({ path }) => path);
}

/** No load's archive comes near this; what a stranger has packed may be anything. */
const MOST_HAR_BYTES = 500_000_000;

/** Unpacks the archives that the study's trials name, and that are still there; returns how many. */
function exportArchives(store: StoreReader, folder: string, to: string): number {
  const entries = existsSync(join(folder, 'har')) ? readdirSync(join(folder, 'har'), { withFileTypes: true }) : [];
  const there = new Set(entries.filter((each) => each.isFile()).map(({ name }) => name));
  let count = 0;
  for (const { evidence } of there.size > 0 ? store.trials() : [])
    for (const name of evidence.map((file) => basename(file)).filter((each) => there.has(each))) {
      const har = gunzipSync(readFileSync(join(folder, 'har', name)), { maxOutputLength: MOST_HAR_BYTES });
      writePrivate(join(to, 'har', basename(name, '.gz')), har);
      count += 1;
    }
  return count;
}

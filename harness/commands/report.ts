import { join, resolve } from 'node:path';
import { renderFindings } from '../report/findings-text.ts';
import { openStudy, readFound } from '../report/found.ts';
import { type Summary, summarizeStudy } from '../report/summary.ts';
import type { StoreReader } from '../store/reading.ts';
import { writeWhole } from '../system/write-whole.ts';

/** Reads the operand of `report`: a study's folder. */
export function parseReport([folder]: readonly string[]): string {
  return resolve(folder!);
}

/** `photofinish report DIR`: sums a study up again, finished or not, from its store alone. */
export async function report(folder: string, print: (line: string) => void): Promise<number> {
  using store = openStudy(folder);
  const summary = writeReport(folder, store);
  print(renderFindings(summary));
  print(`\n${summaryFile(folder)}`);
  return 0;
}

/** Writes what there is to say of a study into its folder. */
export function writeReport(folder: string, store: StoreReader): Summary {
  const summary = summarizeStudy(readFound(store));
  writeWhole(summaryFile(folder), `${JSON.stringify(summary, undefined, 2)}\n`);
  return summary;
}

/** The findings for programs. */
export function summaryFile(folder: string): string {
  return join(folder, 'summary.json');
}

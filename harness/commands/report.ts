import { join, resolve } from 'node:path';
import { type Summary, summarizeStudy } from '../findings/summary.ts';
import { EXIT } from '../model/exit-code.ts';
import type { Values } from '../model/option.ts';
import { type FindingsContext, renderFindings } from '../report/findings-text.ts';
import { nextSteps } from '../report/next-steps.ts';
import { renderPage } from '../report/page.ts';
import { bundlePage } from '../report/page-bundle.ts';
import { buildPage, readPageSource } from '../report/view-model.ts';
import type { StoreReader } from '../store/reading.ts';
import { writeWhole } from '../system/write-whole.ts';
import { commandAgain, studyWords } from './command-again.ts';
import type { COMMANDS } from './command-table.ts';
import { withStudy } from './open-study.ts';
import { parsePort } from './port.ts';

/** What `report` was asked for. */
export interface ReportRequest {
  /** The study's folder. */
  readonly folder: string;
  /** The port to show the report at, 0 for a free one; absent: the report is written to a file. */
  readonly port?: number | undefined;
}

/** Reads the operand and the options of `report`. */
export function parseReport(
  { serve }: Values<typeof COMMANDS.report.options>,
  [folder]: readonly string[],
): ReportRequest {
  return { folder: resolve(folder!), port: serve === undefined ? undefined : parsePort('--serve', serve) };
}

/** `photofinish report DIR`: sums a study up again, finished or not, from its store alone; or shows it as it goes on. */
export async function report({ folder, port }: ReportRequest, print: (line: string) => void): Promise<number> {
  if (port !== undefined) {
    // No other command has any use for a server.
    const { serveStudy } = await import('./serve.ts');
    return serveStudy(folder, port, print);
  }
  withStudy(folder, (store) => {
    print(renderFindings(...writeReport(folder, store)));
  });
  return EXIT.done;
}

/** Writes what there is to say of a study into its folder, for programs and for people; the terminal says the rest. */
export function writeReport(folder: string, store: StoreReader): readonly [Summary, FindingsContext] {
  const { study } = store.readStudy()!;
  const source = readPageSource(store);
  const summary = summarizeStudy(source.found);
  const next = nextSteps(summary, studyWords(folder, study));
  writeWhole(summaryFile(folder), `${JSON.stringify(summary, undefined, 2)}\n`);
  const page = buildPage(source, summary, { again: commandAgain(study), next });
  writeWhole(pageFile(folder), renderPage(page, bundlePage()));
  return [summary, { page: pageFile(folder), next }];
}

/** The findings for programs. */
export function summaryFile(folder: string): string {
  return join(folder, 'summary.json');
}

/** The findings for people. */
export function pageFile(folder: string): string {
  return join(folder, 'report.html');
}

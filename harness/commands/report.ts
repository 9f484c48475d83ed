import { join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Study } from '../model/study.ts';
import { renderFindings } from '../report/findings-text.ts';
import { openStudy } from '../report/found.ts';
import { renderPage } from '../report/page.ts';
import { bundlePage } from '../report/page-bundle.ts';
import { type Summary, summarizeStudy } from '../report/summary.ts';
import { type Again, buildPage, readPageSource } from '../report/view-model.ts';
import type { StoreReader } from '../store/reading.ts';
import { type StudyFlags, studyFromFlags } from '../study/flags.ts';
import { renderLink } from '../study/link-text.ts';
import { writeWhole } from '../system/write-whole.ts';
import { RULES } from '../verdict/rules.ts';
import { studySources } from './sources.ts';

/** Reads the operand of `report`: a study's folder. */
export function parseReport([folder]: readonly string[]): string {
  return resolve(folder!);
}

/** `photofinish report DIR`: sums a study up again, finished or not, from its store alone. */
export async function report(folder: string, print: (line: string) => void): Promise<number> {
  using store = openStudy(folder);
  const summary = writeReport(folder, store);
  print(renderFindings(summary));
  print(`\n${pageFile(folder)}`);
  return 0;
}

/** Writes what there is to say of a study into its folder, for programs and for people. */
export function writeReport(folder: string, store: StoreReader): Summary {
  const source = readPageSource(store);
  const summary = summarizeStudy(source.found);
  writeWhole(summaryFile(folder), `${JSON.stringify(summary, undefined, 2)}\n`);
  const page = buildPage(source, summary, commandAgain(store.readStudy()!.study));
  writeWhole(pageFile(folder), renderPage(page, bundlePage()));
  return summary;
}

/** The findings for programs. */
export function summaryFile(folder: string): string {
  return join(folder, 'summary.json');
}

/** The findings for people. */
export function pageFile(folder: string): string {
  return join(folder, 'report.html');
}

/** The shortest options that ask for the same study; where none do, its name, which needs the file it came from. */
export function commandAgain(study: Study): Again {
  const { name } = study;
  const seed = `${study.seed}`;
  const candidates: StudyFlags[] = [
    ...[{ study: name }, { study: name, quick: true }].flatMap((flags) => [
      { ...flags, seed },
      { ...flags, ...overrides(study), seed },
    ]),
    { ...spelledOut(study), seed },
    { ...spelledOut(study), study: name, seed },
  ];
  const found = candidates.find((flags) => asksFor(flags, study));
  const command = (flags: StudyFlags) => ['npm run measure --', ...Object.entries(flags).flatMap(written)].join(' ');
  if (found) return { command: command(found) };
  return { command: command({ study: `${name}.yaml`, seed }), needs: 'the file that describes the study' };
}

/** What is most often said beside a study's name. */
function overrides({ stopping, rule, metric, device }: Study): StudyFlags {
  return {
    ...(stopping.kind === 'exactly' ? { exactly: `${stopping.blocks}` } : { blocks: `${stopping.cap}` }),
    ...(isDeepStrictEqual(rule, RULES.default) ? {} : { rule: 'kramer2015' }),
    ...(metric === 'plt' ? {} : { metric }),
    ...(device === 'desktop' ? {} : { device }),
  };
}

/** All that options can say of a study of one grid. */
function spelledOut(study: Study): StudyFlags {
  const { grids, arms, lighthouse, atOnce, timeoutMs, mix } = study;
  const [grid] = grids;
  if (!grid) return {};
  const isDefault = (values: readonly string[], value: string) => values.length === 1 && values[0] === value;
  return {
    site: grid.sites,
    link: grid.links.map((link) => (link.source === undefined ? renderLink(link) : link.name)),
    ...(isDefault(grid.servers, 'nginx') ? {} : { server: grid.servers }),
    ...(isDefault(grid.visits, 'cold') ? {} : { visit: grid.visits }),
    arms: arms.map(({ name }) => name).join(','),
    ...overrides(study),
    ...(lighthouse === 0 ? {} : { lighthouse: `${lighthouse}` }),
    ...(atOnce === undefined ? {} : { 'at-once': `${atOnce}` }),
    ...(timeoutMs === undefined ? {} : { timeout: `${timeoutMs / 1000}` }),
    ...(mix === undefined
      ? {}
      : {
          mix: Object.entries(mix)
            .map((share) => share.join('='))
            .join(','),
        }),
  };
}

function asksFor(flags: StudyFlags, study: Study): boolean {
  try {
    return isDeepStrictEqual(plain(studyFromFlags(flags, studySources()).study), plain(study));
  } catch {
    return false; // It was made of what is not here.
  }
}

/** As the store keeps it. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

function written([option, value]: readonly [string, string | boolean | readonly string[]]): string[] {
  if (value === true) return [`--${option}`];
  return [value].flat().map((each) => `--${option} ${quoted(`${each}`)}`);
}

/** As a shell must be told. */
export function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

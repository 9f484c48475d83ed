import { relative } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { RULES } from '../comparison/rules.ts';
import type { Study } from '../model/study.ts';
import type { Again } from '../report/view-model.ts';
import { type StudyFlags, studyFromFlags } from '../study/flags.ts';
import { renderLink } from '../study/link-text.ts';
import { servedByDefault } from '../study/resolve.ts';
import { studySources } from './sources.ts';

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

/** The command that continues the study in a folder. */
export function commandToGoOn(folder: string): string {
  const near = relative(process.cwd(), folder);
  return `npm run measure -- --out ${quoted(near === '' || near.startsWith('..') ? folder : near)}`;
}

/** What is most often said beside a study's name. */
function overrides({ stopping, arms, served, rule, metric, device, har }: Study): StudyFlags {
  return {
    ...(stopping.kind === 'exactly' ? { exactly: `${stopping.blocks}` } : { blocks: `${stopping.cap}` }),
    ...(stopping.kind === 'early' && stopping.until === 'proven' ? { until: stopping.until } : {}),
    ...(served === servedByDefault(arms.map(({ name }) => name)) ? {} : { served }),
    ...(isDeepStrictEqual(rule, RULES.default) ? {} : { rule: 'kramer2015' }),
    ...(metric === 'plt' ? {} : { metric }),
    ...(device === 'desktop' ? {} : { device }),
    ...(har && { har }),
  };
}

/** All that options can say of a study of one grid. */
function spelledOut(study: Study): StudyFlags {
  const { grids, arms, lighthouse, timeoutMs, mix, allOrigins, thinkTimes, insecure, resolve, places = {} } = study;
  const [grid] = grids;
  if (!grid) return {};
  const isDefault = (values: readonly string[], value: string) => values.length === 1 && values[0] === value;
  return {
    site: grid.sites.map((name) => places[name] ?? name),
    link: grid.links.map((link) => (link.source === undefined ? renderLink(link) : link.name)),
    ...(isDefault(grid.servers, 'nginx') ? {} : { server: grid.servers }),
    ...(isDefault(grid.visits, 'cold') ? {} : { visit: grid.visits }),
    arms: arms.map(({ name }) => name).join(','),
    ...overrides(study),
    ...(lighthouse === 0 ? {} : { lighthouse: `${lighthouse}` }),
    ...(timeoutMs === undefined ? {} : { timeout: `${timeoutMs / 1000}` }),
    ...(insecure && { insecure: true }),
    ...(resolve && { resolve }),
    ...(allOrigins && { 'all-origins': true }),
    ...(thinkTimes === false && { 'no-think-times': true }),
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
function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

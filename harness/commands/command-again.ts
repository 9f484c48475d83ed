import { relative } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { RECIPES } from '../../sites/recipes.ts';
import { DEFAULT_DEVICE } from '../model/device.ts';
import { isAddress } from '../model/remote.ts';
import type { Study } from '../model/study.ts';
import type { StudyWords } from '../report/next-steps.ts';
import type { Again } from '../report/view-model.ts';
import { studyFromFlags } from '../study/flags.ts';
import { SETTERS, type StudyFlags } from '../study/study-options.ts';
import { studySources } from './sources.ts';

/** The shortest options that ask for the same study. Where no options do, its name, which needs the file it came from. */
export function commandAgain(study: Study): Again {
  const { name } = study;
  const all = Object.fromEntries(
    SETTERS.flatMap((option) => {
      const value = option.write?.(study);
      return value === undefined ? [] : [[option.name, value]];
    }),
  ) as StudyFlags;
  const { seed, ...others } = all;
  const shortestOver = (base: StudyFlags): string | undefined =>
    [others, {}]
      // A study of several grids has no pages and links of its own, but may be one that has a name.
      .map((overrides): StudyFlags => ({ ...base, ...overrides, seed: seed! }))
      .filter((flags) => asksFor(flags, study))
      .map((flags) => write(shortened(flags, study)))
      .toSorted((one, other) => one.length - other.length)[0];
  const named = [{ study: name }, { study: name, quick: true }].flatMap((base) => shortestOver(base) ?? []);
  const command = named.toSorted((one, other) => one.length - other.length)[0] ?? shortestOver({});
  if (command !== undefined) return { command };
  return { command: write({ study: `${name}.yaml`, seed: seed! }), needs: 'the file that describes the study' };
}

/** The options without those that change nothing. The study's name stays, since the default may change. */
function shortened(flags: StudyFlags, study: Study): StudyFlags {
  return (Object.keys(flags) as (keyof StudyFlags)[])
    .filter((option) => option !== 'study' && option !== 'seed')
    .reduce((kept, option) => {
      const { [option]: _, ...without } = kept;
      return asksFor(without, study) ? without : kept;
    }, flags);
}

function write(flags: StudyFlags): string {
  return ['npm run measure --', ...Object.entries(flags).flatMap(written)].join(' ');
}

/** The command that continues the study in a folder. */
export function commandToGoOn(folder: string): string {
  return `npm run measure -- --out ${quoted(nearby(folder))}`;
}

/** What commands that follow on a study say of it. */
export function studyWords(folder: string, { grids, places = {}, arms, device }: Study): StudyWords {
  const pages = [...new Set(grids.flatMap(({ sites }) => sites))].filter((name) => !Object.hasOwn(RECIPES, name));
  const address = pages.find(isAddress);
  const hasH3 = arms.some(({ protocol }) => protocol === 'h3');
  return {
    goOn: commandToGoOn(folder),
    folder: quoted(nearby(folder)),
    ownPages: pages
      .map((name) => quoted(places[name] === undefined ? name : nearby(places[name]).replace(/^(?!\/)/, './')))
      .map((page) => `--site ${page}`)
      .join(' '),
    device: device !== DEFAULT_DEVICE ? `--device ${device}` : undefined,
    withoutH3: address !== undefined && !hasH3 ? quoted(address) : undefined,
  };
}

/** A path below the current folder as one writes it there; any other in full. */
function nearby(path: string): string {
  const near = relative(process.cwd(), path);
  return near === '' || near.startsWith('..') ? path : near;
}

function asksFor(flags: StudyFlags, study: Study): boolean {
  try {
    return isDeepStrictEqual(plain(studyFromFlags(flags, studySources()).study), plain(study));
  } catch {
    return false; // The study was made of something that is not here.
  }
}

/** A value as the store keeps it. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

function written([option, value]: readonly [string, string | boolean | readonly string[]]): string[] {
  if (value === true) return [`--${option}`];
  return [value].flat().map((each) => `--${option} ${quoted(`${each}`)}`);
}

/** A text quoted for a shell, where it must be. */
function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

import { UsageError } from '../model/errors.ts';
import type { Arm, Study } from '../model/study.ts';
import { parseMix } from './mix.ts';
import { mixOffered } from './offers.ts';
import { type AskedStudy, resolveStudy } from './resolve.ts';
import { readFile, type StudySources } from './sources.ts';
import { parseStudyFile, type StudyFile } from './study-file.ts';
import { parseArms, SETTERS, type StudyFlags } from './study-options.ts';
import { unknownName } from './unknown-name.ts';
import { lay, type StudyWish } from './wish.ts';

export type { StudyFlags };

/** The study that the options ask for: a preset or a file, what the options say laid over it, and every default. */
export function studyFromFlags(flags: StudyFlags, sources: StudySources, base = baseOf(flags, sources)): AskedStudy {
  const { named, whole, quick } = base;
  if (flags.quick && !quick) throw new UsageError(`--quick: study "${named}" has no quick form. Leave --quick out`);
  const below = flags.quick && quick ? lay(whole, quick) : whole;
  const { arms = [] } = below.wish;
  const asked = lay(below, {
    wish: wishOf(flags, arms, sources),
    place: ([key]) => OPTIONS[String(key)] ?? '--study',
  });
  return resolveStudy(asked, sources, named);
}

/** A study that was begun, with what the options say laid over it: its pages and links too, where they say none. */
export function studyOverBegun(begun: Study, flags: StudyFlags, sources: StudySources): AskedStudy {
  const { stopping, mix, served, ...kept } = begun;
  const blocks =
    stopping.kind === 'exactly' ? { exactly: stopping.blocks } : { blocks: stopping.cap, until: stopping.until };
  const arms = flags.arms === undefined ? begun.arms : parseArms(flags.arms, { arms: begun.arms });
  const stillServed = arms.some(({ name }) => name === served);
  const wish: StudyWish = { ...kept, ...blocks, served: stillServed ? served : undefined };
  const asked = studyFromFlags(flags, sources, { named: begun.name, whole: { wish, place: () => '--out' } });
  if (!mix || flags.mix) return asked;
  const { grids, offered } = asked.study;
  const links = grids.flatMap((grid) => grid.links);
  const isReckoned = offered && flags['without-udp'] !== undefined;
  return { ...asked, study: { ...asked.study, mix: isReckoned ? mixOffered(links, offered, mix) : mix } };
}

/** A preset by its name. */
export function findPreset(name: string, sources: StudySources): StudyFile {
  return parseStudyFile(sources.readPreset(name), `${name}.yaml`, sources);
}

/** Which option sets a key of a wish, for messages. */
const OPTIONS = Object.fromEntries(SETTERS.map(({ name, sets }) => [sets, `--${name}`]));

const DEFAULT_STUDY = 'today';
/** What a study of pages or links of one's own is called. */
const CUSTOM = 'custom';

/** What lies below the options. */
function baseOf(flags: StudyFlags, sources: StudySources): StudyFile {
  const { study, site, link } = flags;
  if (study === undefined && link) return customLinks();
  if (study === undefined && site) return customPage(flags, sources);
  if (study === undefined) return findPreset(DEFAULT_STUDY, sources);
  if (sources.presets.includes(study)) return findPreset(study, sources);
  if (/[/.]/.test(study)) return parseStudyFile(readFile(study, sources, '--study'), study, sources);
  throw unknownName(study, {
    where: '--study',
    what: 'study',
    known: sources.presets,
    expected: 'a file such as ./my.yaml, or a name',
    see: 'npx photofinish list studies',
  });
}

/** Links that were named are measured with the page of the smallest study, unless a page was named too. */
function customLinks(): StudyFile {
  return { named: CUSTOM, whole: { wish: { sites: ['many-small'] }, place: () => '--link' } };
}

/**
 * A page that was named without a link is measured over those of the visitors' mix, or of the default study, with the number
 * of blocks and the budget of that study.
 */
function customPage({ mix }: StudyFlags, sources: StudySources): StudyFile {
  const { links, blocks, budgetMs } = findPreset(DEFAULT_STUDY, sources).whole.wish;
  const ofVisitors = mix === undefined ? links : parseMix(mix, sources).shares.map(({ link }) => link);
  return { named: CUSTOM, whole: { wish: { links: ofVisitors, blocks, budgetMs }, place: () => '--site' } };
}

/** What the options say, and nothing else. */
function wishOf(flags: StudyFlags, arms: readonly Arm[], sources: StudySources): StudyWish {
  for (const other of ['blocks', 'until'] as const)
    if (flags.exactly !== undefined && flags[other] !== undefined)
      throw new UsageError(`--exactly: cannot be combined with --${other}. Expected: one of them`);
  if (flags.offers !== undefined && flags.arms !== undefined)
    throw new UsageError('--offers: cannot be combined with --arms. Expected: one of them');
  const given = SETTERS.filter(({ name }) => flags[name] !== undefined);
  return Object.fromEntries(given.map(({ name, sets, read }) => [sets, read(flags[name] as never, { sources, arms })]));
}

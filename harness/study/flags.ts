import { RULE_NAMES, RULES } from '../comparison/rules.ts';
import { VISITS } from '../model/arm.ts';
import { UNTIL } from '../model/comparison.ts';
import { DEVICE_NAMES } from '../model/device.ts';
import { UsageError } from '../model/errors.ts';
import type { Link } from '../model/link.ts';
import { type Arm, HARS, METRICS, type Study } from '../model/study.ts';
import { parseArm } from './arms.ts';
import { findName, namedTwice } from './fields.ts';
import { type LinkSources, parseLink } from './link.ts';
import { renderLink } from './link-text.ts';
import { parseMix } from './mix.ts';
import { nearest } from './nearest.ts';
import { shortened } from './place.ts';
import { parseWholeNumber, refused } from './quantity.ts';
import { type AskedStudy, resolveStudy } from './resolve.ts';
import { parseResolve } from './resolve-name.ts';
import { requireSite } from './site-name.ts';
import { readFile, type StudySources } from './sources.ts';
import { parseStudyFile, type StudyFile } from './study-file.ts';
import { BLOCKS, BUDGET_MIN, LIGHTHOUSE, SEED, TIMEOUT_S } from './study-schema.ts';
import { lay, type StudyWish } from './wish.ts';

/** The options of `measure` that make a study, as they were written. */
export interface StudyFlags {
  readonly study?: string;
  readonly quick?: boolean;
  readonly site?: readonly string[];
  readonly link?: readonly string[];
  readonly server?: readonly string[];
  readonly visit?: readonly string[];
  readonly arms?: string;
  readonly device?: string;
  readonly rule?: string;
  readonly metric?: string;
  readonly blocks?: string;
  readonly exactly?: string;
  readonly until?: string;
  readonly served?: string;
  readonly lighthouse?: string;
  readonly seed?: string;
  readonly timeout?: string;
  readonly budget?: string;
  readonly mix?: string;
  readonly insecure?: boolean;
  readonly resolve?: readonly string[];
  readonly 'all-origins'?: boolean;
  readonly 'no-think-times'?: boolean;
  readonly har?: string;
}

/** The study that the options ask for: a preset or a file, what the options say laid over it, and every default. */
export function studyFromFlags(flags: StudyFlags, sources: StudySources, base = baseOf(flags, sources)): AskedStudy {
  const { named, whole, quick } = base;
  if (flags.quick && !quick)
    throw new UsageError(`--quick: study '${named}' has no quick form; allowed: without --quick`);
  const below = flags.quick && quick ? lay(whole, quick) : whole;
  const { arms = [] } = below.wish;
  const asked = lay(below, {
    wish: wishOf(flags, arms, sources),
    place: ([key]) => OPTIONS[key as keyof StudyWish] ?? '--study',
  });
  return resolveStudy(asked, sources, named);
}

/** A study that was begun, with what the options say laid over it: its pages and links too, where they say none. */
export function studyOverBegun(begun: Study, flags: StudyFlags, sources: StudySources): AskedStudy {
  const { stopping, mix, served, ...kept } = begun;
  const blocks =
    stopping.kind === 'exactly' ? { exactly: stopping.blocks } : { blocks: stopping.cap, until: stopping.until };
  const arms = flags.arms === undefined ? begun.arms : parseArms(flags.arms, begun.arms);
  const stillServed = arms.some(({ name }) => name === served);
  const wish: StudyWish = { ...kept, ...blocks, ...(stillServed && { served }) };
  const asked = studyFromFlags(flags, sources, { named: begun.name, whole: { wish, place: () => '--out' } });
  return mix && !flags.mix ? { ...asked, study: { ...asked.study, mix } } : asked;
}

/** A preset by its name. */
export function findPreset(name: string, sources: StudySources): StudyFile {
  return parseStudyFile(sources.readPreset(name), `${name}.yaml`, sources);
}

/** Where a wish's keys stand. */
const OPTIONS: Readonly<Partial<Record<keyof StudyWish, string>>> = {
  ...{ sites: '--site', links: '--link', servers: '--server', visits: '--visit', arms: '--arms', mix: '--mix' },
  ...{ until: '--until', served: '--served' },
};

const DEFAULT_STUDY = 'today';

/** What lies below the options. */
function baseOf({ study, site, link }: StudyFlags, sources: StudySources): StudyFile {
  if (study === undefined) return site || link ? custom(sources) : findPreset(DEFAULT_STUDY, sources);
  if (sources.presets.includes(study)) return findPreset(study, sources);
  if (/[/.]/.test(study)) return parseStudyFile(readFile(study, sources, '--study'), study, sources);
  const meant = nearest(study, sources.presets);
  const perhaps = meant === undefined ? '' : `, perhaps '${meant}'`;
  const allowed = `${sources.presets.join(', ')}, or a file, as in my.yaml`;
  throw new UsageError(`--study: no study '${shortened(study)}'${perhaps}; allowed: ${allowed}`);
}

/** A page or a link of one's own: over the link, and with the page, of the smallest study. */
function custom(sources: LinkSources): StudyFile {
  const wish = { sites: ['many-small'], links: [parseLink('rate=10mbit,rtt=40ms', sources)] };
  return { named: 'custom', whole: { wish, place: () => '--site' } };
}

/** What the options say, and nothing else. */
function wishOf(flags: StudyFlags, arms: readonly Arm[], sources: StudySources): StudyWish {
  if (flags.blocks !== undefined && flags.exactly !== undefined)
    throw new UsageError('--exactly: will not do beside --blocks; allowed: one of them');
  if (flags.until !== undefined && flags.exactly !== undefined)
    throw new UsageError('--until: cannot be combined with --exactly; allowed: one of them');
  const wish: { readonly [Key in keyof StudyWish]: StudyWish[Key] | undefined } = {
    sites: names('--site', flags.site, (name) => requireSite(name, sources, '--site')),
    links: flags.link && parseLinks(flags.link, sources),
    servers: names('--server', flags.server, (name) => findName('server', name, sources.servers, '--server')),
    visits: names('--visit', flags.visit, (name) => oneOf('--visit', name, VISITS)),
    arms: given(flags.arms, (text) => parseArms(text, arms)),
    device: given(flags.device, (name) => oneOf('--device', name, DEVICE_NAMES)),
    rule: given(flags.rule, (name) => RULES[oneOf('--rule', name, RULE_NAMES)]),
    metric: given(flags.metric, (name) => oneOf('--metric', name, METRICS)),
    blocks: number('--blocks', flags.blocks, BLOCKS),
    exactly: number('--exactly', flags.exactly, BLOCKS),
    until: given(flags.until, (name) => oneOf('--until', name, UNTIL)),
    served: flags.served,
    lighthouse: number('--lighthouse', flags.lighthouse, LIGHTHOUSE),
    seed: number('--seed', flags.seed, SEED),
    timeoutMs: given(number('--timeout', flags.timeout, TIMEOUT_S), (seconds) => 1_000 * seconds),
    mix: given(flags.mix, (text) => parseMix(text, sources)),
    insecure: flags.insecure,
    resolve: flags.resolve?.map((text) => {
      parseResolve(text);
      return text;
    }),
    allOrigins: flags['all-origins'],
    thinkTimes: flags['no-think-times'] ? false : undefined,
    har: given(flags.har, (name) => oneOf('--har', name, HARS)),
  };
  const said = Object.fromEntries(Object.entries(wish).filter(([, value]) => value !== undefined));
  return { ...said, ...parseBudget(flags.budget) };
}

function given<Value, Made>(value: Value | undefined, make: (value: Value) => Made): Made | undefined {
  return value === undefined ? undefined : make(value);
}

function names<Name extends string>(
  option: string,
  written: readonly string[] | undefined,
  read: (name: string) => Name,
): readonly Name[] | undefined {
  return written && once(option, written.map(read));
}

function once<Name extends string>(option: string, each: readonly Name[]): readonly Name[] {
  const twice = each.find((name, index) => each.indexOf(name) !== index);
  if (twice !== undefined) throw new UsageError(`${option}: ${namedTwice(twice)}`);
  return each;
}

function oneOf<const Name extends string>(option: string, name: string, known: readonly Name[]): Name {
  const found = known.find((each) => each === name);
  if (found !== undefined) return found;
  throw new UsageError(`${option}: no '${shortened(name)}'; allowed: ${known.join(', ')}`);
}

function number(option: string, text: string | undefined, [low, high]: readonly [number, number]): number | undefined {
  return given(text, (written) => parseWholeNumber(option, written, low, high));
}

/** What `--budget` says, in minutes; nothing where it was not given. */
export function parseBudget(text: string | undefined): { readonly budgetMs?: number } {
  if (text === undefined) return {};
  const [low, high] = BUDGET_MIN;
  const minutes = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (minutes >= low && minutes <= high) return { budgetMs: 60_000 * minutes };
  throw refused(text, { where: '--budget', allowed: `${low} to ${high} minutes` }, 'no number in range');
}

function parseLinks(texts: readonly string[], sources: LinkSources): readonly Link[] {
  const links = texts.map((text) => parseLink(text, sources));
  once('--link', links.map(renderLink)); // However each was written.
  return links;
}

/** Protocols, and arms that the study has, by name. */
function parseArms(text: string, arms: readonly Arm[]): readonly Arm[] {
  const each = once(
    '--arms',
    text.split(',').map((name) => name.trim()),
  );
  return each.map((name) => arms.find((arm) => arm.name === name) ?? parseArm(name, '--arms'));
}

import { z } from 'zod';
import type { Mix } from '../model/advice.ts';
import { UsageError } from '../model/errors.ts';
import type { Link } from '../model/link.ts';
import { addProblem, attempt, namedTwice, reading, text } from './fields.ts';
import { type LinkSources, parseLink } from './link.ts';
import { renderLink } from './link-text.ts';
import { NAMED_MIXES } from './named-mixes.ts';
import { type FieldPlace, shortened } from './place.ts';
import type { Expectation } from './quantity.ts';
import { readFile } from './sources.ts';
import { unknownName } from './unknown-name.ts';
import { validate } from './validate.ts';
import { readYaml } from './yaml.ts';

/** Shares of the traffic by link, as they were asked for. */
export interface MixWish {
  /** The name of the mix, where it has one. */
  readonly named?: string;
  readonly shares: readonly MixShare[];
}

interface MixShare {
  /** The link as the user wrote it. */
  readonly key: string;
  readonly link: Link;
  readonly share: number;
}

const SHARE_ALLOWED = 'a share above 0, as in 60 or 60%';

const MIX_NAMES = Object.keys(NAMED_MIXES);
const OPTION_ALLOWED = 'a name, a file such as ./mix.yaml, or shares of links such as 4g=60,cable=30';
const MAPPING = 'a mapping of links to shares, as in {4g: 60, cable: 30}';

/** A mapping of links to shares, or the name of a mix. */
export function mixField(sources: LinkSources) {
  const error = `${MAPPING}, or one of ${MIX_NAMES.join(', ')}`;
  const named = reading(text(error), (name, where) => findMix(name, { where, allowed: error }, sources));
  return z.union([named, sharesField(sources, error)], { error });
}

function sharesField(sources: LinkSources, error = MAPPING) {
  const share = z.union([z.number(), z.string()], { error: SHARE_ALLOWED });
  return z.record(z.string(), share, { error }).transform((shares, context): MixWish => {
    const read = Object.entries(shares).map(([key, written]) => {
      const { read: found, refused } = attempt((where) => readShare(key, `${written}`, where, sources));
      if (refused !== undefined) addProblem(context, refused, [key]);
      return found;
    });
    const mix = read.filter((each) => each !== undefined);
    const twice = findTwice(mix);
    if (twice) addProblem(context, namedTwice(renderLink(twice.link)), [twice.key]);
    if (read.length === 0) addProblem(context, `empty. Expected: ${error}`);
    return { shares: mix };
  });
}

/** The mix of `--mix`: in the option itself, by its name, or in a file in YAML or JSON. */
export function parseMix(text: string, sources: LinkSources, where = '--mix'): MixWish {
  if (Object.hasOwn(NAMED_MIXES, text) || !/[=/.]/.test(text))
    return findMix(text, { where, allowed: OPTION_ALLOWED }, sources);
  if (!text.includes('=')) return parseMixFile(text, sources, where);
  const shares = text.split(',').map((part) => {
    const [, key, share] = /^(.+)=([^=]+)$/s.exec(part.trim()) ?? [];
    if (key !== undefined && share !== undefined) return readShare(key.trim(), share.trim(), where, sources);
    const allowed = 'links with their shares, as in 4g=60,cable=30, or a file of them';
    throw new UsageError(`${where}: "${shortened(part)}" is not valid. Expected: ${allowed}`);
  });
  const twice = findTwice(shares);
  if (twice) throw new UsageError(`${where}: ${namedTwice(twice.key)}`);
  return { shares };
}

function parseMixFile(file: string, sources: LinkSources, where: string): MixWish {
  return validate(sharesField(sources), readYaml(readFile(file, sources, where), file));
}

function findMix(name: string, { where, allowed }: Expectation, sources: LinkSources): MixWish {
  const mix = Object.hasOwn(NAMED_MIXES, name) ? NAMED_MIXES[name]! : undefined;
  if (mix) {
    const shares = Object.entries(mix.shares);
    return {
      named: name,
      shares: shares.map(([key, share]) => ({ key, share, link: parseLink(key, sources, where) })),
    };
  }
  throw unknownName(name, {
    where,
    what: 'mix',
    known: MIX_NAMES,
    expected: allowed,
    see: 'npx photofinish list mixes',
  });
}

/** A study that a mix is for. */
export interface MixedStudy {
  readonly links: readonly Link[];
  /** Options that name the study itself: they must be given along with options for links. */
  readonly options: readonly string[];
}

/**
 * A mix by the names that the study has for its links. Shares of links that the study lacks stay if a user wrote them
 * down, for the advice to say so; a mix that has a name is measured as it is or not at all.
 */
export function resolveMix(mix: MixWish, { links, options }: MixedStudy, place: FieldPlace): Mix {
  const names = new Map(links.map((link) => [renderLink(link), link.name]));
  const missing = missingOf(mix, links);
  if (mix.named !== undefined && missing.length > 0) {
    const needed = [...options, ...mix.shares.map(({ key }) => `--link ${key}`)].join(' ');
    throw new UsageError(`${place(['mix'])}: ${lacking(mix.named, missing)}; what measures all of it: ${needed}`);
  }
  if (missing.length === mix.shares.length)
    throw new UsageError(
      `${place(['mix'])}: none of its links is in the study. Expected: ${[...new Set(names.values())].join(', ')}`,
    );
  return Object.fromEntries(mix.shares.map(({ link, share }) => [names.get(renderLink(link)) ?? link.name, share]));
}

/** The keys of a mix whose links are not among these. */
export function missingOf({ shares }: MixWish, links: readonly Link[]): readonly string[] {
  const there = new Set(links.map(renderLink));
  return shares.filter(({ link }) => !there.has(renderLink(link))).map(({ key }) => key);
}

/** Says what a study lacks of a mix that has a name. */
export function lacking(mix: string, missing: readonly string[]): string {
  return `the mix "${mix}" has ${missing.length === 1 ? 'a link' : 'links'} that the study lacks: ${missing.join(', ')}`;
}

function readShare(key: string, written: string, where: string, sources: LinkSources): MixShare {
  const share = /^\d+(?:\.\d+)?\s*%?$/.test(written) ? Number.parseFloat(written) : Number.NaN;
  if (!(share > 0 && Number.isFinite(share)))
    throw new UsageError(`${where}: "${shortened(written)}" is not valid. Expected: ${SHARE_ALLOWED}`);
  return { key, link: parseLink(key, sources, where), share };
}

function findTwice(mix: readonly MixShare[]): MixShare | undefined {
  const texts = mix.map(({ link }) => renderLink(link));
  return mix.find((_, index) => texts.indexOf(texts[index]!) !== index);
}

import { z } from 'zod';
import type { Mix } from '../model/advice.ts';
import { UsageError } from '../model/errors.ts';
import type { Link } from '../model/link.ts';
import { addProblem, attempt, namedTwice } from './fields.ts';
import { type LinkSources, parseLink } from './link.ts';
import { renderLink } from './link-text.ts';
import { type Place, shortened } from './place.ts';
import { readFile } from './sources.ts';
import { validate } from './validate.ts';
import { readYaml } from './yaml.ts';

/** Shares of the traffic by link, as they were asked for. */
export type MixWish = readonly MixShare[];

interface MixShare {
  /** As it was written. */
  readonly key: string;
  readonly link: Link;
  readonly share: number;
}

const SHARE_ALLOWED = 'a share above 0, as in 60 or 60%';

/** A mapping of links to shares. */
export function mixField(sources: LinkSources) {
  const error = 'a mapping of links to shares, as in {4g: 60, cable: 30}';
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
    if (read.length === 0) addProblem(context, `empty; allowed: ${error}`);
    return mix;
  });
}

/** The mix of `--mix`: in the option itself, or in a file in YAML or JSON. */
export function parseMix(text: string, sources: LinkSources, where = '--mix'): MixWish {
  if (!text.includes('=')) return parseMixFile(text, sources, where);
  const mix = text.split(',').map((part) => {
    const [, key, share] = /^(.+)=([^=]+)$/s.exec(part.trim()) ?? [];
    if (key !== undefined && share !== undefined) return readShare(key.trim(), share.trim(), where, sources);
    const allowed = 'links with their shares, as in 4g=60,cable=30, or a file of them';
    throw new UsageError(`${where}: '${shortened(part)}' will not do; allowed: ${allowed}`);
  });
  const twice = findTwice(mix);
  if (twice) throw new UsageError(`${where}: ${namedTwice(twice.key)}`);
  return mix;
}

function parseMixFile(file: string, sources: LinkSources, where: string): MixWish {
  return validate(mixField(sources), readYaml(readFile(file, sources, where), file));
}

/** By the names that the study has for its links; what it does not have stays, for the advice to say so. */
export function resolveMix(mix: MixWish, links: readonly Link[], place: Place): Mix {
  const names = new Map(links.map((link) => [renderLink(link), link.name]));
  if (!mix.some(({ link }) => names.has(renderLink(link))))
    throw new UsageError(
      `${place(['mix'])}: none of its links is in the study; allowed: ${[...new Set(names.values())].join(', ')}`,
    );
  return Object.fromEntries(mix.map(({ link, share }) => [names.get(renderLink(link)) ?? link.name, share]));
}

function readShare(key: string, written: string, where: string, sources: LinkSources): MixShare {
  const share = /^\d+(?:\.\d+)?\s*%?$/.test(written) ? Number.parseFloat(written) : Number.NaN;
  if (!(share > 0 && Number.isFinite(share)))
    throw new UsageError(`${where}: '${shortened(written)}' will not do; allowed: ${SHARE_ALLOWED}`);
  return { key, link: parseLink(key, sources, where), share };
}

function findTwice(mix: MixWish): MixShare | undefined {
  const texts = mix.map(({ link }) => renderLink(link));
  return mix.find((_, index) => texts.indexOf(texts[index]!) !== index);
}

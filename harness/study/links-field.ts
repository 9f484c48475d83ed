import { z } from 'zod';
import type { Link } from '../model/link.ts';
import { addProblem, attempt, namedTwice, reading, text, textLike } from './fields.ts';
import { type LinkSources, parseLink } from './link.ts';
import { renderLink } from './link-text.ts';

const LINK = '4g, rate=2mbit,rtt=218ms, or a mapping of their keys to values, as in {rate: [2mbit, 10mbit], rtt: 40ms}';
const LINKS = 'a list of links';

/** The links of a grid: texts, and mappings that stand for several. */
export function linksField(sources: LinkSources) {
  const written = reading(text(LINK), (link, where) => [parseLink(link, sources, where)]);
  return z
    .array(z.union([written, linkProduct(sources)], { error: LINK }), { error: LINKS })
    .min(1, { error: LINKS, abort: true })
    .superRefine((entries, context) => {
      const texts = entries.flatMap((links, entry) => links.map((link) => ({ entry, text: renderLink(link) })));
      const seen = new Set<string>();
      for (const { entry, text: link } of texts) {
        if (seen.has(link)) addProblem(context, namedTwice(link), [entry]);
        seen.add(link);
      }
    })
    .transform((entries) => entries.flat());
}

/** A mapping that makes more links than this is taken for a mistake. */
const MAX_PRODUCT = 1_000;
const VALUE = 'a value of that key, or a list of them';

/** Every combination of the values of a mapping's keys; the last key's values change fastest. */
function linkProduct(sources: LinkSources) {
  const value = z.union([textLike(/^[^,=]+$/, VALUE), z.number()], { error: VALUE });
  const values = z.union(
    [value.transform((one) => [one]), z.array(value, { error: VALUE }).min(1, { error: VALUE, abort: true })],
    {
      error: VALUE,
    },
  );
  return z.record(z.string(), values, { error: LINK }).transform((keys, context): Link[] => {
    const count = Object.values(keys).reduce((product, each) => product * each.length, 1);
    const refuse = (message: string, path: readonly string[] = []) => {
      addProblem(context, message, path);
      return z.NEVER;
    };
    if (Object.keys(keys).length === 0) return refuse(`an empty mapping does not fit. Expected: ${LINK}`);
    if (count > MAX_PRODUCT) return refuse(`${count} links are too many. Expected: up to ${MAX_PRODUCT}`);
    const links: Link[] = [];
    for (const link of combinations(keys)) {
      const { read, refused } = attempt((where) => parseLink(link, sources, where));
      if (!read) return refuse(...atKey(refused!, Object.keys(keys)));
      links.push(read);
    }
    return links;
  });
}

function combinations(keys: Readonly<Record<string, readonly (string | number)[]>>): string[] {
  return Object.entries(keys)
    .reduce<string[][]>(
      (texts, [key, values]) => texts.flatMap((each) => values.map((value) => [...each, `${key}=${value}`])),
      [[]],
    )
    .map((settings) => settings.join(','));
}

/** A link's problem at the key that it is about, where it is about one. */
function atKey(says: string, keys: readonly string[]): [says: string, path: readonly string[]] {
  const key = keys.find((each) => says.startsWith(`${each}: `) || says.startsWith(`unknown key "${each}"`));
  if (key === undefined) return [says, []];
  return [says.replace(`${key}: `, '').replace(`unknown key "${key}"`, 'unknown key'), [key]];
}

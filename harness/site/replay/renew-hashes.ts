import { createHash } from 'node:crypto';

/*
 * Pages name by their hashes what they load (`integrity="sha384-…"`) and the scripts that they hold themselves
 * (`script-src 'sha256-…'`). Where such a text has changed, so has its hash; and where that hash is in a text that is
 * named by a hash itself, that one changes, too.
 */

/** A text as it was and as it is now; each character stands for a byte. */
export interface ChangedText {
  readonly before: string;
  readonly after: string;
}

/** The new hash by the old one, both as in `sha384-…`. */
export type NewHashes = ReadonlyMap<string, string>;

const ALGORITHMS = ['sha256', 'sha384', 'sha512'] as const;
type Algorithm = (typeof ALGORITHMS)[number];

const HASH = /\b(sha256|sha384|sha512)-((?:[A-Za-z0-9+_-]|\\?\/){42,86}={0,2})/g;

/** The most texts in a row that name each other by hashes. */
const MOST_PASSES = 8;

/** Renews the hashes that texts name others by; returns the texts in order, and the hashes for what else names them. */
export function renewHashes(
  texts: readonly ChangedText[],
  elsewhere: readonly string[],
): { readonly texts: readonly ChangedText[]; readonly hashes: NewHashes } {
  const named = new Set([...texts.map(({ before }) => before), ...elsewhere].flatMap(hashesIn));
  let hashes: NewHashes = new Map();
  if (named.size === 0) return { texts, hashes };
  const naming = texts.map(({ after }) => hashesIn(after).length > 0);
  let now = texts;
  for (let pass = 0; pass < MOST_PASSES; pass += 1) {
    const found = new Map(
      now.filter(({ before, after }) => before !== after).flatMap((each) => newHashes(each, named)),
    );
    const same = found.size === hashes.size && [...found].every(([old, hash]) => hashes.get(old) === hash);
    if (same) break;
    hashes = found;
    now = texts.map((text, at) => (naming[at] ? { ...text, after: replaceHashes(text.after, found) } : text));
  }
  return { texts: now, hashes };
}

/** A text with the new hashes in place of the old ones. */
export function replaceHashes(text: string, hashes: NewHashes): string {
  return hashes.size === 0 ? text : text.replace(HASH, (whole) => hashes.get(plainHash(whole)) ?? whole);
}

function hashesIn(text: string): readonly string[] {
  return [...text.matchAll(HASH)].map(([whole]) => plainHash(whole));
}

/**
 * A hash in the form that policies use; it may be written with JSON's escapes, or in base64's alphabet for addresses.
 */
function plainHash(hash: string): string {
  const [algorithm, digest] = [hash.slice(0, 6), hash.slice(7).replaceAll('\\', '')];
  return `${algorithm}-${Buffer.from(digest, 'base64').toString('base64')}`;
}

function newHashes({ before, after }: ChangedText, named: ReadonlySet<string>): readonly (readonly [string, string])[] {
  const pairs = [[before, after] as const];
  const [scripts, scriptsNow] = [inlineTexts(before), inlineTexts(after)];
  for (const [at, script] of scripts.entries()) {
    const now = scriptsNow[at];
    if (now !== undefined && now !== script) pairs.push([script, now]);
  }
  return pairs.flatMap(([was, is]) =>
    ALGORITHMS.flatMap((algorithm) => {
      const hash = hashOf(algorithm, was);
      return named.has(hash) ? [[hash, hashOf(algorithm, is)] as const] : [];
    }),
  );
}

function hashOf(algorithm: Algorithm, text: string): string {
  return `${algorithm}-${createHash(algorithm).update(text, 'latin1').digest('base64')}`;
}

/** What a page's own scripts and styles are, by the lines that its parser makes of them. */
function inlineTexts(html: string): readonly string[] {
  const found: string[] = [];
  const opening = /<(script|style)\b[^<>]{0,2000}>/gi;
  for (let open = opening.exec(html); open; open = opening.exec(html)) {
    const closing = new RegExp(`</${open[1]}`, 'gi');
    closing.lastIndex = opening.lastIndex;
    const close = closing.exec(html);
    if (!close) break; // It goes on to the page's end.
    found.push(html.slice(opening.lastIndex, close.index).replaceAll('\r\n', '\n'));
    opening.lastIndex = close.index;
  }
  return found;
}

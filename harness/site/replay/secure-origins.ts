import {
  type Header,
  type LeftOut,
  normalUrl,
  type RecordedManifest,
  type RecordedOrigin,
  type RecordedResponse,
} from '../../model/recording.ts';
import { keepHeaders } from '../record/keep-headers.ts';
import { asLine } from '../record/manifest-schema.ts';
import type { ReadRecording } from '../record/store.ts';
import { allOrigins, pageUrl } from './addresses.ts';
import { isNameless, nameOrigins, type OriginNames } from './name-origins.ts';
import { renameInHeader, renameOrigins } from './rename-origins.ts';
import { type RenamedTexts, renameTexts } from './rename-texts.ts';
import { replaceHashes } from './renew-hashes.ts';
import { hasText, isPage, textKey } from './text-bodies.ts';
import { type MovedResponse, withoutCircles } from './without-circles.ts';

/*
 * Browsers speak HTTP/2 and HTTP/3 over TLS alone. A page from `http://localhost:3000`, or from a site that has no
 * certificate yet, is given what it would have if it had one: the same answers, from origins that TLS can be spoken with.
 */

/**
 * A recording whose page can be served over every protocol: the same one, where that is so already; otherwise one of
 * which every origin has a name and TLS, and is called so wherever it was named. It depends on the recording alone.
 */
export function secureRecording(read: ReadRecording): ReadRecording {
  const { manifest } = read.site;
  const page = new URL(pageUrl(manifest));
  if (page.protocol === 'https:' && !isNameless(page.hostname)) return read;
  const names = nameOrigins(manifest);
  const texts = renameTexts(read, names);
  const leftOut: LeftOut[] = [];
  const moved = manifest.responses.map((before): MovedResponse => {
    const what = `${before.method} ${before.url.slice(0, 300)}`;
    const kept = keepHeaders(renameHeaders(before, names, texts), what);
    leftOut.push(...kept.leftOut.map(({ what, why }) => ({ what: asLine(what), why: asLine(why) })));
    // These bytes may also be served as what is no text.
    const text = hasText(before) ? texts.bodies.get(textKey(before)) : undefined;
    return { before, now: { ...renameRequest(before, names), headers: kept.headers, ...text?.facts } };
  });
  const responses = withoutCircles(moved);
  const written = new Map([...texts.bodies.values()].map(({ facts, bytes }) => [facts.body, bytes]));
  const bodies = new Map(
    responses.flatMap(({ body }) => (body === undefined ? [] : [[body, written.get(body) ?? read.bodies.get(body)!]])),
  );
  const notes = [
    ...describeChanges(names),
    ...texts.notes,
    ...(responses.length < moved.length
      ? [
          `${moved.length - responses.length} answers were redirects to TLS, or came over TLS as well: one is left of each`,
        ]
      : []),
  ];
  return {
    site: {
      ...read.site,
      manifest: {
        ...manifest,
        url: renameUrl(manifest.url, names),
        origins: renameAll(manifest, names),
        responses,
        leftOut: [...manifest.leftOut, ...leftOut],
        notes: [...manifest.notes, ...notes.map(asLine)],
      },
    },
    bodies,
    leftOut: read.leftOut,
  };
}

/** An address by its origin's new name; what its query says of origins is what pages say of them now. */
function renameUrl(url: string, names: OriginNames): string {
  const { origin } = new URL(url);
  const [own, rest] = [names.origins.get(origin)!, url.slice(origin.length)];
  const renamed = `${own}${renameOrigins(rest, names)}`;
  return normalUrl(renamed) === renamed ? renamed : `${own}${rest}`;
}

function renameRequest(response: RecordedResponse, names: OriginNames): RecordedResponse {
  const requestHeaders = response.requestHeaders.map((header) => renameInHeader(header, names));
  return { ...response, url: renameUrl(response.url, names), requestHeaders };
}

/** Addresses that scripts put together are no text that could be found: a browser that is told so asks for them over TLS. */
const UPGRADE: Header = ['content-security-policy', 'upgrade-insecure-requests'];

function renameHeaders(response: RecordedResponse, names: OriginNames, { hashes }: RenamedTexts): readonly Header[] {
  const renamed = response.headers.map((header): Header => {
    const [name, value] = renameInHeader(header, names);
    return [name, replaceHashes(value, hashes)];
  });
  return isPage(response) ? [...renamed, UPGRADE] : renamed;
}

/** Origins under their new names, one for two that have become one: what was known of the one that had TLS. */
function renameAll(manifest: RecordedManifest, names: OriginNames): readonly RecordedOrigin[] {
  const byName = Map.groupBy(allOrigins(manifest), ({ origin }) => names.origins.get(origin)!);
  return [...byName].map(([origin, all]) => {
    const known = all.find((each) => each.origin.startsWith('https:')) ?? all[0]!;
    return {
      ...known,
      origin,
      // It is what it spoke, over TLS.
      protocol: known.protocol === 'h1c' ? 'h1' : known.protocol,
      certificateNames: known.certificateNames.map((name) => renameHost(name, names)),
    };
  });
}

function renameHost(name: string, { hosts }: OriginNames): string {
  const [star, host] = name.startsWith('*.') ? ['*.', name.slice(2)] : ['', name];
  return `${star}${hosts.get(host.toLowerCase()) ?? host}`;
}

/** At most this many are named; more are counted. */
const MOST_NAMED = 5;

function describeChanges({ origins }: OriginNames): readonly string[] {
  const changed = [...origins].filter(([before, now]) => before !== now).map(([before, now]) => `${before} as ${now}`);
  const more = changed.length > MOST_NAMED ? ` and ${changed.length - MOST_NAMED} more` : '';
  return [
    `served over TLS, without which browsers speak neither HTTP/2 nor HTTP/3: ${changed.slice(0, MOST_NAMED).join(', ')}${more}`,
  ];
}

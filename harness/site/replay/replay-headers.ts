import { type Header, headerOf } from '../../model/recording.ts';

/*
 * A recorded header is sent again as it was, but for these:
 *
 *     the connection's own       are the lab's: Connection, Keep-Alive, Transfer-Encoding, TE, Trailer, Upgrade, Content-Length
 *     Date                       is now, or caches would take everything for old; Expires moves along with it
 *     Alt-Svc                    is the arm's to say
 *     Report-To, NEL and such    would have browsers report to servers that are not there: they go under names of the same length
 *                                that mean nothing, so that responses are as long as they were
 *     X-Accel-…                  are orders to nginx, which would carry them out
 *     Timing-Allow-Origin        is every origin's: the page's own record then says of each object how it came, and by what
 *                                protocol. It is the same, and as long, in every arm
 *
 * Strict-Transport-Security stays: what a page asks for after it depends on it, and each visitor's browser is gone after
 * the load. Set-Cookie stays; its values were made unreadable when it was recorded.
 */

const DROPPED: ReadonlySet<string> = new Set([
  ...[
    'connection',
    'keep-alive',
    'proxy-connection',
    'transfer-encoding',
    'te',
    'trailer',
    'upgrade',
    'content-length',
  ],
  ...['date', 'alt-svc', 'proxy-authenticate', 'status', 'timing-allow-origin'],
]);

/** Lets a page read how objects of other origins came. */
export const TIMING_FOR_ALL: Header = ['timing-allow-origin', '*'];

const INERT: Readonly<Record<string, string>> = {
  'report-to': 'no-report',
  nel: 'nol',
  'reporting-endpoints': 'reported-nowhere-to',
  'public-key-pins': 'no-public-key-p',
  'public-key-pins-report-only': 'no-public-key-p-report-only',
  'expect-ct': 'no-exp-ct',
};

/** Whether a recorded header is left out of the replay. */
function isDropped(name: string): boolean {
  return DROPPED.has(name) || name.startsWith('x-accel-');
}

/** The headers of a response as they are sent again at a time. */
export function replayHeaders(headers: readonly Header[], nowMs: number): readonly Header[] {
  const lasting = lastingHeaders(headers);
  if (!lasting.some(isExpiry)) return lasting;
  const recordedMs = Date.parse(headerOf(headers, 'date') ?? '');
  return lasting.map((header) => (isExpiry(header) ? [header[0], moved(header[1], nowMs - recordedMs)] : header));
}

const lasting = new WeakMap<readonly Header[], readonly Header[]>();

/** What of a response's headers is the same whenever they are sent; found out once, since a page asks for many at a time. */
function lastingHeaders(headers: readonly Header[]): readonly Header[] {
  const known = lasting.get(headers);
  if (known) return known;
  const found = headers.flatMap(([name, value]): Header[] => {
    const lower = name.toLowerCase();
    return isDropped(lower) ? [] : [[INERT[lower] ?? name, value]];
  });
  const open = [...found, TIMING_FOR_ALL];
  lasting.set(headers, open);
  return open;
}

function isExpiry([name]: Header): boolean {
  return name.toLowerCase() === 'expires';
}

/** A date that is as far from now as it was from then; what is none, as `0`, is past for ever. */
function moved(date: string, byMs: number): string {
  const ms = Date.parse(date);
  if (!/\d{4}/.test(date) || Number.isNaN(ms) || Number.isNaN(byMs)) return date;
  const later = new Date(ms + byMs);
  return Number.isNaN(later.getTime()) ? date : later.toUTCString();
}

/** Whether the client has it already, as the recorded validators say. */
export function isNotModified(
  headers: readonly Header[],
  asked: { readonly ifNoneMatch?: string | undefined; readonly ifModifiedSince?: string | undefined },
): boolean {
  const { ifNoneMatch, ifModifiedSince } = asked;
  if (ifNoneMatch !== undefined) {
    const etag = headerOf(headers, 'etag')?.replace(/^W\//, '');
    const known = ifNoneMatch.split(',').map((each) => each.trim().replace(/^W\//, ''));
    return etag !== undefined && (known.includes(etag) || ifNoneMatch.trim() === '*');
  }
  return ifModifiedSince !== undefined && ifModifiedSince === headerOf(headers, 'last-modified');
}

/** The bytes of a body that a `Range` header asks for; undefined where all of it is sent. */
export function cutRange(
  range: string | undefined,
  bytes: number,
): { readonly first: number; readonly last: number } | 'unsatisfiable' | undefined {
  const [, from, to] = /^bytes=(\d*)-(\d*)$/.exec(range ?? '') ?? [];
  if (from === undefined || to === undefined || (from === '' && to === '')) return undefined;
  const first = from === '' ? Math.max(0, bytes - Number(to)) : Number(from);
  const last = from === '' || to === '' ? bytes - 1 : Math.min(Number(to), bytes - 1);
  if (from === '' && Number(to) === 0) return 'unsatisfiable';
  return first > last ? 'unsatisfiable' : { first, last };
}

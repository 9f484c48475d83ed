import { z } from 'zod';
import type { Protocol } from '../../model/arm.ts';
import { UsageError } from '../../model/errors.ts';
import { type Exchange, type Header, headerOf, type LeftOut, type SeenPage } from '../../model/recording.ts';
import { asLine } from './manifest-schema.ts';

/*
 * HARs of different browsers differ in what they leave out, so little is asked for: an address, a status, and what there
 * is of the rest. Bodies in them are decoded.
 */

const number = z.number().catch(-1);
const text = z.string().catch('');
const headers = z.array(z.object({ name: z.string(), value: z.string() })).catch([]);

const ENTRY = z.object({
  startedDateTime: text,
  serverIPAddress: text.optional(),
  _resourceType: text.optional(),
  _error: text.optional(),
  request: z.object({
    method: z.string(),
    url: z.string(),
    httpVersion: text.optional(),
    headers,
    postData: z.object({ text: text.optional(), encoding: text.optional() }).nullish().catch(undefined),
  }),
  response: z.object({
    status: number,
    httpVersion: text.optional(),
    headers,
    redirectURL: text.optional(),
    bodySize: number.optional(),
    _error: text.nullish(),
    _transferSize: number.nullish(),
    content: z
      .object({
        size: number.optional(),
        mimeType: text.optional(),
        text: z.string().optional(),
        encoding: text.optional(),
      })
      .catch({}),
  }),
  timings: z
    .partialRecord(z.enum(['blocked', 'dns', 'connect', 'ssl', 'send', 'wait', 'receive']), number.nullish())
    .catch({}),
});

type Entry = z.output<typeof ENTRY>;

const HAR = z.object({
  log: z.object({
    creator: z.object({ name: text, version: text }).optional().catch(undefined),
    browser: z.object({ name: text, version: text }).optional().catch(undefined),
    pages: z
      .array(z.object({ startedDateTime: text, pageTimings: z.object({ onLoad: number.nullish() }).catch({}) }))
      .optional()
      .catch(undefined),
    entries: z.array(z.unknown()),
  }),
});

/** Reads a HAR with bodies; what it lacks is named. */
export function readHar(json: string, path: string): SeenPage {
  let written: unknown;
  try {
    written = JSON.parse(json.replace(/^\ufeff/, ''));
  } catch (cause) {
    throw new UsageError(`${path} is no HAR: ${asLine((cause as Error).message)}`, { cause });
  }
  const { success, data } = HAR.safeParse(written);
  if (!success) throw new UsageError(`${path} is no HAR: it has no log with entries`);
  const { entries, browser, creator, pages } = data.log;
  const exchanges: Exchange[] = [];
  const leftOut: LeftOut[] = [];
  let beganMs: number | undefined;
  for (const [index, each] of entries.entries()) {
    const entry = ENTRY.safeParse(each);
    if (!entry.success) {
      leftOut.push({ what: `entry ${index + 1}`, why: 'it has no request with a method and an address' });
      continue;
    }
    // What needs no network is no entry's worth.
    if (!/^(https?|wss?):/i.test(entry.data.request.url)) continue;
    const startedMs = timeOf(entry.data.startedDateTime);
    beganMs ??= startedMs;
    const read = readEntry(entry.data, (startedMs ?? 0) - (beganMs ?? 0));
    if ('why' in read) leftOut.push(read);
    else exchanges.push(read);
  }
  const page = exchanges.find(isPage);
  if (!page) throw new UsageError(`${path} has no page: no entry is a document whose body is there`);
  const by = browser ?? creator;
  const pltMs = pages?.[0]?.pageTimings.onLoad ?? -1;
  return {
    url: page.url,
    atMs: beganMs ?? 0,
    device: 'desktop',
    by: by ? `${by.name} ${by.version}` : 'a HAR',
    exchanges: exchanges.toSorted((a, b) => a.wantedMs - b.wantedMs),
    leftOut,
    live: pltMs > 0 ? { pltMs } : undefined,
    notes: [OWN_RANDOMNESS],
  };
}

const OWN_RANDOMNESS =
  'when the HAR was made, scripts drew random numbers of their own: what they ask for by chance gets the nearest answer';

function timeOf(date: string): number | undefined {
  const ms = Date.parse(date);
  return Number.isNaN(ms) ? undefined : ms;
}

/** The first that is a page, or leads to one. */
function isPage({ method, status, headers, kind }: Exchange): boolean {
  if (method !== 'GET') return false;
  const type = headerOf(headers, 'content-type') ?? '';
  return (
    kind === 'Document' || /^(text\/html|application\/xhtml\+xml)\b/i.test(type) || (status >= 300 && status < 400)
  );
}

function readEntry(entry: Entry, wantedMs: number): Exchange | LeftOut {
  const { request, response, timings, serverIPAddress } = entry;
  const what = `${request.method} ${request.url}`;
  if (/^wss?:/i.test(request.url) || entry._resourceType === 'websocket' || response.status === 101)
    return { what: `WebSocket ${request.url}`, why: 'it is no request with an answer; it will be refused' };
  if (response.status <= 0) {
    const error = entry._error || response._error;
    return { what, why: error ? `it failed: ${error}` : 'it has no answer: it failed, or came from a cache' };
  }
  const responseHeaders = readHeaders(response.headers);
  const { content } = response;
  const bare = request.method === 'HEAD' || [204, 304].includes(response.status) || isRedirect(response.status);
  const missing = content.text === undefined && !bare && sizeOf(entry, responseHeaders) > 0;
  if (missing) return { what, why: 'its body is not in the HAR' };
  const isText = content.encoding !== 'base64';
  const body = Buffer.from(content.text ?? '', isText ? 'utf8' : 'base64');
  // Made with a warm cache: what the cache had is what would have come.
  const status = response.status === 304 && body.length > 0 ? 200 : response.status;
  const broken = !bare && isCut(body, content, isText) ? content.size : undefined;
  const protocol = protocolOf(response.httpVersion || request.httpVersion || '', request.url);
  const { text: posted, encoding } = request.postData ?? {};
  const wireBytes = response.bodySize ?? -1;
  return {
    method: request.method,
    url: request.url.replace(/#.*$/s, ''),
    requestHeaders: readHeaders(request.headers),
    requestBody: posted ? Buffer.from(posted, encoding === 'base64' ? 'base64' : 'utf8') : undefined,
    status,
    headers: isText ? asUtf8(responseHeaders, body) : responseHeaders,
    body,
    bodyIs: 'decoded',
    wireBytes: wireBytes > 0 ? wireBytes : undefined,
    broken: broken === undefined ? undefined : `${body.length} of ${broken} bytes are in the HAR`,
    protocol,
    address: serverIPAddress ? serverIPAddress.replace(/^\[|\]$/g, '') : undefined,
    kind: kindOf(entry._resourceType),
    wantedMs: Math.max(0, wantedMs),
    ...waitsOf(timings, Math.max(0, wantedMs)),
  };
}

function isRedirect(status: number): boolean {
  return status >= 300 && status < 400;
}

const BYTE_ORDER_MARK = 3;

/** Whether there was more of a body. A byte order mark is no part of a text, and UTF-16 has two bytes for each of its units. */
function isCut(body: Buffer, { size = 0, text = '' }: Entry['response']['content'], isText: boolean): boolean {
  if (!isText) return size > body.length;
  return size > body.length && ![body.length + BYTE_ORDER_MARK, 2 * text.length, 2 * text.length + 2].includes(size);
}

/** A text that HARs have decoded is UTF-8 now, whatever it was; the headers must say so unless all of it is ASCII. */
function asUtf8(headers: readonly Header[], body: Buffer): readonly Header[] {
  if (body.every((byte) => byte < 0x80)) return headers;
  return headers.map(([name, value]) => {
    if (!/^content-type$/i.test(name)) return [name, value];
    const type = value.replace(/;\s{0,9}charset\s{0,9}=\s{0,9}("[^"]{0,99}"|[^;\s]{0,99})/gi, '');
    return [name, isCharacters(type) ? `${type}; charset=utf-8` : value];
  });
}

/** JSON and fonts have no charset. */
function isCharacters(type: string): boolean {
  return /^\s*(text\/|application\/(javascript|x-javascript|ecmascript|xml|xhtml\+xml)|image\/svg)/i.test(type);
}

/** How long the body was, as far as anything tells. */
function sizeOf({ response }: Entry, headers: readonly Header[]): number {
  const { content, bodySize = -1 } = response;
  return Math.max(content.size ?? -1, bodySize, Number(headerOf(headers, 'content-length') ?? -1));
}

/** Browsers write a header that came several times as several, or as one with a line for each; cookies also in a line. */
function readHeaders(pairs: readonly { readonly name: string; readonly value: string }[]): Header[] {
  return pairs
    .filter(({ name }) => !name.startsWith(':'))
    .flatMap(({ name, value }) =>
      (value.includes('\r') ? [value] : value.split('\n'))
        .flatMap((each) => (/^set-cookie$/i.test(name) ? each.split(NEXT_COOKIE) : each))
        .map((each): Header => [name, asBytes(each)]),
    );
}

/** A comma before another name; that in a date is before none. */
const NEXT_COOKIE = /,\s{0,9}(?=[^\s;,=]{1,4096}=)/;

/** Characters beyond bytes were UTF-8 on the wire. */
function asBytes(value: string): string {
  return /[^\0-\xff]/.test(value) ? Buffer.from(value, 'utf8').toString('latin1') : value;
}

/** `h2`, `HTTP/2`, `http/2.0`, `h3-29`, `HTTP/1.1`: each browser has its own. */
function protocolOf(version: string, url: string): Protocol | undefined {
  const [, number] = /^(?:http\/|h|hq-?)(\d)/i.exec(version.trim()) ?? [];
  if (number === '2') return 'h2';
  if (number === '3') return 'h3';
  if (number === '1') return /^http:/i.test(url) ? 'h1c' : 'h1';
  return undefined;
}

function kindOf(type = ''): string {
  return /^\w{1,40}$/.test(type) ? type[0]!.toUpperCase() + type.slice(1) : 'Other';
}

/** In a HAR the time to connect has the time for TLS in it; what was not, or is not known, is below zero or not there. */
function waitsOf(
  { blocked, dns, connect, ssl, send, wait, receive }: Entry['timings'],
  wantedMs: number,
): Pick<Exchange, 'askedMs' | 'waitMs' | 'came' | 'connectMs'> {
  const connectMs = (connect ?? -1) - Math.max(0, ssl ?? 0);
  const sum = (times: readonly (number | null | undefined)[]) =>
    times.reduce<number>((total, ms) => total + Math.max(0, ms ?? 0), 0);
  const askedMs = wantedMs + sum([blocked, dns, connect, send]);
  const answeredMs = askedMs + (wait ?? 0);
  const isKnown = wait != null && wait >= 0;
  return {
    askedMs: isKnown ? askedMs : undefined,
    came: isKnown ? [[answeredMs, answeredMs + sum([receive])]] : undefined,
    waitMs: isKnown ? wait : undefined,
    connectMs: connect != null && connect > 0 && connectMs > 0 ? connectMs : undefined,
  };
}

import { constants, createReadStream, openSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { EnvironmentError } from '../../model/errors.ts';
import { inOneLine } from '../../model/printable.ts';
import type { Header } from '../../model/recording.ts';
import type { BytesArrival } from './link-rate.ts';

/**
 * One request and its answer as the browser's network stack had them; a request that is redirected is several. DevTools
 * show only decoded bodies and joined headers; this has what was on the wire.
 */
export interface Hop {
  readonly method: string;
  readonly url: string;
  /** The origin of the page or worker that wanted it; absent where the browser itself did, or a visitor. */
  readonly initiator?: string | undefined;
  /** The server's address, without a port; DevTools do not tell it of a service worker's requests, and of refused answers. */
  readonly address?: string | undefined;
  readonly requestHeaders: readonly Header[];
  readonly status: number;
  readonly headers: readonly Header[];
  /** The body as it came, after chunks were joined and before anything was decoded. */
  readonly body: Buffer;
  /** When it began, by the browser's clock. */
  readonly startedMs: number;
  /** When its headers were sent, and how long it then took until the answer's came. */
  readonly askedMs?: number | undefined;
  readonly waitMs?: number | undefined;
  /** When something of the answer was read. */
  readonly readMs: readonly number[];
  /** What went wrong after the answer's headers. */
  readonly error?: string | undefined;
}

/** What a network log tells. */
export interface NetLog {
  readonly hops: readonly Hop[];
  /** What was read from sockets, in the order of time. */
  readonly arrivals: readonly BytesArrival[];
  /** The shortest of TCP's handshakes with each server, in milliseconds, by its address. */
  readonly handshakes: ReadonlyMap<string, number>;
}

type Draft = { -readonly [Key in keyof Omit<Hop, 'body' | 'readMs'>]: Hop[Key] } & {
  readonly readMs: number[];
  readonly raw: Buffer[];
  readonly filtered: Buffer[];
  ended?: true;
};

interface LogEvent {
  readonly type: number;
  readonly phase: number;
  readonly time: string;
  readonly source: { readonly id: number };
  readonly params?: {
    readonly method?: string;
    readonly url?: string;
    readonly initiator?: string | undefined;
    readonly headers?: readonly string[];
    readonly bytes?: string;
    readonly net_error?: number;
    readonly byte_count?: number;
    readonly address?: string | undefined;
    readonly transport_info?: string;
    readonly os_error?: number;
  };
}

interface Constants {
  readonly logEventTypes: Readonly<Record<string, number>>;
  readonly netError: Readonly<Record<string, number>>;
}

/** The longest way to any server, as far as handshakes tell. */
export function farthestMs({ handshakes }: Pick<NetLog, 'handshakes'>): number {
  return Math.max(0, ...handshakes.values());
}

const [BEGIN, END] = [1, 2];
const SEND_HEADERS = [
  'HTTP_TRANSACTION_SEND_REQUEST_HEADERS',
  'HTTP_TRANSACTION_HTTP2_SEND_REQUEST_HEADERS',
  'HTTP_TRANSACTION_QUIC_SEND_REQUEST_HEADERS',
];

/**
 * Reads a browser's network log. Whatever never was answered is left out; bodies and secrets are in it only where it was
 * written with `--net-log-capture-mode=Everything`.
 */
export async function readNetLog(path: string): Promise<NetLog> {
  try {
    return await readLines(path);
  } catch (cause) {
    throw new EnvironmentError(`the browser's network log cannot be read: ${inOneLine((cause as Error).message)}`, {
      cause,
    });
  }
}

async function readLines(path: string): Promise<NetLog> {
  // The browser that wrote it might have laid a link there.
  const fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  const lines = createInterface({
    input: createReadStream('', { fd, encoding: 'utf8' }),
    crlfDelay: Number.POSITIVE_INFINITY,
  });
  let see: ((event: LogEvent) => void) | undefined;
  const hops: Draft[] = [];
  const arrivals: BytesArrival[] = [];
  const handshakes = new Map<string, number>();
  for await (const line of lines) {
    const text = line.replace(/,$/, '');
    if (see === undefined && text.startsWith('{"constants":')) {
      const { constants } = JSON.parse(`${text}}`) as { constants: Constants };
      const seers = [collect(constants, hops), collectSockets(constants, arrivals, handshakes)];
      see = (event) => {
        for (const each of seers) each(event);
      };
    } else if (text.startsWith('{') && see) {
      const event = parse(text);
      if (event) see(event);
    }
  }
  if (!see) throw new Error(`${path} is no network log of Chromium's`);
  return { hops: hops.filter(({ status }) => status >= 200).map(finish), arrivals, handshakes };
}

/** The last line of a browser that died may be half of one. */
function parse(line: string): LogEvent | undefined {
  try {
    return JSON.parse(line) as LogEvent;
  } catch {
    return undefined;
  }
}

/** Notes what happens to sockets. */
function collectSockets(
  { logEventTypes }: Constants,
  arrivals: BytesArrival[],
  handshakes: Map<string, number>,
): (event: LogEvent) => void {
  const received = new Set(['SOCKET_BYTES_RECEIVED', 'UDP_BYTES_RECEIVED'].map((name) => logEventTypes[name]));
  const connect = logEventTypes.TCP_CONNECT_ATTEMPT;
  const begun = new Map<number, { readonly address: string; readonly atMs: number }>();
  return ({ type, phase, time, source, params = {} }) => {
    const atMs = Number(time);
    if (received.has(type)) arrivals.push({ atMs, bytes: params.byte_count ?? 0 });
    if (type !== connect) return;
    const began = begun.get(source.id);
    if (phase === BEGIN && params.address !== undefined)
      begun.set(source.id, { address: withoutPort(params.address), atMs });
    else if (phase === END && began && !params.net_error && params.os_error === undefined)
      handshakes.set(began.address, Math.min(atMs - began.atMs, handshakes.get(began.address) ?? Infinity));
  };
}

function withoutPort(address: string): string {
  return address.replace(/:\d+$/, '').replace(/^\[|\]$/g, '');
}

/** Puts events into hops as they come. */
function collect({ logEventTypes, netError }: Constants, hops: Draft[]): (event: LogEvent) => void {
  const type = (name: string) => logEventTypes[name] ?? -1;
  const [start, answered] = [type('URL_REQUEST_START_JOB'), type('HTTP_TRANSACTION_READ_RESPONSE_HEADERS')];
  const [raw, filtered] = [type('URL_REQUEST_JOB_BYTES_READ'), type('URL_REQUEST_JOB_FILTERED_BYTES_READ')];
  const [failed, cancelled, alive] = [type('FAILED'), type('CANCELLED'), type('REQUEST_ALIVE')];
  const connected = type('LOCAL_NETWORK_ACCESS_CHECK');
  const sent = new Set(SEND_HEADERS.map(type));
  const errors = new Map(Object.entries(netError).map(([name, number]) => [number, `net::${name}`]));
  const latest = new Map<number, Draft>();
  return (event) => {
    const { params = {} } = event;
    if (event.type === start && event.phase === BEGIN && params.url !== undefined) {
      const hop = openHop(event);
      latest.set(event.source.id, hop);
      hops.push(hop);
      return;
    }
    const hop = latest.get(event.source.id);
    if (!hop) return;
    if (event.type === connected) {
      const endpoint = / endpoint = ([^\s,]+),/.exec(params.transport_info ?? '')?.[1];
      if (endpoint !== undefined) hop.address = withoutPort(endpoint);
    } else if (sent.has(event.type)) {
      hop.askedMs = Number(event.time);
      hop.requestHeaders = parseHeaders(params.headers ?? []).filter(([name]) => !name.startsWith(':'));
    } else if (event.type === answered) {
      const [statusLine = '', ...headers] = params.headers ?? [];
      hop.status = Number(/^HTTP\/[\d.]+ (\d{3})/.exec(statusLine)?.[1] ?? 0);
      hop.headers = parseHeaders(headers);
      if (hop.askedMs !== undefined) hop.waitMs = Number(event.time) - hop.askedMs;
      hop.readMs.push(Number(event.time));
    } else if (event.type === raw || event.type === filtered) {
      hop.readMs.push(Number(event.time));
      (event.type === raw ? hop.raw : hop.filtered).push(Buffer.from(params.bytes ?? '', 'base64'));
    } else if (event.type === failed || event.type === cancelled) {
      hop.error = errors.get(params.net_error ?? 0) ?? (event.type === cancelled ? UNFINISHED : 'failed');
    } else if (event.type === alive && event.phase === END) {
      hop.ended = true;
    }
  };
}

const UNFINISHED = 'it was still coming when the page gave it up, or the recording ended';

function openHop({ time, params = {} }: LogEvent): Draft {
  const { method = 'GET', url = '', initiator } = params;
  return {
    method,
    url: url.replace(/#.*$/s, ''),
    startedMs: Number(time),
    initiator: initiator !== undefined && initiator !== 'not an origin' ? initiator : undefined,
    requestHeaders: [],
    status: 0,
    headers: [],
    readMs: [],
    raw: [],
    filtered: [],
  };
}

function finish({ raw, filtered, ended, ...hop }: Draft): Hop {
  // What went through no filter is told of once, as filtered.
  const body = Buffer.concat(raw.length > 0 ? raw : filtered);
  return { ...hop, body, error: hop.error || (ended ? undefined : UNFINISHED) };
}

function parseHeaders(lines: readonly string[]): Header[] {
  return lines.map(unescapeLine).flatMap((line): Header[] => {
    const colon = line.indexOf(':', 1);
    return colon < 1 ? [] : [[line.slice(0, colon), line.slice(colon + 1).trim()]];
  });
}

const ESCAPED = '%ESCAPED:\u200b ';

/** The log writes what is no UTF-8 with percent signs, and says so. Each character of the result stands for a byte. */
function unescapeLine(line: string): string {
  if (!line.startsWith(ESCAPED)) return Buffer.from(line, 'utf8').toString('latin1');
  const bytes = line
    .slice(ESCAPED.length)
    .replaceAll(/%([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return bytes;
}

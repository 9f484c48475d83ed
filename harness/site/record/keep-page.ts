import { createHash } from 'node:crypto';
import type { Protocol } from '../../model/arm.ts';
import {
  type Exchange,
  headerOf,
  type LeftOut,
  normalUrl,
  RECORDING_SCHEMA,
  type RecordedManifest,
  type RecordedOrigin,
  type RecordedResponse,
  type SeenPage,
} from '../../model/recording.ts';
import { canDecode, codingsOf, decodeBody, encodeBody } from './content-coding.ts';
import { keepHeaders } from './keep-headers.ts';
import {
  asAddress,
  asLine,
  asMilliseconds,
  asMoment,
  MOST_LEFT_OUT,
  MOST_ORIGINS,
  MOST_RESPONSES,
} from './manifest-schema.ts';
import { openedUrl } from './redirects.ts';
import { keptRequestHeaders, withoutSecrets } from './secrets.ts';
import { serverOf, splitWaits, type Waits } from './think-time.ts';

/** A recording that is ready to be written. */
export interface KeptPage {
  readonly manifest: RecordedManifest;
  /** By their SHA-256. */
  readonly bodies: ReadonlyMap<string, Buffer>;
}

export interface KeepOptions {
  /** The recording's name. */
  readonly site: string;
  readonly keepSecrets: boolean;
  /** The seed of a recording whose scripts had their own randomness. */
  readonly seed: number;
}

/** Makes a recording of what was seen of a page: all that can be served again, and a line for each thing that cannot. */
export function keepPage(seen: SeenPage, options: KeepOptions): KeptPage {
  const { exchanges } = seen;
  const waits = splitWaits(exchanges, seen.again);
  const bodies = new Map<string, Buffer>();
  const leftOut: LeftOut[] = [...seen.leftOut];
  const responses: RecordedResponse[] = [];
  const origins = new Set<string>();
  for (const exchange of exchanges) {
    const kept = keepExchange(exchange, waits, options);
    leftOut.push(...kept.leftOut);
    if (!kept.response) continue;
    const { response, body } = kept;
    const { origin } = new URL(response.url);
    const why = whyTooMuch(responses.length, origins, origin);
    if (why !== undefined) {
      leftOut.push({ what: describeRequest(exchange), why, came: true });
      continue;
    }
    responses.push(response);
    origins.add(origin);
    if (response.body !== undefined) bodies.set(response.body, body);
  }
  const asked = normalUrl(seen.url) ?? seen.url;
  const url = openedUrl(asked, responses);
  return {
    manifest: {
      schema: RECORDING_SCHEMA,
      site: options.site,
      url,
      recordedAtMs: asMoment(seen.atMs),
      seed: seen.seed ?? options.seed,
      device: seen.device,
      by: asLine(seen.by),
      secrets: options.keepSecrets ? 'kept' : 'removed',
      live: seen.live && { ...seen.live, pltMs: asMilliseconds(seen.live.pltMs) },
      origins: describeOrigins([...origins], exchanges, waits),
      responses,
      leftOut: inLines(leftOut),
      notes: [...(url === asked ? [] : [`${asked} was asked for over TLS at once, as ${url}`]), ...seen.notes].map(
        asLine,
      ),
    },
    bodies,
  };
}

function whyTooMuch(kept: number, origins: ReadonlySet<string>, origin: string): string | undefined {
  if (kept >= MOST_RESPONSES) return `a recording has ${MOST_RESPONSES} answers, and no more`;
  if (!origins.has(origin) && origins.size >= MOST_ORIGINS)
    return `a recording has ${MOST_ORIGINS} origins, and no more`;
  return undefined;
}

/** What was left out, in as many lines as a manifest may hold. */
function inLines(leftOut: readonly LeftOut[]): readonly LeftOut[] {
  const lines = leftOut
    .slice(0, MOST_LEFT_OUT)
    .map(({ what, why, came }): LeftOut => ({ what: asLine(what), why: asLine(why), came }));
  const more = leftOut.length - lines.length;
  return more > 0 ? [...lines.slice(0, -1), { what: `${more + 1} more`, why: 'too many to be named' }] : lines;
}

function describeRequest({ method, url }: Pick<Exchange, 'method' | 'url'>): string {
  return `${method} ${url.slice(0, 300)}`;
}

interface KeptExchange {
  readonly response?: RecordedResponse;
  readonly body: Buffer;
  readonly leftOut: readonly LeftOut[];
}

function keepExchange(exchange: Exchange, waits: Waits, { keepSecrets }: KeepOptions): KeptExchange {
  const { method, status, kind, wantedMs } = exchange;
  const what = describeRequest(exchange);
  const url = normalUrl(exchange.url);
  if (url === undefined) return lost(what, 'no lab can serve such an address');
  // A request with the recorded validators is answered so; one without them must not be.
  if (status === 304)
    return { body: NOTHING, leftOut: [{ what, why: 'nothing had changed; the answer before it will be served' }] };
  if (status === 101)
    return { body: NOTHING, leftOut: [{ what, why: 'another protocol from there on; it will be refused' }] };
  const why = whyNot(exchange);
  if (why !== undefined) return lost(what, why);
  const { headers, leftOut } = keepHeaders(exchange.headers, what);
  const stream = /^text\/event-stream\b/i.test(headerOf(headers, 'content-type') ?? '');
  const body = stream ? { encoded: 'as-received' as const, bytes: NOTHING } : keepBody(exchange);
  if ('why' in body) return lost(what, body.why);
  const thinkMs = waits.thinkMs(exchange);
  const requestHeaders = keptRequestHeaders(exchange.requestHeaders, keepSecrets);
  const response: RecordedResponse = {
    method,
    url,
    requestHeaders: keepHeaders(requestHeaders, what).headers,
    requestBody: exchange.requestBody?.length ? sha256Of(exchange.requestBody) : undefined,
    status: stream ? 204 : status,
    headers: keepSecrets ? headers : withoutSecrets(headers),
    body: body.bytes.length > 0 ? sha256Of(body.bytes) : undefined,
    bytes: body.bytes.length,
    encoded: body.encoded,
    content: body.content && { bytes: body.content.length, sha256: sha256Of(body.content) },
    thinkMs: thinkMs === undefined ? undefined : asMilliseconds(thinkMs),
    kind: /^\w{1,40}$/.test(kind) ? kind : 'Other',
    wantedMs: asMilliseconds(Math.round(wantedMs)),
  };
  const streamed = { what, why: 'events that go on; it will be answered with 204, after which no page asks again' };
  return { response, body: body.bytes, leftOut: stream ? [...leftOut, streamed] : leftOut };
}

const NOTHING = Buffer.alloc(0);

/** What came and cannot be served again: a replay lacks it. */
function lost(what: string, why: string): KeptExchange {
  return { body: NOTHING, leftOut: [{ what, why, came: true }] };
}

/** Why an exchange cannot be served again at all. */
function whyNot({ method, status, broken, headers }: Exchange): string | undefined {
  if (!/^[A-Z]{1,20}$/.test(method) || method === 'CONNECT' || method === 'TRACE')
    return 'no such request can be served';
  if (!Number.isInteger(status) || status < 200 || status > 599) return `no answer has the status ${status}`;
  if (/^text\/event-stream\b/i.test(headerOf(headers, 'content-type') ?? '')) return undefined;
  return broken === undefined ? undefined : `cut short: ${broken}`;
}

type KeptBody =
  | { readonly encoded: RecordedResponse['encoded']; readonly bytes: Buffer; readonly content?: Buffer | undefined }
  | { readonly why: string };

function keepBody({ method, status, headers, body, bodyIs, wireBytes }: Exchange): KeptBody {
  if (method === 'HEAD' || status === 204) return { encoded: 'as-received', bytes: NOTHING, content: NOTHING };
  const codings = codingsOf(headers);
  const known = canDecode(codings);
  if (bodyIs === 'encoded') {
    if (!known) return { encoded: 'as-received', bytes: body };
    try {
      return { encoded: 'as-received', bytes: body, content: decodeBody(body, codings) };
    } catch (error) {
      return { why: `cut short: it is no ${codings.join(', ')} (${(error as Error).message})` };
    }
  }
  if (!known) return { why: `Photofinish cannot encode it as ${codings.join(', ')} again` };
  if (codings.length === 0 || body.length === 0) return { encoded: 'as-received', bytes: body, content: body };
  return { encoded: 'again', bytes: encodeBody(body, codings, wireBytes), content: body };
}

function sha256Of(body: Buffer): string {
  return createHash('sha256').update(body).digest('hex');
}

/** What exchanges tell of some origins, each of which answered. */
export function describeOrigins(
  origins: readonly string[],
  exchanges: readonly Exchange[],
  { rttMs }: Waits,
): readonly RecordedOrigin[] {
  const seen = Map.groupBy(exchanges, ({ url }) => (URL.canParse(url) ? new URL(url).origin : ''));
  return origins.map((origin) => {
    const own = seen.get(origin)!;
    const protocol = mostOf<Protocol>(own.flatMap((each) => each.protocol ?? []));
    const address = asAddress(mostOf(own.flatMap((each) => each.address ?? [])));
    const rtt = rttMs.get(serverOf({ url: `${origin}/`, address }));
    return {
      origin,
      protocol,
      offersH3: own.some(({ headers }) => /(^|[,\s])h3=/.test(headerOf(headers, 'alt-svc') ?? '')),
      address,
      certificateNames: (own.find(({ certificateNames }) => certificateNames)?.certificateNames ?? []).map(asLine),
      rttMs: rtt === undefined ? undefined : asMilliseconds(Math.round(rtt * 100) / 100),
    };
  });
}

/** The most frequent item; the first of several. */
function mostOf<T>(items: readonly T[]): T | undefined {
  const counts = [...Map.groupBy(items, (item) => item)];
  return counts.toSorted(([, a], [, b]) => b.length - a.length)[0]?.[0];
}

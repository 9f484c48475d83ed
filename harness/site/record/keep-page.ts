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
import { asAddress, asLine, asMilliseconds } from './manifest-schema.ts';
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
  /** Where the page's scripts had their own randomness. */
  readonly seed: number;
}

/** Makes a recording of what was seen of a page: all that can be served again, and a line for each thing that cannot. */
export function keepPage(seen: SeenPage, options: KeepOptions): KeptPage {
  const { exchanges } = seen;
  const waits = splitWaits(exchanges, seen.again);
  const bodies = new Map<string, Buffer>();
  const leftOut: LeftOut[] = [...seen.leftOut];
  const responses: RecordedResponse[] = [];
  const latest = new Map<string, RecordedResponse>();
  for (const exchange of exchanges) {
    const kept = keepExchange(exchange, waits, options);
    leftOut.push(...kept.leftOut);
    if (!kept.response) continue;
    const { response, body } = kept;
    // What comes again as it came before is served again as it is.
    const key = keyOf(response);
    const before = latest.get(key);
    if (before && before.body === response.body && before.status === response.status) continue;
    latest.set(key, response);
    responses.push(response);
    if (response.body !== undefined) bodies.set(response.body, body);
  }
  return {
    manifest: {
      ...{ schema: RECORDING_SCHEMA, site: options.site, url: normalUrl(seen.url) ?? seen.url },
      ...{ recordedAtMs: seen.atMs, seed: seen.seed ?? options.seed, device: seen.device, by: asLine(seen.by) },
      secrets: options.keepSecrets ? 'kept' : 'removed',
      ...(seen.live && { live: { ...seen.live, pltMs: asMilliseconds(seen.live.pltMs) } }),
      origins: describeOrigins([...new Set(responses.map(({ url }) => new URL(url).origin))], exchanges, waits),
      responses,
      leftOut: leftOut.map(({ what, why }) => ({ what: asLine(what), why: asLine(why) })),
      notes: seen.notes.map(asLine),
    },
    bodies,
  };
}

/** What tells one request from another. */
function keyOf({ method, url, requestBody, requestHeaders }: RecordedResponse): string {
  return JSON.stringify([method, url, requestBody, headerOf(requestHeaders, 'range')]);
}

interface KeptExchange {
  readonly response?: RecordedResponse;
  readonly body: Buffer;
  readonly leftOut: readonly LeftOut[];
}

function keepExchange(exchange: Exchange, waits: Waits, { keepSecrets }: KeepOptions): KeptExchange {
  const { method, status, kind, wantedMs } = exchange;
  const what = `${method} ${exchange.url.slice(0, 300)}`;
  const url = normalUrl(exchange.url);
  const why = url === undefined ? 'no lab can serve such an address' : whyNot(exchange);
  if (url === undefined || why !== undefined)
    return { body: NOTHING, leftOut: [{ what, why: why ?? 'no lab can serve such an address' }] };
  const { headers, leftOut } = keepHeaders(exchange.headers, what);
  const stream = /^text\/event-stream\b/i.test(headerOf(headers, 'content-type') ?? '');
  const body = stream ? { encoded: 'as-received' as const, bytes: NOTHING } : keepBody(exchange);
  if ('why' in body) return { body: NOTHING, leftOut: [...leftOut, { what, why: body.why }] };
  const thinkMs = waits.thinkMs(exchange);
  const requestHeaders = keptRequestHeaders(exchange.requestHeaders, keepSecrets);
  const response: RecordedResponse = {
    ...{ method, url, requestHeaders: keepHeaders(requestHeaders, what).headers },
    ...(exchange.requestBody?.length && { requestBody: sha256Of(exchange.requestBody) }),
    status: stream ? 204 : status,
    headers: keepSecrets ? headers : withoutSecrets(headers),
    ...(body.bytes.length > 0 && { body: sha256Of(body.bytes) }),
    ...{ bytes: body.bytes.length, encoded: body.encoded },
    ...(body.content && { content: { bytes: body.content.length, sha256: sha256Of(body.content) } }),
    ...(thinkMs !== undefined && { thinkMs: asMilliseconds(thinkMs) }),
    ...{ kind: /^\w{1,40}$/.test(kind) ? kind : 'Other', wantedMs: asMilliseconds(Math.round(wantedMs)) },
  };
  const streamed = { what, why: 'events that go on; it will be answered with 204, after which no page asks again' };
  return { response, body: body.bytes, leftOut: stream ? [...leftOut, streamed] : leftOut };
}

const NOTHING = Buffer.alloc(0);

/** Why an exchange cannot be served again at all. */
function whyNot({ method, status, broken, headers }: Exchange): string | undefined {
  if (!/^[A-Z]{1,20}$/.test(method) || method === 'CONNECT' || method === 'TRACE')
    return 'no such request can be served';
  if (status === 101) return 'another protocol from there on; it will be refused';
  if (!Number.isInteger(status) || status < 200 || status > 599) return `no answer has the status ${status}`;
  // Whoever asks with the recorded validators is told so; whoever asks without them must not be.
  if (status === 304) return 'nothing had changed; the answer before it will be served';
  if (/^text\/event-stream\b/i.test(headerOf(headers, 'content-type') ?? '')) return undefined;
  return broken === undefined ? undefined : `cut short: ${broken}`;
}

type KeptBody =
  | { readonly encoded: RecordedResponse['encoded']; readonly bytes: Buffer; readonly content?: Buffer }
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
  if (!known) return { why: `nobody here can encode it as ${codings.join(', ')} again` };
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
    const rtt = rttMs.get(serverOf({ url: `${origin}/`, ...(address !== undefined && { address }) }));
    return {
      origin,
      ...(protocol && { protocol }),
      offersH3: own.some(({ headers }) => /(^|[,\s])h3=/.test(headerOf(headers, 'alt-svc') ?? '')),
      ...(address !== undefined && { address }),
      certificateNames: (own.find(({ certificateNames }) => certificateNames)?.certificateNames ?? []).map(asLine),
      ...(rtt !== undefined && { rttMs: asMilliseconds(Math.round(rtt * 100) / 100) }),
    };
  });
}

/** What there is most of; the first of those. */
function mostOf<T>(items: readonly T[]): T | undefined {
  const counts = [...Map.groupBy(items, (item) => item)];
  return counts.toSorted(([, a], [, b]) => b.length - a.length)[0]?.[0];
}

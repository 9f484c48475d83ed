import type { Protocol } from '../../model/arm.ts';
import { type Exchange, headerOf, type LeftOut } from '../../model/recording.ts';
import type { ToldRequest } from './devtools-requests.ts';
import type { Hop, NetLog } from './net-log.ts';

/** Every answer that came over the wire for a page, and what came to nothing. */
export interface JoinedExchanges {
  readonly exchanges: readonly Exchange[];
  readonly failed: readonly LeftOut[];
  /** How many requests only the network log knows of, such as a service worker's. */
  readonly untold: number;
}

/**
 * Joins what the network log has (the bytes) with what DevTools tell (what for, over what, how soon). Both have requests
 * for one address in the same order.
 */
export function joinExchanges(
  { hops, handshakes }: Pick<NetLog, 'hops' | 'handshakes'>,
  told: readonly ToldRequest[],
  beganMs: number,
): JoinedExchanges {
  const waiting = new Map<string, ToldRequest[]>();
  for (const request of told)
    if (!request.fromCache) waiting.set(keyOf(request), [...(waiting.get(keyOf(request)) ?? []), request]);
  const exchanges: Exchange[] = [];
  let untold = 0;
  for (const hop of hops) {
    const request = waiting.get(keyOf(hop))?.shift();
    // What the browser asks for of its own accord is no part of the page.
    if (!request && hop.initiator === undefined) continue;
    if (!request) untold += 1;
    const exchange = join(hop, request, beganMs);
    const connectMs = handshakeMs(exchange, handshakes) ?? request?.connectMs;
    exchanges.push({ ...exchange, connectMs });
  }
  const failed = [...waiting.values()].flat().map(
    (request): LeftOut => ({
      what: `${request.method} ${request.url}`,
      why: request.error ?? request.blocked ?? 'no answer came while the page was recorded',
    }),
  );
  return { exchanges: exchanges.toSorted((a, b) => a.wantedMs - b.wantedMs), failed, untold };
}

function keyOf({ method, url }: { readonly method: string; readonly url: string }): string {
  return `${method} ${url.replace(/#.*$/s, '')}`;
}

function join(hop: Hop, request: ToldRequest | undefined, beganMs: number): Exchange {
  const { method, url, requestHeaders, status, headers, body } = hop;
  const protocol = PROTOCOLS[request?.protocol ?? ''];
  const broken = whyBroken(hop, request);
  const address = hop.address ?? request?.address;
  return {
    method,
    url,
    requestHeaders,
    status,
    headers,
    body,
    bodyIs: 'encoded',
    requestBody: request?.requestBody,
    broken,
    protocol: protocol && (protocol === 'h1' && url.startsWith('http:') ? 'h1c' : protocol),
    address,
    certificateNames: request?.certificateNames,
    kind: request?.kind ?? 'Other',
    cameToPage: request?.cameToPage,
    wantedMs: (request?.wantedMs ?? hop.startedMs) - beganMs,
    askedMs: hop.askedMs === undefined ? undefined : hop.askedMs - beganMs,
    waitMs: hop.waitMs,
    came: hop.readMs.map((atMs) => [atMs - beganMs, atMs - beganMs]),
  };
}

/** The shortest handshake with its server. DevTools cut off the part of one that came before its request. */
function handshakeMs({ address = '', protocol }: Exchange, handshakes: NetLog['handshakes']): number | undefined {
  return protocol === 'h3' ? undefined : handshakes.get(address);
}

/** What the browser calls each protocol. */
const PROTOCOLS: Readonly<Record<string, Protocol>> = { 'http/1.0': 'h1', 'http/1.1': 'h1', h2: 'h2', h3: 'h3' };

function whyBroken({ method, status, headers, body, error }: Hop, request?: ToldRequest): string | undefined {
  if (method === 'HEAD' || status === 204 || status === 304 || (status >= 300 && status < 400)) return undefined;
  // The page never sees it, whole or not, and would not in a replay.
  if (request?.blocked !== undefined) return undefined;
  const announced = headerOf(headers, 'content-length');
  if (announced === undefined) return error;
  // A whole body is whole, though the page had given it up by then, as it does with a picture that is none.
  if (Number(announced) === body.length) return undefined;
  return `${body.length} of ${announced} bytes came${error === undefined ? '' : ` (${error})`}`;
}

import type { Protocol } from '../model/arm.ts';
import type { DevToolsEvent } from '../model/capture.ts';
import { headerOf } from '../model/recording.ts';

/** What the browser calls each protocol. */
export const SEEN_AS: Readonly<Record<Protocol, string>> = { h1: 'http/1.1', h2: 'h2', h3: 'h3', h1c: 'http/1.1' };

/** One request as the browser's log tells of it; times in milliseconds since navigation began. */
export interface SeenRequest {
  readonly id: string;
  readonly url: string;
  readonly method: string;
  /** When the browser wanted it. */
  readonly wantedMs: number;
  /** When it went out on a connection; absent where it never did. */
  readonly sentMs?: number | undefined;
  readonly finishedMs?: number | undefined;
  readonly status?: number;
  /** The browser's name for the protocol: `http/1.1`, `h2`, `h3`. */
  readonly protocol?: string | undefined;
  readonly connection?: number;
  readonly fromCache: boolean;
  /** Content, decoded. */
  readonly bytes: number;
  /** Content as it came, still encoded, with what frames it; absent where it did not come to its end. */
  readonly encodedBytes?: number;
  /** The address of the server that answered. */
  readonly address?: string | undefined;
  readonly error?: string | undefined;
}

/** What a browser's log tells of a load. */
export interface SeenLoad {
  readonly requests: readonly SeenRequest[];
  /** By the browser's clock, not the page's. */
  readonly loadEventMs?: number | undefined;
}

interface Timing {
  /** Seconds of the browser's clock; the others are milliseconds since then. */
  readonly requestTime: number;
  readonly sendStart: number;
}

interface Response {
  readonly status: number;
  readonly protocol?: string | undefined;
  readonly connectionId: number;
  readonly fromDiskCache?: boolean;
  readonly timing?: Timing;
  readonly remoteIPAddress?: string;
  /** The bytes that had come by then: the headers, and those of the content that came with them. */
  readonly encodedDataLength: number;
  readonly headers?: Readonly<Record<string, string>>;
}

interface Params {
  readonly requestId: string;
  readonly timestamp: number;
  readonly request: { readonly url: string; readonly method: string };
  readonly redirectResponse?: Response;
  readonly response: Response;
  readonly dataLength: number;
  readonly encodedDataLength: number;
  readonly errorText: string;
}

type Draft = { -readonly [Key in keyof SeenRequest]: SeenRequest[Key] };

/** Reads the log of a load. Requests that need no network (`data:` and the like) are left out. */
export function readLog(events: readonly DevToolsEvent[]): SeenLoad {
  const requests: Draft[] = [];
  const latest = new Map<string, Draft>();
  const answers = new Map<string, Response>();
  let originS: number | undefined;
  let loadEventMs: number | undefined;
  const sinceMs = (timestampS: number) => (timestampS - (originS ?? timestampS)) * 1000;
  const answer = (request: Draft, response: Response) => {
    request.status = response.status;
    if (response.protocol !== undefined) request.protocol = response.protocol;
    request.fromCache ||= response.fromDiskCache === true;
    if (request.fromCache) return;
    // 0 where it is unknown: the answer to a worker's script does not go to the thread that asked.
    if (response.connectionId !== 0) request.connection = response.connectionId;
    if (response.remoteIPAddress) request.address = response.remoteIPAddress;
    answers.set(request.id, response);
    if (response.timing) request.sentMs = sinceMs(response.timing.requestTime) + response.timing.sendStart;
  };
  for (const { method, params } of events as { method: string; params: Params }[]) {
    if (method === 'Page.loadEventFired') loadEventMs = sinceMs(params.timestamp);
    if (method === 'Network.requestWillBeSent' && /^https?:/.test(params.request.url)) {
      originS ??= params.timestamp;
      const redirected = latest.get(params.requestId);
      if (redirected && params.redirectResponse) {
        answer(redirected, params.redirectResponse);
        redirected.finishedMs = sinceMs(params.timestamp);
      }
      const { url, method } = params.request;
      const request: Draft = {
        id: params.requestId,
        url,
        method,
        wantedMs: sinceMs(params.timestamp),
        fromCache: false,
        bytes: 0,
      };
      requests.push(request);
      latest.set(params.requestId, request);
    }
    const request = latest.get(params.requestId);
    if (!request) continue;
    if (method === 'Network.requestServedFromCache') request.fromCache = true;
    if (method === 'Network.responseReceived') answer(request, params.response);
    if (method === 'Network.dataReceived') request.bytes += params.dataLength;
    if (method === 'Network.loadingFinished' || method === 'Network.loadingFailed')
      request.finishedMs = sinceMs(params.timestamp);
    if (method === 'Network.loadingFinished' && !request.fromCache)
      request.encodedBytes = contentBytes(params.encodedDataLength, answers.get(request.id));
    if (method === 'Network.loadingFailed') request.error = params.errorText;
  }
  return { requests, loadEventMs };
}

/** How many of all bytes of an answer are its content, where the browser counts as headers what came with them. */
function contentBytes(allBytes: number, answer: Response | undefined): number {
  const afterHeaders = Math.max(0, allBytes - (answer?.encodedDataLength ?? 0));
  const said = headerOf(Object.entries(answer?.headers ?? {}), 'content-length');
  const saidBytes = answer?.status === 200 ? Number(said ?? 0) : 0;
  return saidBytes > afterHeaders && saidBytes <= allBytes ? saidBytes : afterHeaders;
}

/** The most requests that were on their way at any time, sent and not yet answered in full. */
export function peakInFlight(requests: readonly SeenRequest[]): number {
  const changes = requests.flatMap(({ sentMs, finishedMs }) =>
    sentMs === undefined
      ? []
      : [{ atMs: sentMs, by: 1 }, ...(finishedMs === undefined ? [] : [{ atMs: finishedMs, by: -1 }])],
  );
  let [now, peak] = [0, 0];
  // One that ends where another begins is not under way with it.
  for (const { by } of changes.toSorted((a, b) => a.atMs - b.atMs || a.by - b.by)) {
    now += by;
    peak = Math.max(peak, now);
  }
  return peak;
}

const QUIET_MS = 500;

/** When the network had its first half second without any request wanted or under way: the moment that it began. */
export function quietSinceMs(requests: readonly SeenRequest[]): number {
  let busyUntilMs = 0;
  for (const { wantedMs, finishedMs } of requests.toSorted((a, b) => a.wantedMs - b.wantedMs)) {
    if (wantedMs - busyUntilMs >= QUIET_MS) break;
    busyUntilMs = Math.max(busyUntilMs, finishedMs ?? wantedMs);
  }
  return busyUntilMs;
}

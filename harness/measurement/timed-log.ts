import type { DevToolsEvent, PartyCapture, ServerRecord, TimedRequest } from '../model/capture.ts';
import { originOf } from '../model/page.ts';
import { SEEN_AS } from './devtools-log.ts';

/*
 * An unwatched load has no DevTools log. It has its page's own record, and the server's log: from the two of them a log
 * of the same form is written, so that code which reads logs need not know of the difference.
 */

/** What is known of a load, as far as its log goes. */
export type LoggedLoad = Pick<PartyCapture, 'page' | 'browser' | 'server'>;

/** Whether the browser logged each request of a load. */
export function isWatched({ browser }: Pick<PartyCapture, 'browser'>): boolean {
  return browser.events.some(({ method }) => method === 'Network.requestWillBeSent');
}

/** The DevTools log of a load: its own where it was watched, or one that is written from its page's record. */
export function logOf(load: LoggedLoad): readonly DevToolsEvent[] {
  return isWatched(load) ? load.browser.events : writeLog(load);
}

/** What only a watched load tells of a request. */
export interface WatchedDetail {
  readonly priority: string;
  readonly type: string;
  readonly initiator: object;
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly responseHeaders: Readonly<Record<string, string>>;
  readonly statusText: string;
  readonly mimeType: string;
  /** What the browser counted for the headers of the response. */
  readonly headerBytes: number;
}

/** Writes a log from a page's record; what no page can tell comes from a load of the same page that was watched. */
export function writeLog(load: LoggedLoad, details?: ReadonlyMap<string, WatchedDetail>): readonly DevToolsEvent[] {
  const { record, timings } = load.browser;
  if (!record) return [];
  const originMs = timings?.originMs ?? 0;
  const answering = serverRecordFinder(load);
  const events = record.requests.flatMap((request, index) =>
    eventsOf(request, { id: `${index + 1}`, originMs, answer: answering(request), detail: details?.get(request.url) }),
  );
  const pageEvent = (method: string, ms: number | undefined): DevToolsEvent[] =>
    ms === undefined ? [] : [{ method, params: { timestamp: (originMs + ms) / 1000 } }];
  return [
    ...events,
    ...pageEvent('Page.domContentEventFired', timings?.domContentLoadedMs),
    ...pageEvent('Page.loadEventFired', timings?.loadEventEndMs),
  ].toSorted((a, b) => timeOf(a) - timeOf(b));
}

function timeOf({ params }: DevToolsEvent): number {
  return (params as { timestamp: number }).timestamp;
}

interface Known {
  readonly id: string;
  readonly originMs: number;
  readonly answer: ServerRecord | undefined;
  readonly detail: WatchedDetail | undefined;
}

function eventsOf(request: TimedRequest, { id, originMs, answer, detail }: Known): DevToolsEvent[] {
  const at = (ms: number) => (originMs + ms) / 1000;
  const { url, startMs, finishedMs, protocol, fromCache, bytes, encodedBytes, transferredBytes } = request;
  // Pages do not tell the status of another origin's answers. Only what came as it should is in a cache.
  const status = fromCache && request.status === 0 ? 200 : request.status;
  const method = answer?.method ?? 'GET';
  const wanted = {
    method: 'Network.requestWillBeSent',
    params: {
      requestId: id,
      timestamp: at(startMs),
      wallTime: at(startMs),
      initiator: detail?.initiator ?? { type: id === '1' ? 'other' : 'script' },
      type: detail?.type,
      request: {
        url,
        method,
        headers: detail?.requestHeaders ?? {},
        initialPriority: detail?.priority,
      },
    },
  };
  const end = { requestId: id, timestamp: at(finishedMs) };
  if (status === 0 && protocol === '')
    return [wanted, { method: 'Network.loadingFailed', params: { ...end, errorText: 'no answer, says the page' } }];
  // What the page reckons for headers is the same for all. Of what is still in the cache nothing else came.
  const reckonedBytes = transferredBytes >= encodedBytes ? transferredBytes - encodedBytes : transferredBytes;
  const headerBytes = detail?.headerBytes ?? reckonedBytes;
  const cameBytes = transferredBytes - reckonedBytes + headerBytes;
  const received = {
    method: 'Network.responseReceived',
    params: {
      requestId: id,
      timestamp: at(request.answeredMs ?? finishedMs),
      response: {
        // The page takes an answer from its cache that the server said is still true for the cached one.
        url,
        status: answer?.status ?? status,
        statusText: detail?.statusText ?? '',
        protocol: protocolOf(request, answer),
        headers: detail?.responseHeaders ?? {},
        mimeType: detail?.mimeType ?? '',
        connectionId: answer?.clientPort ?? 0,
        fromDiskCache: fromCache,
        timing: timingOf(request, originMs),
        encodedDataLength: headerBytes,
      },
    },
  };
  return [
    wanted,
    received,
    { method: 'Network.dataReceived', params: { ...end, dataLength: bytes } },
    { method: 'Network.loadingFinished', params: { ...end, encodedDataLength: fromCache ? 0 : cameBytes } },
  ];
}

/**
 * The protocol of a request. For an answer that had not changed the page tells the first one's, and for one that leads on
 * that of the place where this ends, which may be another origin: the server knows this one's.
 */
function protocolOf({ protocol }: TimedRequest, answer: ServerRecord | undefined): string {
  const isOthers = answer !== undefined && answer.status >= 300 && answer.status < 400;
  return isOthers && answer.protocol !== 'unknown' ? SEEN_AS[answer.protocol] : protocol;
}

/**
 * Timing in DevTools' form: the second at which the request began, and milliseconds since then; -1 for what did not
 * happen.
 */
function timingOf(request: TimedRequest, originMs: number) {
  const { fetchMs, connectMs, secureMs, connectedMs, sentMs, answeredMs } = request;
  const since = (ms: number | undefined) => (ms === undefined ? -1 : ms - fetchMs);
  const sent = since(sentMs ?? fetchMs);
  const answered = since(answeredMs ?? request.finishedMs);
  return {
    requestTime: (originMs + fetchMs) / 1000,
    dnsStart: -1,
    dnsEnd: -1,
    connectStart: since(connectMs),
    connectEnd: since(connectedMs),
    sslStart: since(secureMs),
    sslEnd: secureMs === undefined ? -1 : since(connectedMs),
    sendStart: sent,
    sendEnd: sent,
    receiveHeadersStart: answered,
    receiveHeadersEnd: answered,
  };
}

/**
 * Finds the line that the server wrote of a request; each line is of one request alone. A page's record does not have what a
 * browser asks beforehand, by OPTIONS: these lines come after all others.
 */
function serverRecordFinder({ page, server }: LoggedLoad): (request: TimedRequest) => ServerRecord | undefined {
  const waiting = new Map<string, ServerRecord[]>();
  const isBeforehand = ({ method }: ServerRecord) => Number(method === 'OPTIONS');
  for (const record of server.toSorted((a, b) => isBeforehand(a) - isBeforehand(b))) {
    const key = `${record.port} ${record.request}`;
    waiting.set(key, [...(waiting.get(key) ?? []), record]);
  }
  return ({ url, fromCache }) => {
    const origin = originOf(page, url);
    if (!origin || fromCache) return undefined;
    return waiting.get(`${origin.port} ${url.slice(origin.url.length)}`)?.shift();
  };
}

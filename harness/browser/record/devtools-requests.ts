import type { DevToolsEvent } from '../../model/capture.ts';
import type { LeftOut } from '../../model/recording.ts';

/** What DevTools say of one request; those that were redirected are several. Times by the browser's clock. */
export interface ToldRequest {
  readonly method: string;
  readonly url: string;
  readonly kind: string;
  readonly wantedMs: number;
  readonly requestBody?: Buffer | undefined;
  /** The browser's name for the protocol: `http/1.1`, `h2`, `h3`. */
  readonly protocol?: string | undefined;
  readonly address?: string | undefined;
  readonly certificateNames?: readonly string[] | undefined;
  readonly connectMs?: number | undefined;
  /** Whether it needed no network. */
  readonly fromCache: boolean;
  /** What the browser kept from the page, though it came: the reason. */
  readonly blocked?: string;
  readonly error?: string | undefined;
  /** Whether all of it came to the page itself: what frames and workers with processes of their own load they tell themselves. */
  readonly cameToPage?: boolean;
}

/** An event of a page, or of a frame or a worker of its. */
export interface RecordedEvent extends DevToolsEvent {
  readonly ofPage?: boolean;
}

/** All that DevTools told of a page, its frames and its workers. */
export interface ToldPage {
  readonly requests: readonly ToldRequest[];
  /** What goes over connections that stay open, which no recording holds. */
  readonly streams: readonly LeftOut[];
}

interface Timing {
  readonly connectStart: number;
  readonly connectEnd: number;
  readonly sslStart: number;
}

interface Response {
  readonly protocol?: string | undefined;
  readonly remoteIPAddress?: string;
  readonly fromDiskCache?: boolean;
  readonly timing?: Timing;
  readonly securityDetails?: { readonly subjectName: string; readonly sanList: readonly string[] };
}

interface Params {
  readonly requestId: string;
  readonly timestamp: number;
  readonly type?: string;
  readonly url?: string;
  readonly request: {
    readonly url: string;
    readonly method: string;
    readonly postDataEntries?: readonly { readonly bytes?: string }[];
  };
  readonly redirectResponse?: Response;
  readonly response: Response;
  readonly errorText: string;
  readonly blockedReason?: string;
  readonly corsErrorStatus?: { readonly corsError: string };
}

type Draft = { -readonly [Key in keyof ToldRequest]: ToldRequest[Key] };

/** Reads the events of all of a page's sessions, in the order in which they came. */
export function readRequests(events: readonly RecordedEvent[]): ToldPage {
  const requests: Draft[] = [];
  const latest = new Map<string, Draft>();
  const streams: LeftOut[] = [];
  for (const { method, params, ofPage } of events as (RecordedEvent & { params: Params })[]) {
    if (method === 'Network.webSocketCreated')
      streams.push({ what: `WebSocket ${params.url}`, why: 'it is no request with an answer; it will be refused' });
    if (method === 'Network.webTransportCreated')
      streams.push({ what: `WebTransport ${params.url}`, why: 'it is no request with an answer; it will be refused' });
    if (method === 'Network.requestWillBeSent' && /^https?:/.test(params.request.url)) {
      const before = latest.get(params.requestId);
      if (before && params.redirectResponse) {
        answer(before, params.redirectResponse);
      }
      // A worker's script is told of by its page and by itself.
      if (before && !params.redirectResponse) continue;
      const request = openRequest(params);
      requests.push(request);
      latest.set(params.requestId, request);
    }
    const request = latest.get(params.requestId);
    if (!request) continue;
    if (method === 'Network.requestServedFromCache') request.fromCache = true;
    if (method === 'Network.responseReceived') {
      answer(request, params.response);
      if (params.type !== undefined) request.kind = params.type;
    }
    if (method === 'Network.loadingFinished' && ofPage) request.cameToPage = true;
    if (method === 'Network.loadingFailed') {
      request.error = params.errorText;
      const blocked = params.corsErrorStatus?.corsError ?? params.blockedReason;
      if (blocked !== undefined) request.blocked = blocked;
    }
  }
  return { requests, streams };
}

function openRequest({ request, timestamp, type }: Params): Draft {
  const entries = request.postDataEntries ?? [];
  // DevTools gives only the name of a file that is sent: its body is then unknown.
  const known = entries.length > 0 && entries.every(({ bytes }) => bytes !== undefined);
  return {
    method: request.method,
    url: request.url,
    kind: type ?? 'Other',
    wantedMs: timestamp * 1000,
    requestBody: known ? Buffer.concat(entries.map(({ bytes }) => Buffer.from(bytes!, 'base64'))) : undefined,
    fromCache: false,
  };
}

function answer(request: Draft, { protocol, remoteIPAddress, fromDiskCache, timing, securityDetails }: Response): void {
  if (protocol !== undefined) request.protocol = protocol;
  request.fromCache ||= fromDiskCache === true;
  if (remoteIPAddress) request.address = remoteIPAddress.replace(/^\[|\]$/g, '');
  if (securityDetails) {
    const { sanList, subjectName } = securityDetails;
    request.certificateNames = sanList.length > 0 ? sanList : [subjectName];
  }
  if (!timing || request.fromCache) return;
  const { connectStart, connectEnd, sslStart } = timing;
  // Over QUIC both handshakes are one, which takes a round trip as TCP's does.
  if (connectStart >= 0) request.connectMs = (sslStart > connectStart ? sslStart : connectEnd) - connectStart;
}

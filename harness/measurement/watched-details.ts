import type { DevToolsEvent } from '../model/capture.ts';
import type { WatchedDetail } from './timed-log.ts';

interface Params {
  readonly requestId: string;
  readonly type?: string;
  readonly initiator: object;
  readonly newPriority: string;
  readonly request: { readonly url: string; readonly headers: Headers; readonly initialPriority?: string };
  readonly response: {
    readonly headers: Headers;
    readonly requestHeaders?: Headers;
    readonly statusText: string;
    readonly mimeType: string;
    readonly encodedDataLength: number;
  };
}

type Headers = Readonly<Record<string, string>>;

/** Reads from the log of a watched load what only such a log tells of each request, by its address. */
export function readDetails(events: readonly DevToolsEvent[]): ReadonlyMap<string, WatchedDetail> {
  const byRequest = new Map<
    string,
    { url: string; detail: { -readonly [Key in keyof WatchedDetail]: WatchedDetail[Key] } }
  >();
  for (const { method, params } of events as { method: string; params: Params }[]) {
    if (method === 'Network.requestWillBeSent') {
      const { url, headers, initialPriority = '' } = params.request;
      const { type = '', initiator } = params;
      const answer = { responseHeaders: {}, statusText: '', mimeType: '', headerBytes: 0 };
      const detail = { priority: initialPriority, type, initiator, requestHeaders: headers, ...answer };
      byRequest.set(params.requestId, { url, detail });
    }
    const known = byRequest.get(params.requestId)?.detail;
    if (!known) continue;
    if (method === 'Network.resourceChangedPriority') known.priority = params.newPriority;
    if (method !== 'Network.responseReceived') continue;
    const { headers, requestHeaders, statusText, mimeType, encodedDataLength } = params.response;
    known.responseHeaders = headers;
    if (requestHeaders) known.requestHeaders = requestHeaders;
    known.statusText = statusText;
    known.mimeType = mimeType;
    known.headerBytes = encodedDataLength;
  }
  return new Map([...byRequest.values()].map(({ url, detail }) => [url, detail]));
}

import capturer from 'chrome-har-capturer';
import type { DevToolsEvent } from '../model/capture.ts';

/** An HTTP archive, version 1.2, as far as it is looked into here. */
export interface Har {
  readonly log: {
    readonly version: '1.2';
    readonly comment?: string;
    readonly pages: readonly { readonly pageTimings: { onContentLoad?: number; onLoad?: number } }[];
    readonly entries: readonly HarEntry[];
  };
}

export interface HarEntry {
  readonly request: { readonly method: string; readonly url: string; readonly httpVersion: string };
  readonly response: { readonly status: number; readonly httpVersion: string };
  readonly connection?: string;
  readonly _priority?: string;
}

interface RequestWillBeSent {
  readonly requestId: string;
  readonly timestamp: number;
  readonly request: { readonly url: string; readonly initialPriority: string };
}

/** The archive of a load, from its DevTools log, with what is to be said of it; a load that failed half-way has what there was. */
export async function makeHar(url: string, events: readonly DevToolsEvent[], comment?: string): Promise<Har> {
  const { log, loaded, interactive } = completed(events);
  // The capturer writes into what it is given.
  const har = (await capturer.fromLog(url, structuredClone(log))) as Har;
  const { pageTimings } = har.log.pages[0]!;
  if (!loaded) pageTimings.onLoad = -1;
  if (!interactive) pageTimings.onContentLoad = -1;
  const commented = comment === undefined ? har.log : { ...har.log, comment };
  return JSON.parse(JSON.stringify({ log: commented })) as Har; // Optional fields without a value are left out.
}

/**
 * The log as `chrome-har-capturer` wants it. It gives a request the priority it began with, since it reads a changed one
 * from a field that it never writes: so here a request begins with its last. And it takes no log without both of the
 * page's events, or with a failed document: those events are supplied, or left out.
 */
function completed(events: readonly DevToolsEvent[]) {
  const priorities = new Map<string, string>();
  for (const { method, params } of events) {
    if (method !== 'Network.resourceChangedPriority') continue;
    const { requestId, newPriority } = params as { requestId: string; newPriority: string };
    priorities.set(requestId, newPriority);
  }
  const first = events.find(({ method }) => method === 'Network.requestWillBeSent')?.params as RequestWillBeSent;
  const log = events
    .filter(
      ({ method, params }) =>
        method !== 'Network.loadingFailed' || (params as RequestWillBeSent).requestId !== first.requestId,
    )
    .map((event) => {
      if (event.method !== 'Network.requestWillBeSent') return event;
      const params = event.params as RequestWillBeSent;
      const initialPriority = priorities.get(params.requestId) ?? params.request.initialPriority;
      return { ...event, params: { ...params, request: { ...params.request, initialPriority } } };
    });
  const has = (method: string) => log.some((event) => event.method === method);
  const [loaded, interactive] = [has('Page.loadEventFired'), has('Page.domContentEventFired')];
  const at = { timestamp: first.timestamp };
  if (!interactive) log.push({ method: 'Page.domContentEventFired', params: at });
  if (!loaded) log.push({ method: 'Page.loadEventFired', params: at });
  return { log, loaded, interactive };
}

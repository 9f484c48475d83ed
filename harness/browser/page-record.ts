import type { CDPSession } from 'puppeteer-core';
import type { PageTimings, TimedRequest } from '../model/capture.ts';
import { readTimings } from './timings.ts';

/*
 * What an unwatched page says of its own load, asked once it is done: Navigation Timing and Resource Timing. A
 * browser keeps both for every page anyway, so this costs the load nothing.
 */

/** Has a page keep its record whole: browsers keep 250 requests otherwise, and some pages clear what was kept. */
export const KEEP_RECORD = `(() => {
  performance.setResourceTimingBufferSize(10000);
  const keep = () => {};
  Performance.prototype.clearResourceTimings = keep;
  Performance.prototype.setResourceTimingBufferSize = keep;
})()`;

/** The record of one page, frame or worker. */
interface OwnRecord {
  /** When its clock began, in milliseconds since 1970. */
  readonly originMs: number;
  /** How many frames a page has. */
  readonly frames: number;
  /** Times are by its own clock. */
  readonly requests: readonly TimedRequest[];
}

/** What a page and all its frames and workers loaded, in the order in which it was wanted, with the page's own times. */
export async function readRecord(
  session: CDPSession,
  children: readonly CDPSession[],
): Promise<{ readonly timings: PageTimings; readonly requests: readonly TimedRequest[] } | undefined> {
  // In a world of its own: the page's scripts may have put another clock in place of the machine's.
  const inFrame = async <T>(frameId: string, expression: string, of = session) => {
    const { executionContextId } = await of.send('Page.createIsolatedWorld', { frameId, worldName: 'photofinish' });
    return evaluate<T>(of, expression, executionContextId);
  };
  const { frameTree } = await session.send('Page.getFrameTree');
  const own = await inFrame<OwnRecord>(frameTree.frame.id, `(${readOwnRecord})('page')`);
  const timings = await inFrame<PageTimings>(frameTree.frame.id, `(${readTimings})()`);
  if (!own || !timings) return undefined;
  const inner = own.frames === 0 ? [] : framesBelow(frameTree);
  const records = await Promise.all([
    ...inner.map((id) => inFrame<OwnRecord>(id, `(${readOwnRecord})('frame')`)),
    ...children.map((child) => readChild(child, inFrame)),
  ]);
  const others = records.flatMap((record) =>
    record ? record.requests.map((request) => shifted(request, record.originMs - own.originMs)) : [],
  );
  const requests = [...own.requests, ...others].toSorted((a, b) => a.startMs - b.startMs);
  return { timings, requests };
}

/** The addresses of what a page's record does not have yet, of those that are awaited. */
export function missingIn(requests: readonly TimedRequest[], awaited: readonly string[]): readonly string[] {
  const came = new Set(requests.map(({ url }) => url));
  return awaited.filter((url) => !came.has(url));
}

/** Resolves once the record of a page has all of some addresses; the page is told of each that comes, and not asked. */
export async function awaitRecord(session: CDPSession, awaited: readonly string[]): Promise<void> {
  await evaluate(session, `(${whenArrived})(${JSON.stringify(awaited)})`);
}

interface FrameTree {
  readonly frame: { readonly id: string };
  readonly childFrames?: readonly FrameTree[];
}

function framesBelow({ childFrames = [] }: FrameTree): readonly string[] {
  return childFrames.flatMap((child) => [child.frame.id, ...framesBelow(child)]);
}

/** A frame with a process of its own, or a worker, which has no frames; one that has gone says nothing. */
async function readChild(
  child: CDPSession,
  inFrame: (frameId: string, expression: string, of: CDPSession) => Promise<OwnRecord | undefined>,
): Promise<OwnRecord | undefined> {
  try {
    const { frameTree } = await child.send('Page.getFrameTree');
    return await inFrame(frameTree.frame.id, `(${readOwnRecord})('frame')`, child);
  } catch {
    return evaluate<OwnRecord>(child, `(${readOwnRecord})('worker')`);
  }
}

/** What an expression comes to; undefined where the page has died meanwhile. */
export async function evaluate<T>(session: CDPSession, expression: string, contextId?: number): Promise<T | undefined> {
  const where = contextId === undefined ? {} : { contextId };
  const { result } = await session
    .send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true, ...where })
    .catch(() => ({ result: undefined }));
  return result?.value as T | undefined;
}

function shifted(request: TimedRequest, byMs: number): TimedRequest {
  const later = (ms: number | undefined) => (ms === undefined ? undefined : ms + byMs);
  const { startMs, fetchMs, connectMs, secureMs, connectedMs, sentMs, answeredMs, finishedMs } = request;
  const times = { connectMs, secureMs, connectedMs, sentMs, answeredMs };
  const moved = Object.entries(times).flatMap(([name, ms]) => (ms === undefined ? [] : [[name, later(ms)]]));
  return {
    ...request,
    startMs: startMs + byMs,
    fetchMs: fetchMs + byMs,
    finishedMs: finishedMs + byMs,
    ...Object.fromEntries(moved),
  };
}

/** Runs in the page, and so may use nothing from here. */
function readOwnRecord(of: 'page' | 'frame' | 'worker'): OwnRecord {
  const round = (ms: number) => Math.round(1000 * ms) / 1000;
  const describe = (entry: PerformanceResourceTiming & { responseStatus?: number; deliveryType?: string }) => {
    const connected = entry.connectEnd > entry.connectStart;
    // Chromium says of a worker's script when it began to run, which is after it came, and not when it was asked for.
    const { responseEnd } = entry;
    const isKnown = entry.startTime <= responseEnd;
    return {
      url: entry.name,
      initiator: entry.initiatorType,
      startMs: round(isKnown ? entry.startTime : responseEnd),
      fetchMs: round(isKnown ? entry.fetchStart : responseEnd),
      // Where a connection was there already all of these are the moment in which it was fetched.
      connectMs: connected ? round(entry.connectStart) : undefined,
      connectedMs: connected ? round(entry.connectEnd) : undefined,
      secureMs: connected && entry.secureConnectionStart > 0 ? round(entry.secureConnectionStart) : undefined,
      sentMs: isKnown && entry.requestStart > 0 ? round(entry.requestStart) : undefined,
      answeredMs: isKnown && entry.responseStart > 0 ? round(entry.responseStart) : undefined,
      finishedMs: round(responseEnd),
      status: entry.responseStatus ?? 0,
      protocol: entry.nextHopProtocol,
      transferredBytes: entry.transferSize,
      encodedBytes: entry.encodedBodySize,
      bytes: entry.decodedBodySize,
      // What the server said is still true was asked for over the network, whatever the browser calls it.
      fromCache: entry.transferSize === 0 && (entry.deliveryType === 'cache' || entry.decodedBodySize > 0),
    };
  };
  const entries = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
  // A frame's own page is an object of the page that it is in.
  const own = of === 'page' ? (performance.getEntriesByType('navigation') as PerformanceResourceTiming[]) : [];
  // A worker's clock may have been set to another time, which says by how much.
  const ahead = (globalThis as unknown as Record<symbol, number>)[Symbol.for('photofinish:steady')];
  const aheadMs = of === 'worker' && typeof ahead === 'number' ? ahead : 0;
  return {
    originMs: performance.timeOrigin - aheadMs,
    frames: of === 'worker' ? 0 : window.length,
    requests: [...own, ...entries].filter(({ name }) => /^https?:/.test(name)).map(describe),
  };
}

/** Runs in the page. */
function whenArrived(awaited: readonly string[]): Promise<void> {
  const missing = new Set(awaited);
  for (const { name } of performance.getEntriesByType('navigation')) missing.delete(name);
  return new Promise((resolve) => {
    const observer = new PerformanceObserver((list) => {
      see(list.getEntries());
    });
    const see = (entries: readonly { readonly name: string }[]) => {
      for (const { name } of entries) missing.delete(name);
      if (missing.size > 0) return;
      observer.disconnect();
      resolve();
    };
    observer.observe({ type: 'resource', buffered: true });
    see([]);
  });
}

import type { CDPSession } from 'puppeteer-core';
import type { TabCapture, TabObject } from '../model/capture.ts';
import type { Device } from '../model/device.ts';
import { watchHost } from '../system/host-load.ts';
import { within } from '../system/within.ts';
import { slowDown } from './emulate-device.ts';
import { type Ending, followBrowser } from './follow-browser.ts';
import type { LaunchedBrowser } from './launch.ts';
import type { LoadOptions } from './load.ts';
import { onLoadEvent } from './load-event.ts';
import { type OpenPage, openContext, openPageIn, type Visitor } from './visit.ts';

/** How long a tab may take to say what it loaded; one whose script never ends says nothing. */
const RECORD_MS = 10_000;

/**
 * A visitor who opens the same page in many tabs at once: one context, and so one cache and one set of connections. The
 * browser's log of hundreds of tabs would take more of the processor than their loading, so each is asked afterwards what
 * it loaded.
 */
export async function openTabs(launched: LaunchedBrowser, device: Device, count: number): Promise<Visitor> {
  await using undo = new AsyncDisposableStack();
  const context = undo.use(await openContext(launched));
  const pages: OpenPage[] = [];
  for (let number = 0; number < count; number += 1) {
    pages.push(await openPageIn(launched, context.id, device));
  }
  const kept = undo.move();
  return {
    load: (options) => loadAll(launched, pages, { ...options, cpuSlowdown: device.cpuSlowdown }),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/** Loads the page in all tabs at once; a browser that answers no more is found out by a pulse, as in any load. */
export async function loadAll(
  { browser, answers, inTime }: Pick<LaunchedBrowser, 'browser' | 'answers' | 'inTime'>,
  pages: readonly Pick<OpenPage, 'session'>[],
  options: Omit<LoadOptions, 'awaited'>,
) {
  const { url, timeoutMs, signal, cpuSlowdown = 1 } = options;
  if (cpuSlowdown > 1) await inTime(() => Promise.all(pages.map(({ session }) => slowDown(session, cpuSlowdown))));
  const observeHost = watchHost(browser.process()?.pid);
  const doneMs: (number | undefined)[] = pages.map(() => undefined);
  await using undo = new AsyncDisposableStack();
  const beganMs = monotonicMs();
  const { promise: ended, resolve } = Promise.withResolvers<Ending | undefined>();
  const { died, silence } = undo.use(followBrowser(browser, answers, resolve));
  const missing = () => doneMs.filter((ms) => ms === undefined).length;
  const timer = setTimeout(
    () =>
      resolve({ by: 'timeout', says: `not done after ${timeoutMs / 1000} s: ${missing()} of ${pages.length} tabs` }),
    timeoutMs,
  );
  const onAbort = () => resolve({ by: 'abort', says: 'the lab has no use for it any more' });
  signal.addEventListener('abort', onAbort);
  undo.defer(() => {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  });
  for (const [index, { session }] of pages.entries()) {
    // The clock of the browser's events is the machine's, as is this process's.
    onLoadEvent(session, (timestampS) => {
      doneMs[index] = timestampS * 1000 - beganMs;
      if (missing() === 0) resolve(undefined);
    });
    session.once('Inspector.targetCrashed', () =>
      resolve({ by: 'page-crash', says: `the renderer of tab ${index + 1} ended` }),
    );
    session.send('Page.navigate', { url }).then(({ errorText }) => {
      if (errorText) resolve({ by: 'network', says: `tab ${index + 1}: ${errorText}` });
    }, died);
  }
  const cut = await ended;
  const host = observeHost();
  const tabs = await Promise.all(
    pages.map(async ({ session }, index): Promise<TabCapture> => {
      const objects = browser.connected ? ((await within(RECORD_MS, readObjects(session))) ?? []) : [];
      return { objects, doneMs: doneMs[index] };
    }),
  );
  const said = tabs.every(({ objects }) => objects.length > 0);
  const ending = cut ?? (said && browser.connected ? undefined : await silence());
  return { capture: { events: [], digests: {}, tabs, ending }, host };
}

function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

/** What a tab loaded, by its own record; nothing where it has died, or is not of this origin. */
async function readObjects(session: CDPSession): Promise<readonly TabObject[]> {
  const { result } = await session
    .send('Runtime.evaluate', { expression: `(${listObjects})()`, returnByValue: true })
    .catch(() => ({ result: undefined }));
  return (result?.value as readonly TabObject[] | undefined) ?? [];
}

/** Runs in the page. */
function listObjects(): readonly TabObject[] {
  const entries = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')];
  return (entries as PerformanceResourceTiming[]).map(
    ({ name, decodedBodySize, transferSize, nextHopProtocol }) =>
      [new URL(name).pathname, decodedBodySize, transferSize, nextHopProtocol] as const,
  );
}

import type { Browser, CDPSession, Page } from 'puppeteer-core';
import type { Capture, DevToolsEvent, PageTimings } from '../model/capture.ts';

export interface LoadOptions {
  readonly url: string;
  readonly timeoutMs: number;
}

/** Loads a page once, cold: in a browser context of its own, which nothing is known to. */
export async function loadPage(browser: Browser, { url, timeoutMs }: LoadOptions): Promise<Capture> {
  const began = performance.now();
  const events: DevToolsEvent[] = [];
  const context = await browser.createBrowserContext();
  let outcome: Pick<Capture, 'timings' | 'error'>;
  try {
    const page = await context.newPage();
    const session = await page.createCDPSession();
    await record(session, events);
    outcome = await navigate(page, url, timeoutMs);
    await session.detach();
  } finally {
    await context.close();
  }
  return { url, events, ...outcome, wallMs: performance.now() - began };
}

const RECORDED_DOMAINS = ['Network', 'Page'] as const;

async function record(session: CDPSession, events: DevToolsEvent[]): Promise<void> {
  // The emitter calls who listens to everything with the event's name first, which its types do not say.
  const onEvent = (method: string | symbol, params: unknown) => {
    if (RECORDED_DOMAINS.some((domain) => String(method).startsWith(`${domain}.`)))
      events.push({ method: String(method), params });
  };
  session.on('*', onEvent as never);
  await Promise.all([session.send('Network.enable'), session.send('Page.enable')]);
}

async function navigate(page: Page, url: string, timeoutMs: number): Promise<Pick<Capture, 'timings' | 'error'>> {
  try {
    await page.goto(url, { waitUntil: 'load', timeout: timeoutMs });
    return { timings: await readTimings(page) };
  } catch (error) {
    return { error: (error as Error).message };
  }
}

/** The page's own clock. The load event's end is written after its handlers, so one turn of the page's loop is let go by. */
async function readTimings(page: Page): Promise<PageTimings> {
  return page.evaluate(async () => {
    const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
    while (entry!.loadEventEnd === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    return {
      ttfbMs: entry!.responseStart,
      domContentLoadedMs: entry!.domContentLoadedEventEnd,
      loadEventEndMs: entry!.loadEventEnd,
    };
  });
}

import { setTimeout } from 'node:timers/promises';
import type { Party } from '../run/trial.ts';

/*
 * A page load in which this program takes no part: a browser's context and page as any client opens them, a navigation,
 * and one question once all is over.
 */

/** How long a page that has been opened rests before it is told where to go, as a counted load's does. */
const REST_MS = 600;
/** How often a page is loaded, at most, until it is done when it is asked; each time after twice the wait. */
const ATTEMPTS = 4;

/** What Puppeteer attaches itself to: tabs, and what they have in them. */
const PUPPETEER_FILTER = [{ type: 'page', exclude: true }, {}];

/** What a page says of its own load. */
interface OwnWords {
  readonly loadEventEndMs: number;
  readonly requests: number;
}

/**
 * Loads a page bare, asks it for its load time after `waitMs`, and returns it. Puppeteer attaches itself to every page
 * that is opened, so it is told to leave this one alone.
 */
export async function loadBare({ launched, trial, beginLoad }: Party, waitMs: number): Promise<number> {
  const { root } = launched;
  const connection = root.connection()!;
  const leaveAll = { autoAttach: false, waitForDebuggerOnStart: false, flatten: true };
  const attachAll = { autoAttach: true, waitForDebuggerOnStart: true, flatten: true, filter: PUPPETEER_FILTER };
  await connection.send('Target.setAutoAttach', leaveAll);
  beginLoad?.();
  try {
    for (let attempt = 1; ; attempt += 1) {
      const waitedMs = waitMs * 2 ** (attempt - 1);
      // As a load that counts: the order of a browser and its server on few cores decides a tenth of a quick load.
      const { loadEventEndMs, requests } = await launched.inFront(() => loadOnce(launched, trial, waitedMs), 'timed');
      if (loadEventEndMs > 0 && requests >= leastRequests(trial)) return loadEventEndMs;
      const says = `${requests} requests of ${leastRequests(trial)}, the load event after ${loadEventEndMs} ms`;
      if (attempt === ATTEMPTS) throw new Error(`${trial.page.url}, bare, after ${waitedMs} ms: ${says}`);
    }
  } finally {
    await connection.send('Target.setAutoAttach', attachAll);
  }
}

/** By default a browser keeps at most 250 requests of a page. */
function leastRequests({ page }: Party['trial']): number {
  return Math.min(250, page.objects.filter(({ required }) => required).length - 1);
}

async function loadOnce(
  { root }: Party['launched'],
  { page, device }: Party['trial'],
  waitMs: number,
): Promise<OwnWords> {
  const { browserContextId } = await root.send('Target.createBrowserContext', {});
  try {
    const { width, height } = device;
    const opened = await root.send('Target.createTarget', { url: 'about:blank', browserContextId, width, height });
    const { sessionId } = await root.send('Target.attachToTarget', { targetId: opened.targetId, flatten: true });
    const session = root.connection()!.session(sessionId)!;
    await setTimeout(REST_MS);
    await session.send('Page.navigate', { url: page.url });
    await setTimeout(waitMs);
    const { result } = await session.send('Runtime.evaluate', { expression: `(${sayTimes})()`, returnByValue: true });
    return result.value as OwnWords;
  } finally {
    await root.send('Target.disposeBrowserContext', { browserContextId });
  }
}

/** Runs in the page. */
function sayTimes(): OwnWords {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return {
    loadEventEndMs: navigation?.loadEventEnd ?? 0,
    requests: performance.getEntriesByType('resource').length,
  };
}

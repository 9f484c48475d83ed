import type { LaunchedBrowser } from '../browser/launch.ts';
import { openFirstVisitor } from '../browser/visit.ts';
import { awaitedUrls } from '../model/page.ts';
import type { Trial, TrialCapture } from './trial.ts';

/**
 * Has a browser load pages only to warm up its processes: no other witness is asked what was seen, so
 * several browsers may do so at once. One that dies meanwhile says nothing more, and the next load with it fails.
 */
export async function warmUp(launched: LaunchedBrowser, trials: readonly Trial[]): Promise<TrialCapture[]> {
  const captures: TrialCapture[] = [];
  try {
    for (const trial of trials) captures.push(await loadOnce(launched, trial));
  } catch (error) {
    if (launched.browser.connected) throw error;
  }
  return captures;
}

async function loadOnce(launched: LaunchedBrowser, { page, device, timeoutMs, watched }: Trial): Promise<TrialCapture> {
  const beganMs = performance.now();
  await using visitor = await openFirstVisitor(launched, device);
  const signal = new AbortController().signal;
  const awaited = awaitedUrls(page);
  const { capture, host } = await visitor.load({ url: page.url, timeoutMs, awaited, watched, signal });
  return { page, browser: capture, host, server: [], wallMs: performance.now() - beganMs };
}

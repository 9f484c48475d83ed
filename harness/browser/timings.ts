import type { PageTimings } from '../model/capture.ts';

/** Reads the page's own clock; runs in the page, after its load event, and so may use nothing from here. */
export async function readTimings(): Promise<PageTimings> {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
  // The load event's end is written after its handlers, so a turn or two of the page's loop are let go by; and what came
  // just before it is painted with the next frame.
  for (let turn = 0; turn < 1000 && navigation!.loadEventEnd === 0; turn += 1) await pause(1);
  const fcp = () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime;
  for (let turn = 0; turn < 25 && fcp() === undefined; turn += 1) await pause(4);
  // What the load event waited for last is painted with the next frame, and told of after it.
  const frame = () => Promise.race([new Promise((resolve) => requestAnimationFrame(resolve)), pause(100)]);
  await frame();
  await frame();
  const observed = <Entry>(type: string) => {
    const observer = new PerformanceObserver(() => {});
    observer.observe({ type, buffered: true });
    return observer.takeRecords() as unknown as readonly Entry[];
  };
  // The worst window of shifts less than a second apart, five seconds at the most (web.dev/articles/cls).
  let [cls, inWindow, windowStart, previous] = [0, 0, Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const shift of observed<{ startTime: number; value: number; hadRecentInput: boolean }>('layout-shift')) {
    if (shift.hadRecentInput) continue;
    if (shift.startTime - previous >= 1000 || shift.startTime - windowStart >= 5000) {
      windowStart = shift.startTime;
      inWindow = 0;
    }
    previous = shift.startTime;
    inWindow += shift.value;
    cls = Math.max(cls, inWindow);
  }
  // Chromium 156 takes the blanks between images for a text, and so for the largest of contents before there is any.
  const first = fcp() ?? 0;
  const lcp = observed<{ startTime: number }>('largest-contentful-paint').findLast(
    ({ startTime }) => startTime >= first,
  );
  const done = performance.getEntriesByName('photofinish:done')[0]?.startTime;
  return {
    originMs: performance.timeOrigin,
    ttfbMs: navigation!.responseStart,
    domContentLoadedMs: navigation!.domContentLoadedEventEnd,
    loadEventEndMs: navigation!.loadEventEnd,
    fcpMs: fcp(),
    lcpMs: lcp?.startTime,
    cls,
    doneMs: done,
  };
}

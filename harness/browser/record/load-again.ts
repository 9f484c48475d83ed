import { rmSync } from 'node:fs';
import type { BrowserCapture } from '../../model/capture.ts';
import { UsageError } from '../../model/errors.ts';
import type { LiveLoad, Waited } from '../../model/recording.ts';
import { renderRecordingFlags } from '../flags.ts';
import type { LaunchedBrowser } from '../launch.ts';
import { chromiumAt } from '../program.ts';
import { openFirstVisitor } from '../visit.ts';
import { readRequests } from './devtools-requests.ts';
import { joinExchanges } from './exchanges.ts';
import { estimateRate } from './link-rate.ts';
import { farthestMs, type NetLog, readNetLog } from './net-log.ts';
import type { RecordOptions } from './record-page.ts';
import { withBrowser } from './recording-browser.ts';

const TIMEOUT_MS = 120_000;

/** A load of a page from its real servers. */
export interface LoadedAgain extends Pick<LiveLoad, 'pltMs' | 'downKbps'> {
  /** What it had to wait for. */
  readonly waited: readonly Waited[];
}

/**
 * Loads a page as first visitors do, a few times, one after the other, by a browser that is warm: how long it takes,
 * how fast it comes, and how long its servers think. The load that is recorded tells less of that: its browser is not
 * warm, and writes all of it down.
 */
export async function loadAgain(
  options: Pick<RecordOptions, 'url' | 'chromium' | 'folder' | 'device' | 'insecure' | 'resolved'> & {
    readonly signal: AbortSignal;
  },
  loads: number,
): Promise<readonly LoadedAgain[]> {
  const { chromium, folder } = options;
  const netLog = `${folder}/net-log.json`;
  const flags = renderRecordingFlags({ ...options, profile: `${folder}/profile`, netLog, logsContents: false });
  const loaded: Loaded[] = [];
  try {
    await withBrowser({ program: chromiumAt(chromium), flags, folder, signal: options.signal }, async (launched) => {
      // Names are known then, and code is compiled.
      await loadOnce(launched, options);
      for (let load = 0; load < loads; load += 1) loaded.push(await loadOnce(launched, options));
    });
    // The log is whole once its browser has ended.
    const log = await readNetLog(netLog);
    return loaded.map((each) => seenOf(each, log));
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** A load that was made; times are by the machine's steady clock, which the browser's log goes by. */
interface Loaded {
  readonly pltMs: number;
  readonly capture: BrowserCapture;
  readonly fromMs: number;
  readonly untilMs: number;
}

function seenOf({ capture, fromMs, untilMs, pltMs }: Loaded, log: NetLog): LoadedAgain {
  const isIn = (ms: number) => ms >= fromMs && ms <= untilMs;
  const hops = log.hops.filter(({ startedMs }) => isIn(startedMs));
  const downKbps = estimateRate(
    log.arrivals.filter(({ atMs }) => isIn(atMs)),
    farthestMs(log),
  );
  const { exchanges } = joinExchanges({ ...log, hops }, readRequests(capture.events).requests, fromMs);
  return {
    pltMs,
    downKbps,
    // An answer that the page's end cut off has no protocol.
    waited: exchanges.filter(({ protocol }) => protocol !== undefined),
  };
}

function steadyMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

async function loadOnce(
  launched: LaunchedBrowser,
  { url, device, signal }: Parameters<typeof loadAgain>[0],
): Promise<Loaded> {
  await using visitor = await openFirstVisitor(launched, device);
  const fromMs = steadyMs();
  const { capture } = await visitor.load({ url, timeoutMs: TIMEOUT_MS, awaited: [], watched: true, signal });
  if (!capture.timings)
    throw new UsageError(`${url} did not load again: ${capture.ending?.says ?? 'the page no longer answered'}`);
  return { pltMs: capture.timings.loadEventEndMs, capture, fromMs, untilMs: steadyMs() };
}

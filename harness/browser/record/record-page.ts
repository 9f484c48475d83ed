import { rmSync, statSync } from 'node:fs';
import type { CDPSession, Page } from 'puppeteer-core';
import type { Device } from '../../model/device.ts';
import { UsageError } from '../../model/errors.ts';
import { describeHeld, isHeldWell } from '../../model/held.ts';
import type { LiveLoad, SeenPage } from '../../model/recording.ts';
import { findConfinement } from '../../system/confinement.ts';
import { within } from '../../system/within.ts';
import { emulateDevice } from '../emulate-device.ts';
import { followTargets, prepareTarget, type TargetInfo } from '../every-target.ts';
import { type RecordedOver, type ResolvedName, renderRecordingFlags } from '../flags.ts';
import type { LaunchedBrowser } from '../launch.ts';
import { onLoadEvent } from '../load-event.ts';
import { chromiumAt } from '../program.ts';
import type { Steadiness } from '../steady-script.ts';
import { readTimings } from '../timings.ts';
import { answerDialogs } from '../visit.ts';
import { withoutPrivate } from './address-space.ts';
import { type RecordedEvent, readRequests } from './devtools-requests.ts';
import { joinExchanges } from './exchanges.ts';
import { estimateRate } from './link-rate.ts';
import { farthestMs, readNetLog } from './net-log.ts';
import { withBrowser } from './recording-browser.ts';
import { type Scrolled, scrollThrough } from './scroll.ts';
import { recordUndisturbed } from './undisturbed.ts';

export interface RecordOptions {
  readonly url: string;
  readonly chromium: string;
  /** A folder for this recording alone: it holds the browser's profile and its log until the recording is done. */
  readonly folder: string;
  readonly device: Device;
  /** The seed of the random numbers that the page's scripts are given. */
  readonly seed: number;
  readonly insecure: boolean;
  /** The digest of the key of a certificate that Photofinish made; absent where there is none. */
  readonly spki?: string;
  readonly resolved: readonly ResolvedName[];
  /** The transports that it may come over; absent: those that the browser chooses. */
  readonly over?: RecordedOver | undefined;
  /** The network namespace that the browser runs in. */
  readonly namespace?: string;
  /** How far the page's clock is ahead of this machine's. */
  readonly aheadMs?: number;
  /** How long to stay when all is quiet. */
  readonly waitMs: number;
  /** How long the page itself may take to answer, and how much of all may be written down; what is more is not waited for. */
  readonly limits?: { readonly answerMs: number; readonly logBytes: number };
  /** What a visitor does once the page has loaded, before it is scrolled. */
  readonly act?: ((page: Page) => Promise<unknown>) | undefined;
  /** Ends the recording at once. */
  readonly signal: AbortSignal;
}

const LOAD_TIMEOUT_MS = 120_000;
/** The log has contents in more than one form: a page that fills it has some 300 MB. */
const LIMITS = { answerMs: LOAD_TIMEOUT_MS, logBytes: 1_500_000_000 } as const;
const LOOK_MS = 100;
const ACT_TIMEOUT_MS = 300_000;
/** More than all that is waited for in a visit. */
const VISIT_MS = 900_000;
const SCROLL = { screens: 200, pauseMs: 250 } as const;
const QUIET_MS = 1_000;
const LONG_QUIET_MS = 4_000;
const POLL_MS = 50;
const QUIET_TIMEOUT_MS = 15_000;
const RECORDED = /^(Network|Page)\./;

/** Opens a page as a first visitor, scrolls through all of it, and reports every answer that came. */
export function recordPage(options: RecordOptions): Promise<SeenPage> {
  return recordUndisturbed(() => recordOnce(options), options.signal);
}

async function recordOnce(options: RecordOptions): Promise<SeenPage> {
  const { url, folder, device, seed, signal } = options;
  const [profile, netLog] = [`${folder}/profile`, `${folder}/net-log.json`];
  const flags = renderRecordingFlags({ ...options, profile, netLog, logsContents: true });
  const events: RecordedEvent[] = [];
  try {
    const program = chromiumAt(options.chromium);
    const { by, visit } = await withBrowser({ ...options, program, flags }, async (launched) => {
      signal.throwIfAborted(); // The listener below hears only of what comes from now on.
      const { browser, version, inTime } = launched;
      const stop = () => void browser.close().catch(() => {});
      signal.addEventListener('abort', stop, { once: true });
      const see = () => visitPage(launched, { ...options, netLog }, events);
      const visit = await inTime(see, VISIT_MS + options.waitMs);
      signal.removeEventListener('abort', stop);
      return { by: version, visit };
    });
    const told = readRequests(events);
    // The log is whole once its browser has ended.
    const log = await readNetLog(netLog);
    const { exchanges: all, failed, untold } = joinExchanges(log, told.requests, visit.beganMs);
    const { exchanges, leftOut } = withoutPrivate(all);
    const held = await findConfinement(program.path);
    return {
      url,
      atMs: visit.atMs,
      seed,
      device: device.name,
      by,
      exchanges,
      leftOut: [...told.streams, ...failed, ...leftOut],
      live: visit.pltMs === undefined ? undefined : liveLoad(visit.pltMs, estimateRate(log.arrivals, farthestMs(log))),
      notes: [
        ...visit.notes,
        ...(isHeldWell(held) ? [] : [describeHeld(held)]),
        ...(untold > 0
          ? [`${untold} requests of service workers or the like were recorded by the network log alone`]
          : []),
      ],
    };
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 }); // Secrets and all.
  }
}

interface Visit {
  readonly atMs: number;
  /** When the visit began, by the browser's clock. */
  readonly beganMs: number;
  readonly pltMs?: number | undefined;
  readonly notes: readonly string[];
}

async function visitPage(
  { browser, root, version, inTime }: LaunchedBrowser,
  options: RecordOptions & { readonly netLog: string },
  events: RecordedEvent[],
): Promise<Visit> {
  const { url, device, seed, aheadMs = 0, act, waitMs, limits = LIMITS } = options;
  const notes: string[] = [];
  const sessions = new Map<string, CDPSession>();
  const underWay = new Set<string>();
  let ownId: string | undefined;
  followTargets(root, (session, target) => {
    sessions.set(target.targetId, session);
    session.on('*', ((method: string | symbol, params: unknown) => {
      if (!RECORDED.test(String(method))) return;
      const event = { method: String(method), params, ofPage: target.targetId === ownId };
      events.push(event);
      follow(underWay, event);
    }) as never);
    watch(session, target, { seed, aheadMs });
  });
  const { page, session } = await inTime(async () => {
    const { browserContextId } = await root.send('Target.createBrowserContext', { disposeOnDetach: true });
    const { targetId } = await root.send('Target.createTarget', { url: 'about:blank', browserContextId });
    ownId = targetId;
    const target = await browser.waitForTarget((each) => idOf(each) === targetId, { timeout: 30_000 });
    const page = (await target.page())!;
    // Another session of its own would tell everything twice.
    const session = sessions.get(targetId)!;
    answerDialogs(session);
    await Promise.all([session.send('Page.enable'), emulateDevice(session, device, version)]);
    await root.send('Browser.setDownloadBehavior', { behavior: 'deny', browserContextId });
    return { page, session };
  });

  const loaded = new Promise<boolean>((resolve) => {
    const timer = setTimeout(() => resolve(false), LOAD_TIMEOUT_MS);
    onLoadEvent(session, () => {
      clearTimeout(timer);
      resolve(true);
    });
    browser.once('disconnected', () => {
      clearTimeout(timer);
      resolve(false);
    });
  });
  const atMs = Date.now();
  let isFull = false;
  const full = Promise.withResolvers<false>();
  using _watch = watchLog(options.netLog, limits.logBytes, () => {
    isFull = true;
    full.resolve(false);
    notes.push(`it had no end: no more was taken after ${Math.round(limits.logBytes / 1e6)} MB of its browser's log`);
    // Whatever is under way ends, and nothing begins any more.
    for (const each of sessions.values()) {
      const offline = { offline: true, latency: 0, downloadThroughput: 0, uploadThroughput: 0 };
      each.send('Network.emulateNetworkConditions', offline).catch(() => {});
      each.send('Page.stopLoading').catch(() => {});
    }
  });
  const silent = () => {
    throw new UsageError(`${url} cannot be opened: it did not answer within ${limits.answerMs / 1000} s`);
  };
  const { errorText } = await within(limits.answerMs, session.send('Page.navigate', { url }), silent);
  if (errorText) throw new UsageError(`${url} cannot be opened: ${errorText}${adviceOn(errorText)}`);
  const whole = await Promise.race([loaded, full.promise]);
  if (!whole && !isFull) notes.push(`the page's load event had not come after ${LOAD_TIMEOUT_MS / 1000} s`);
  const timings = whole ? await evaluate(session, `(${readTimings})()`, 20_000) : undefined;
  const lookAround = async () => {
    if (act) await within(ACT_TIMEOUT_MS, act(page), tooLong);
    const scrolled = await evaluate<Scrolled>(
      session,
      `(${scrollThrough})(${SCROLL.screens}, ${SCROLL.pauseMs})`,
      SCROLL.screens * SCROLL.pauseMs * 3,
    );
    if (!scrolled) notes.push('the page did not let itself be scrolled');
    if (scrolled && !scrolled.ended) notes.push(`the page has no end: it was left after ${scrolled.screens} screens`);
    if (!(await quiet(events, underWay))) notes.push(`its network was not quiet after ${QUIET_TIMEOUT_MS / 1000} s`);
    await pause(waitMs);
  };
  // What had no end is not looked at any further.
  if (!isFull) await Promise.race([lookAround(), full.promise]);
  const beganMs = beginning(events);
  const { loadEventEndMs } = (timings ?? {}) as { loadEventEndMs?: number };
  return { atMs, beganMs, pltMs: loadEventEndMs || undefined, notes };
}

/** Calls back, once, when a file has reached `mostBytes`; a page may send without an end. */
function watchLog(file: string, mostBytes: number, isFull: () => void): Disposable {
  const look = () => {
    if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) < mostBytes) return;
    clearInterval(timer);
    isFull();
  };
  const timer = setInterval(look, LOOK_MS);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

function idOf(target: unknown): string {
  return (target as { readonly _targetId: string })._targetId;
}

/** Bodies are in the network log: DevTools need keep none. */
function watch(session: CDPSession, target: TargetInfo, steadiness: Steadiness): void {
  const commands = [
    session.send('Network.enable', { maxTotalBufferSize: 1, maxResourceBufferSize: 1, maxPostDataSize: 1_000_000 }),
    ...prepareTarget(session, target, steadiness),
  ];
  for (const command of commands) command.catch(() => {}); // It has gone, or cannot do that.
}

function tooLong(): never {
  throw new UsageError(`--script: it took longer than ${ACT_TIMEOUT_MS / 1000} s`);
}

function adviceOn(error: string): string {
  if (/ERR_CERT/.test(error)) return '; --insecure accepts certificates that are not valid';
  if (/ERR_CONNECTION_REFUSED/.test(error)) return '; nothing listens there: start your server first';
  return /ERR_NAME_NOT_RESOLVED/.test(error) ? '; no such host is known: check its name' : '';
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** What an expression comes to in the page; undefined where it has gone or takes too long. */
function evaluate<T>(session: CDPSession, expression: string, limitMs: number): Promise<T | undefined> {
  const answer = session
    .send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true })
    .then(({ result }) => result.value as T | undefined)
    .catch(() => undefined);
  return within(limitMs, answer);
}

/**
 * Resolves once nothing is under way and nothing has been asked for or answered for a while, or for a longer while where
 * the end of something is never told; with false where that does not come.
 */
async function quiet(events: readonly RecordedEvent[], underWay: ReadonlySet<string>): Promise<boolean> {
  const untilMs = performance.now() + QUIET_TIMEOUT_MS;
  let [count, sinceMs] = [-1, performance.now()];
  while (performance.now() < untilMs) {
    if (events.length !== count) [count, sinceMs] = [events.length, performance.now()];
    if (performance.now() - sinceMs >= (underWay.size === 0 ? QUIET_MS : LONG_QUIET_MS)) return true;
    await pause(POLL_MS);
  }
  return false;
}

/** Notes the beginning and the end of requests; a stream of events has no end. */
function follow(underWay: Set<string>, { method, params }: RecordedEvent): void {
  const { requestId, type } = params as { readonly requestId: string; readonly type?: string };
  if (method === 'Network.requestWillBeSent' && type !== 'EventSource') underWay.add(requestId);
  if (method === 'Network.loadingFinished' || method === 'Network.loadingFailed') underWay.delete(requestId);
}

function beginning(events: readonly RecordedEvent[]): number {
  const first = events.find(
    ({ method, params }) =>
      method === 'Network.requestWillBeSent' && /^https?:/.test((params as { request: { url: string } }).request.url),
  );
  return ((first?.params as { timestamp: number } | undefined)?.timestamp ?? 0) * 1000;
}

function liveLoad(pltMs: number, downKbps: number | undefined): LiveLoad {
  return { pltMs, downKbps };
}

import { createHash } from 'node:crypto';
import type { CDPSession } from 'puppeteer-core';
import {
  type BrowserCapture,
  type DevToolsEvent,
  type HostLoad,
  KEPT_BYTES,
  type PageTimings,
  type TransferProgress,
  type UploadReport,
} from '../model/capture.ts';
import { watchHost } from '../system/host-load.ts';
import { within } from '../system/within.ts';
import { readSlowdown, slowDown } from './emulate-device.ts';
import { startFilm } from './film.ts';
import { type Ending, followBrowser, SILENT } from './follow-browser.ts';
import type { LaunchedBrowser } from './launch.ts';
import { isPageItself } from './load-event.ts';
import { awaitRecord, evaluate, missingIn, readRecord } from './page-record.ts';

export interface LoadOptions {
  readonly url: string;
  readonly timeoutMs: number;
  /** Addresses without which the load is not whole, whatever its load event says. */
  readonly awaited: readonly string[];
  /** Has it hear of frames and workers that have targets of their own, whose requests are the page's too. */
  readonly followChildren?: FollowChildren | undefined;
  /** Ends the load at once: something of the lab has died. */
  readonly signal: AbortSignal;
  /** Whether the browser logs each request, which the page pays for. */
  readonly watched?: boolean | undefined;
  /** How many frames have passed the link: where none do for a while, nothing more will come. */
  readonly framesPassed?: (() => number) | undefined;
  /** Whether pictures are taken, which are events of the log then. */
  readonly filmed?: boolean | undefined;
  /** What is sent by the page's form once the page is there. */
  readonly upload?: UploadTask | undefined;
  /** How many times as slowly the page and its frames compute while it is loaded; workers do not. Absent: as fast as they can. */
  readonly cpuSlowdown?: number | undefined;
}

/** Calls `begin` for each new target of a page, its requests logged or not, until the function returned is called. */
export type FollowChildren = (watched: boolean, begin: (session: CDPSession) => void) => () => void;

/** Probes that are under way; their end brings when each was sent, since 1970, and how long it took. */
export interface RunningProbe extends AsyncDisposable {
  finish(): Promise<readonly { readonly sentMs: number; readonly tookMs: number }[]>;
}

/** A file that a page is to send, and what is done meanwhile. */
export interface UploadTask {
  readonly file: string;
  /** Begins to probe the link. */
  readonly probe: () => Promise<RunningProbe>;
}

/** What has not been asked for when the network has been quiet for this long will not come. */
const GIVE_UP_MS = 2_000;
const RECORDED = /^(Network|Page|Inspector)\./;
const RECORDED_OF_CHILDREN = /^Network\./;

/** How much content a browser is told to keep: of each resource, and of a target in all. */
export const BUFFERS = { maxResourceBufferSize: KEPT_BYTES, maxTotalBufferSize: 64_000_000 };

/** A load that is under way, as far as it is known from outside. */
interface FollowedLoad {
  see(event: DevToolsEvent): void;
  /** Whether the page's load event has come. */
  loaded(): boolean;
  /** Resolves once all that is awaited has come, or will not come any more; asked after the load event. */
  whole(): Promise<void>;
  /** What has not come yet, in words. */
  missing(): Promise<string>;
  [Symbol.dispose](): void;
}

/**
 * Loads a page and brings back what is known of it. What goes wrong with the page is part of that. While an unwatched
 * load is under way the page pays for nothing but its own work: the browser tells of frames and of the load event, and
 * the page's record is read afterwards.
 */
export async function load(
  { browser, answers, inTime }: Pick<LaunchedBrowser, 'browser' | 'answers' | 'inTime'>,
  session: CDPSession,
  options: LoadOptions,
): Promise<{ readonly capture: BrowserCapture; readonly host: HostLoad }> {
  const { url, timeoutMs, awaited, signal, watched = false, filmed, upload, followChildren, cpuSlowdown = 1 } = options;
  const events: DevToolsEvent[] = [];
  await using undo = new AsyncDisposableStack();
  const children: CDPSession[] = [];
  const log = followLog(awaited);
  const followed: FollowedLoad = undo.use(watched ? log : followPage(session, children, options));
  const sessionOf = new Map<string, CDPSession>();
  await inTime(async () => {
    if (watched) await session.send('Network.enable', BUFFERS);
    if (filmed) await startFilm(session);
    if (cpuSlowdown > 1) await slowDown(session, cpuSlowdown);
  });
  const probe = undo.use(await upload?.probe()); // Before the load: it takes the processor for a moment.
  const sendingMs = { from: 0, to: Number.POSITIVE_INFINITY };
  let report: UploadReport | undefined;
  let commandedMs = 0;
  let loadEventSeenMs = 0;
  const observeHost = watchHost(browser.process()?.pid);
  let host: HostLoad | undefined;
  const { promise: ended, resolve, reject } = Promise.withResolvers<Ending | undefined>();
  const { ask, died, silence } = undo.use(followBrowser(browser, answers, resolve));
  const afterLoadEvent = async () => {
    await followed.whole();
    if (upload) {
      sendingMs.from = Date.now();
      report = await sendFile(session, upload.file);
      sendingMs.to = Date.now();
    }
    resolve(undefined);
  };
  const timer = setTimeout(() => {
    const says = (what: string) => resolve({ by: 'timeout', says: `not done after ${timeoutMs / 1000} s: ${what}` });
    const askWhy = async () => {
      if (!(await ask(true))) return says(SILENT);
      says((await within(MISSING_MS, followed.missing())) ?? 'the page no longer answers');
    };
    askWhy().catch(died);
  }, timeoutMs);
  const beganMs = monotonicMs();
  commandedMs = Date.now();
  let arrived = false;
  const see = (event: DevToolsEvent) => {
    if (watched || event.method === 'Page.screencastFrame') events.push(event);
    followed.see(event);
    if (event.method === 'Inspector.targetCrashed') resolve({ by: 'page-crash', says: 'the renderer ended' });
    if (!followed.loaded() || arrived) return;
    arrived = true;
    loadEventSeenMs = (event.params as { timestamp: number }).timestamp * 1000 - beganMs;
    if (!upload) host = observeHost();
    afterLoadEvent().catch(died);
  };
  // The emitter passes the event's name first to a listener for all events, which its types do not say.
  const onEvent = (method: string | symbol, params: unknown) => {
    try {
      if (RECORDED.test(String(method))) see({ method: String(method), params });
    } catch (error) {
      reject(error as Error); // An error in a listener would end this process.
    }
  };
  const onAbort = () => resolve({ by: 'abort', says: 'the lab has no use for it any more' });
  session.on('*', onEvent as never);
  const unfollow = followChildren?.(watched, (child) => {
    children.push(child);
    if (cpuSlowdown > 1) slowDown(child, cpuSlowdown).catch(() => {}); // A worker cannot do that.
    if (!watched) return;
    const onChildEvent = (method: string | symbol, params: unknown) => {
      if (!RECORDED_OF_CHILDREN.test(String(method))) return;
      sessionOf.set((params as { requestId: string }).requestId, child);
      see({ method: String(method), params });
    };
    child.on('*', onChildEvent as never);
    undo.defer(() => void child.off('*', onChildEvent as never));
  });
  if (unfollow) undo.defer(unfollow);
  signal.addEventListener('abort', onAbort);
  undo.defer(() => {
    clearTimeout(timer);
    session.off('*', onEvent as never);
    signal.removeEventListener('abort', onAbort);
  });
  session.send('Page.navigate', { url }).then(({ errorText }) => {
    if (errorText) resolve({ by: 'network', says: errorText });
  }, died);
  const cut = await ended;
  host ??= observeHost();
  const roundTripsMs = (await probe?.finish())
    ?.filter(({ sentMs }) => sentMs >= sendingMs.from && sentMs <= sendingMs.to)
    .map(({ tookMs }) => tookMs);
  const alive = followed.loaded() && (cut === undefined || cut.by === 'timeout');
  const read = alive
    ? await within(
        ANSWER_MS,
        readRecord(session, children).catch(() => undefined),
      )
    : undefined;
  const digests =
    watched && cut === undefined
      ? ((await within(
          ANSWER_MS,
          takeDigests((id) => sessionOf.get(id) ?? session, log.finished()),
        )) ?? {})
      : {};
  const progressed = alive
    ? await within(ANSWER_MS, evaluate<TransferProgress>(session, 'window.photofinishProgress'))
    : undefined;
  const slowdown = cpuSlowdown > 1 && alive ? await within(ANSWER_MS, readSlowdown(session)) : undefined;
  const ending = cut ?? (read && browser.connected ? undefined : await silence());
  return {
    capture: {
      events,
      digests,
      cpuSlowdown: slowdown,
      timings: read?.timings,
      record: read && {
        requests: read.requests,
        loadEventSeenMs: loadEventSeenMs - startDelayMs(commandedMs, read.timings),
      },
      upload: report,
      roundTripsMs,
      progress: progressed,
      ending,
    },
    host,
  };
}

/** How long a browser took to begin with a page once it was commanded to: no visitor waits for that. */
export function startDelayMs(commandedMs: number, { originMs = commandedMs }: PageTimings): number {
  return Math.max(0, originMs - commandedMs);
}

function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

/** Has the page's form send a file, as a visitor does; resolves with what the page says of it once it is done. */
async function sendFile(session: CDPSession, file: string): Promise<UploadReport> {
  const { root } = await session.send('DOM.getDocument', { depth: 0 });
  const { nodeId } = await session.send('DOM.querySelector', { nodeId: root.nodeId, selector: '#file' });
  await session.send('DOM.setFileInputFiles', { nodeId, files: [file] });
  const expression =
    "new Promise((done) => { window.photofinishSent = done; document.getElementById('send').click(); })";
  const report = await evaluate<UploadReport>(session, expression);
  if (!report) throw new Error('the page no longer answered');
  return report;
}

/** Follows a load by the browser's log, request by request. */
function followLog(awaited: readonly string[]): FollowedLoad & { finished(): readonly string[] } {
  const missing = new Set(awaited);
  // What is awaited comes by GET: a request that asks otherwise brings nothing of it.
  const addresses = new Map<string, string | undefined>();
  const underWay = new Set<string>();
  const finished: string[] = [];
  let loaded = false;
  let givingUp: NodeJS.Timeout | undefined;
  let end = () => {};
  const checkWhole = () => {
    clearTimeout(givingUp);
    if (missing.size === 0) end();
    else if (underWay.size === 0) givingUp = setTimeout(() => end(), GIVE_UP_MS);
  };
  return {
    see({ method, params }) {
      const { requestId, request } = params as { requestId: string; request?: { url: string; method: string } };
      // The event of the empty page before may still be due.
      if (method === 'Page.loadEventFired') loaded = addresses.size > 0;
      if (method === 'Network.requestWillBeSent' && /^https?:/.test(request!.url)) {
        addresses.set(requestId, request!.method === 'GET' ? request!.url : undefined);
        underWay.add(requestId);
      }
      if (method === 'Network.loadingFinished' || method === 'Network.loadingFailed') {
        underWay.delete(requestId);
        missing.delete(addresses.get(requestId)!);
        if (method === 'Network.loadingFinished' && addresses.has(requestId)) finished.push(requestId);
      }
      if (loaded) checkWhole();
    },
    loaded: () => loaded,
    whole: () =>
      new Promise((resolve) => {
        end = resolve;
        checkWhole();
      }),
    missing: async () => (missing.size === 0 ? 'no load event' : namesOf([...missing])),
    /** Requests whose answers have come, by the log's numbers. */
    finished: () => finished,
    [Symbol.dispose]: () => clearTimeout(givingUp),
  };
}

/** Follows an unwatched load: by the frames' events, and once the page is there by its own record. */
function followPage(
  session: CDPSession,
  children: readonly CDPSession[],
  { awaited, framesPassed = () => 0 }: Pick<LoadOptions, 'awaited' | 'framesPassed'>,
): FollowedLoad {
  let [committed, loaded, hasFrames] = [false, false, false];
  let watch: NodeJS.Timeout | undefined;
  const missingNow = async () => missingIn((await readRecord(session, children))?.requests ?? [], awaited);
  return {
    see({ method, params }) {
      // The event of the empty page before may still be due.
      if (method === 'Page.loadEventFired') loaded ||= committed;
      if (method !== 'Page.frameNavigated') return;
      const { frame } = params as { frame: { parentId?: string; url: string } };
      if (frame.parentId !== undefined) hasFrames = true;
      else committed ||= isPageItself(frame);
    },
    loaded: () => loaded,
    async whole() {
      let [frames, sinceMs] = [framesPassed(), performance.now()];
      const isQuiet = () => {
        const now = framesPassed();
        if (now !== frames) [frames, sinceMs] = [now, performance.now()];
        return performance.now() - sinceMs >= QUIET_LINK_MS;
      };
      await new Promise<void>((resolve, reject) => {
        awaitRecord(session, awaited).then(resolve, reject);
        // A page's record does not have what its frames and workers asked for, and no event tells when theirs is whole.
        let asks = hasFrames || children.length > 0;
        const look = async () => {
          if (isQuiet()) resolve();
          if (!asks) return;
          asks = false;
          if ((await missingNow().catch(() => awaited)).length === 0) resolve();
          asks = true;
        };
        const lookOn = () => void look().catch(reject);
        watch = setInterval(lookOn, LOOK_MS);
        lookOn();
      });
      clearInterval(watch);
    },
    async missing() {
      const missing = await missingNow();
      return missing.length === 0 ? 'no load event' : namesOf(missing);
    },
    [Symbol.dispose]: () => clearInterval(watch),
  };
}

/**
 * How long the link alone must be quiet: what is under way shows nothing while its sender waits to send it again, which
 * after some losses in a row takes many seconds.
 */
const QUIET_LINK_MS = 20_000;
/** How often the link is looked at while something is awaited after the load event. */
const LOOK_MS = 100;

function namesOf(missing: readonly string[]): string {
  return `${missing.slice(0, 3).join(', ')} and ${missing.length} in all missing`;
}

/** How long a page has to say what is missing once its time is up: over a slow link some take five seconds. */
const MISSING_MS = 10_000;
/** A page that is busy for this long after its load event does not answer any more. */
const ANSWER_MS = 20_000;

/** The SHA-256 of each content that the browser still has. */
async function takeDigests(
  sessionOf: (requestId: string) => CDPSession,
  requestIds: readonly string[],
): Promise<Record<string, string>> {
  const digests = await Promise.all(
    requestIds.map(async (requestId): Promise<readonly [string, string] | undefined> => {
      try {
        const { body, base64Encoded } = await sessionOf(requestId).send('Network.getResponseBody', { requestId });
        const content = Buffer.from(body, base64Encoded ? 'base64' : 'utf8');
        return [requestId, createHash('sha256').update(content).digest('hex')];
      } catch {
        return undefined; // Too long to be kept, or let go by the page.
      }
    }),
  );
  return Object.fromEntries(digests.filter((each) => each !== undefined));
}

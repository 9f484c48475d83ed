import { createHash } from 'node:crypto';
import type { Browser, CDPSession } from 'puppeteer-core';
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
import { startFilm } from './film.ts';
import { readTimings } from './timings.ts';

export interface LoadOptions {
  readonly url: string;
  readonly timeoutMs: number;
  /** Addresses without which the load is not whole, whatever its load event says. */
  readonly awaited: readonly string[];
  /** Has it hear of frames and workers that have targets of their own, whose requests are the page's too. */
  readonly followChildren?: FollowChildren | undefined;
  /** Ends the load at once: something of the lab has died. */
  readonly signal: AbortSignal;
  /** Whether pictures are taken, which are events of the log then. */
  readonly filmed?: boolean | undefined;
  /** What is sent by the page's form once the page is there. */
  readonly upload?: UploadTask | undefined;
}

/** Calls for each target of a page's own that begins from now on, until what it returns is called. */
export type FollowChildren = (begin: (session: CDPSession) => void) => () => void;

/** Probes that are under way; the end of it brings when each was sent, since 1970, and how long it took. */
export interface RunningProbe extends AsyncDisposable {
  finish(): Promise<readonly { readonly sentMs: number; readonly tookMs: number }[]>;
}

/** A file that a page is to send, and what is done meanwhile. */
export interface UploadTask {
  readonly file: string;
  /** Begins to probe the link. */
  readonly probe: () => Promise<RunningProbe>;
}

/** What has not been asked for when the network has been quiet for so long will not come. */
const GIVE_UP_MS = 2_000;
const RECORDED = /^(Network|Page|Inspector)\./;
const RECORDED_OF_CHILDREN = /^Network\./;

/** What a browser is told to keep of contents, of a target's in all. */
export const BUFFERS = { maxResourceBufferSize: KEPT_BYTES, maxTotalBufferSize: 64_000_000 };

type Ending = NonNullable<BrowserCapture['ending']>;

/** Loads a page and brings back all that the browser says of it. What goes wrong with the page is part of that. */
export async function load(
  browser: Browser,
  session: CDPSession,
  { url, timeoutMs, awaited, signal, filmed, upload, followChildren }: LoadOptions,
): Promise<{ readonly capture: BrowserCapture; readonly host: HostLoad }> {
  const events: DevToolsEvent[] = [];
  const progress = followLoad(awaited);
  const sessions = new Map<string, CDPSession>();
  const observeHost = watchHost();
  let host: HostLoad | undefined;
  if (filmed) await startFilm(session);
  await using undo = new AsyncDisposableStack();
  const probe = undo.use(await upload?.probe()); // Before the load: it takes the processor for a moment.
  const sendingMs = { from: 0, to: Number.POSITIVE_INFINITY };
  let report: UploadReport | undefined;
  const ending = await new Promise<Ending | undefined>((resolve) => {
    const arrived = () => {
      if (!upload) return resolve(undefined);
      sendingMs.from = Date.now();
      sendFile(session, upload.file).then(
        (said) => {
          report = said;
          sendingMs.to = Date.now();
          resolve(undefined);
        },
        (error: Error) => resolve({ by: browser.connected ? 'page-crash' : 'browser-crash', says: error.message }),
      );
    };
    const timer = setTimeout(
      () => resolve({ by: 'timeout', says: `not done after ${timeoutMs / 1000} s: ${progress.missing()}` }),
      timeoutMs,
    );
    let givingUp: NodeJS.Timeout | undefined;
    let sending = false;
    undo.defer(() => {
      clearTimeout(timer);
      clearTimeout(givingUp);
    });
    // The emitter calls who listens to everything with the event's name first, which its types do not say.
    const onEvent = (method: string | symbol, params: unknown) => {
      if (RECORDED.test(String(method))) see({ method: String(method), params });
    };
    const see = (event: DevToolsEvent) => {
      const { method } = event;
      events.push(event);
      progress.see(event);
      if (method === 'Inspector.targetCrashed') resolve({ by: 'page-crash', says: 'the renderer ended' });
      if (!progress.loaded() || sending) return;
      if (!upload) host ??= observeHost();
      clearTimeout(givingUp);
      if (progress.whole()) {
        sending = true;
        arrived();
      } else if (progress.idle()) givingUp = setTimeout(() => resolve(undefined), GIVE_UP_MS);
    };
    const onDisconnected = () => resolve({ by: 'browser-crash', says: 'the browser ended' });
    const onAbort = () => resolve({ by: 'abort', says: 'the lab has no use for it any more' });
    session.on('*', onEvent as never);
    const unfollow = followChildren?.((child) => {
      const onChildEvent = (method: string | symbol, params: unknown) => {
        if (!RECORDED_OF_CHILDREN.test(String(method))) return;
        sessions.set((params as { requestId: string }).requestId, child);
        see({ method: String(method), params });
      };
      child.on('*', onChildEvent as never);
      undo.defer(() => void child.off('*', onChildEvent as never));
    });
    if (unfollow) undo.defer(unfollow);
    signal.addEventListener('abort', onAbort);
    browser.once('disconnected', onDisconnected);
    undo.defer(() => {
      session.off('*', onEvent as never);
      signal.removeEventListener('abort', onAbort);
      browser.off('disconnected', onDisconnected);
    });
    session.send('Page.navigate', { url }).then(
      ({ errorText }) => {
        if (errorText) resolve({ by: 'network', says: errorText });
      },
      (error: Error) => {
        resolve({ by: browser.connected ? 'page-crash' : 'browser-crash', says: error.message });
      },
    );
  });
  host ??= observeHost();
  const roundTripsMs = (await probe?.finish())
    ?.filter(({ sentMs }) => sentMs >= sendingMs.from && sentMs <= sendingMs.to)
    .map(({ tookMs }) => tookMs);
  const alive = progress.loaded() && (ending === undefined || ending.by === 'timeout');
  const timings = alive ? await within(ANSWER_MS, evaluate<PageTimings>(session, `(${readTimings})()`)) : undefined;
  const digests =
    ending === undefined
      ? ((await within(
          ANSWER_MS,
          takeDigests((id) => sessions.get(id) ?? session, progress.finished()),
        )) ?? {})
      : {};
  const progressed = alive
    ? await within(ANSWER_MS, evaluate<TransferProgress>(session, 'window.photofinishProgress'))
    : undefined;
  return {
    capture: {
      ...{ events, digests },
      ...(timings && { timings }),
      ...(report && { upload: report }),
      ...(roundTripsMs && { roundTripsMs }),
      ...(progressed && { progress: progressed }),
      ...(ending && { ending }),
    },
    host,
  };
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

/** How far a load has come, event by event. */
function followLoad(awaited: readonly string[]) {
  const missing = new Set(awaited);
  const addresses = new Map<string, string>();
  const underWay = new Set<string>();
  const finished: string[] = [];
  let loaded = false;
  return {
    see({ method, params }: DevToolsEvent) {
      const { requestId, request } = params as { requestId: string; request?: { url: string } };
      // That of the empty page before may still be due.
      if (method === 'Page.loadEventFired') loaded = addresses.size > 0;
      if (method === 'Network.requestWillBeSent' && /^https?:/.test(request!.url)) {
        addresses.set(requestId, request!.url);
        underWay.add(requestId);
      }
      if (method !== 'Network.loadingFinished' && method !== 'Network.loadingFailed') return;
      underWay.delete(requestId);
      missing.delete(addresses.get(requestId)!);
      if (method === 'Network.loadingFinished' && addresses.has(requestId)) finished.push(requestId);
    },
    loaded: () => loaded,
    whole: () => loaded && missing.size === 0,
    idle: () => underWay.size === 0,
    /** Requests whose answers have come, by the log's numbers. */
    finished: (): readonly string[] => finished,
    missing: () =>
      missing.size === 0
        ? 'no load event'
        : `${[...missing].slice(0, 3).join(', ')} and ${missing.size} in all missing`,
  };
}

/** A page that is busy for so long after its load event does not answer any more. */
const ANSWER_MS = 20_000;

async function within<T>(limitMs: number, answer: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), limitMs);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** What an expression comes to in the page; undefined where it has died meanwhile. */
async function evaluate<T>(session: CDPSession, expression: string): Promise<T | undefined> {
  const { result } = await session
    .send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true })
    .catch(() => ({ result: undefined }));
  return result?.value as T | undefined;
}

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

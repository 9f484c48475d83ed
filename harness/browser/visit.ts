import type { CDPSession } from 'puppeteer-core';
import type { Visit } from '../model/arm.ts';
import type { BrowserCapture, HostLoad, LoadEnding } from '../model/capture.ts';
import type { Device } from '../model/device.ts';
import { emulateDevice } from './emulate-device.ts';
import type { LaunchedBrowser } from './launch.ts';
import { type LoadOptions, load } from './load.ts';
import { KEEP_RECORD } from './page-record.ts';

/** A visitor: a browser context of its own, which knows nothing but what the kind of visit carries over. */
export interface Visitor extends AsyncDisposable {
  /** Loads a page, once. */
  load(options: LoadOptions): Promise<{ readonly capture: BrowserCapture; readonly host: HostLoad }>;
}

export interface VisitorOptions extends LoadOptions {
  readonly device: Device;
  readonly visit: Visit;
  /** The address of each earlier visit that must leave no cache: of hardly anything. Absent: the page itself. */
  readonly hello?: ((visit: number) => string) | undefined;
  /** Whether the browser learns of H3 from a visit, and not from DNS: one more comes before those that speak it. */
  readonly isTold?: boolean;
  /** Origins that may keep something for a returning visitor. */
  readonly origins: readonly string[];
  /** Has every connection of an earlier visit end. */
  readonly leave: () => Promise<void>;
}

/** Whether a visit needs earlier ones. */
export function comesBack(visit: Visit): boolean {
  return visit === 'resumed' || visit === 'returning' || visit === 'repeat';
}

/** Opens a context that has never been anywhere. */
export function openFirstVisitor(launched: LaunchedBrowser, device: Device): Promise<Visitor> {
  const nowhere = { url: '', timeoutMs: 0, awaited: [], signal: new AbortController().signal };
  return openVisitor(launched, {
    ...nowhere,
    device,
    visit: 'cold',
    origins: [],
    leave: async () => {},
  });
}

/**
 * Opens a fresh context, and has it visit the server beforehand where the kind of visit wants that: twice, in every arm.
 * Chromium 156 files a QUIC token with the session, and that only once it has the server's settings. On a first visit
 * they come after the token, which is lost; on one that takes up a session they come before. A browser that Alt-Svc has to
 * tell of H3 speaks H2 on a visit before these.
 */
export async function openVisitor(launched: LaunchedBrowser, options: VisitorOptions): Promise<Visitor> {
  await using undo = new AsyncDisposableStack();
  const context = undo.use(await openContext(launched));
  const openPage = () => openPageIn(launched, context.id, options.device);
  const earlier = [];
  for (const visit of earlierVisits(options)) earlier.push({ ...visit, page: await openPage() });
  const page = await openPage(); // Before the others close: the context ends with its last one.
  for (const each of earlier) {
    await visitBefore(launched, context.id, { ...options, ...each });
    await options.leave();
  }
  const kept = undo.move();
  return {
    load: (what) => loadIn(launched, context.id, page, { ...what, cpuSlowdown: options.device.cpuSlowdown }),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/** A context of a browser's that knows nothing yet. */
export async function openContext({
  browser,
  root,
  inTime,
}: LaunchedBrowser): Promise<AsyncDisposable & { readonly id: string }> {
  const id = await inTime(async () => {
    const { browserContextId } = await root.send('Target.createBrowserContext', { disposeOnDetach: true });
    await root.send('Browser.setDownloadBehavior', { behavior: 'deny', browserContextId });
    return browserContextId;
  });
  return {
    id,
    async [Symbol.asyncDispose]() {
      // A context of a browser that has died is closed already.
      if (browser.connected) await inTime(() => root.send('Target.disposeBrowserContext', { browserContextId: id }));
    },
  };
}

/** An earlier visit did not come about, which counts as much as the visit itself not coming about. */
export class EarlierVisitError extends Error {
  override readonly name = 'EarlierVisitError';
  readonly by: LoadEnding;

  constructor({ by, says }: NonNullable<BrowserCapture['ending']>) {
    super(`the visit before the visit: ${says}`);
    this.by = by;
  }
}

/** What is loaded in the earlier visits: the page itself only where its cache is to be found again. */
function earlierVisits(options: VisitorOptions): readonly Pick<LoadOptions, 'url' | 'awaited'>[] {
  const { visit, url, awaited, hello, isTold } = options;
  if (!comesBack(visit)) return [];
  // The first visit is told of H3 by Alt-Svc, and has no use for it yet.
  const visits = Array.from({ length: isTold ? 3 : 2 }, (_, index) => index);
  return visits.map((index) =>
    hello === undefined || (visit === 'repeat' && index === 0) ? { url, awaited } : { url: hello(index), awaited: [] },
  );
}

/** Makes an earlier visit: it leaves tickets, a cache if that is asked for, and connections; its page is closed. */
async function visitBefore(
  launched: LaunchedBrowser,
  contextId: string,
  { visit, page, ...what }: VisitorOptions & { readonly page: OpenPage },
): Promise<void> {
  const { capture } = await loadIn(launched, contextId, page, what);
  if (capture.ending) throw new EarlierVisitError(capture.ending);
  await launched.inTime(async () => {
    // Clearing the cache would also clear what the browser remembers of Alt-Svc.
    if (visit === 'resumed') await forget(page, what.origins);
    await launched.root.send('Target.closeTarget', { targetId: page.targetId });
  });
}

/** Has a browser keep nothing of a visit but tickets and tokens. */
async function forget({ session }: OpenPage, origins: readonly string[]): Promise<void> {
  const storageTypes = 'local_storage,indexeddb,cache_storage,service_workers,file_systems';
  await Promise.all([
    session.send('Network.clearBrowserCache'),
    session.send('Network.clearBrowserCookies'),
    ...origins.map((origin) => session.send('Storage.clearDataForOrigin', { origin, storageTypes })),
  ]);
}

function loadIn(launched: LaunchedBrowser, contextId: string, { session }: OpenPage, what: LoadOptions) {
  return load(launched, session, { ...what, followChildren: launched.past?.childrenOf(contextId) });
}

/** A page, and the session by which it is told what to do. */
export interface OpenPage {
  readonly session: CDPSession;
  readonly targetId: string;
}

/**
 * Answers what a page asks of its visitor (alert, confirm, prompt, and whether to leave), which would wait for ever: yes,
 * at once. Nothing is sent until a page asks.
 */
export function answerDialogs(session: CDPSession): void {
  session.on('Page.javascriptDialogOpening', () => {
    session.send('Page.handleJavaScriptDialog', { accept: true }).catch(() => {}); // The page has gone.
  });
}

/**
 * Has every document ready for scripts from its beginning. The headless shell runs what is given to new documents only
 * with the first script of a page's own: one without scripts would keep 250 requests.
 */
function initializeWorlds(session: CDPSession): readonly Promise<unknown>[] {
  return [session.send('Runtime.enable'), session.send('Runtime.disable')];
}

/**
 * Opens a page that keeps its record whole. It uses the protocol itself: a page of Puppeteer's takes a sixth longer to
 * open, and nothing here would use it.
 */
export function openPageIn(launched: LaunchedBrowser, browserContextId: string, device: Device): Promise<OpenPage> {
  return launched.inTime(() => openPageNow(launched, browserContextId, device));
}

async function openPageNow(
  { root, version, past }: LaunchedBrowser,
  browserContextId: string,
  device: Device,
): Promise<OpenPage> {
  const { targetId } = await root.send('Target.createTarget', { url: 'about:blank', browserContextId });
  const { sessionId } = await root.send('Target.attachToTarget', { targetId, flatten: true });
  const session = root.connection()!.session(sessionId)!;
  answerDialogs(session);
  await Promise.all([
    session.send('Page.enable'),
    ...initializeWorlds(session),
    ...(past ? [] : [session.send('Page.addScriptToEvaluateOnNewDocument', { source: KEEP_RECORD })]),
    session.send('Inspector.enable'),
    emulateDevice(session, device, version),
    past?.prepare(session),
  ]);
  return { session, targetId };
}

import type { CDPSession } from 'puppeteer-core';
import type { Visit } from '../model/arm.ts';
import type { BrowserCapture, HostLoad, LoadEnding } from '../model/capture.ts';
import type { Device } from '../model/device.ts';
import { HELLO_PATH } from '../model/site.ts';
import type { LaunchedBrowser } from './launch.ts';
import { KEPT_BYTES, type LoadOptions, load } from './load.ts';

/** A visitor: a browser context of its own, which nothing is known to but what the kind of visit carries over. */
export interface Visitor extends AsyncDisposable {
  /** Loads a page, once. */
  load(options: LoadOptions): Promise<{ readonly capture: BrowserCapture; readonly host: HostLoad }>;
}

export interface VisitorOptions extends LoadOptions {
  readonly device: Device;
  readonly visit: Visit;
}

const KEPT_BYTES_IN_ALL = 64_000_000;

/** Whether a visit needs an earlier one. */
export function comesBack(visit: Visit): boolean {
  return visit === 'resumed' || visit === 'repeat';
}

/** Opens a context that has never been anywhere. */
export function openFirstVisitor(launched: LaunchedBrowser, device: Device): Promise<Visitor> {
  const nowhere = { url: '', timeoutMs: 0, awaited: [], signal: new AbortController().signal };
  return openVisitor(launched, { ...nowhere, device, visit: 'cold' });
}

/** Opens a fresh context, and has it visit the server beforehand where the kind of visit wants that. */
export async function openVisitor(launched: LaunchedBrowser, options: VisitorOptions): Promise<Visitor> {
  await using undo = new AsyncDisposableStack();
  const { browser, root } = launched;
  const { browserContextId } = await root.send('Target.createBrowserContext', { disposeOnDetach: true });
  undo.defer(async () => {
    // A context of a browser that has died is closed already.
    if (browser.connected) await root.send('Target.disposeBrowserContext', { browserContextId });
  });
  const openPage = () => openPageIn(launched, browserContextId, options.device);
  // The context ends with its last page.
  const [earlier, page] = comesBack(options.visit)
    ? [await openPage(), await openPage()]
    : [undefined, await openPage()];
  if (earlier) await visitBefore(launched, earlier, options);
  const kept = undo.move();
  return {
    load: (what) => load(browser, page.session, what),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/** The visit before the visit did not come about, which is as much as the visit itself not coming about. */
export class EarlierVisitError extends Error {
  override readonly name = 'EarlierVisitError';
  readonly by: LoadEnding;

  constructor({ by, says }: NonNullable<BrowserCapture['ending']>) {
    super(`the visit before the visit: ${says}`);
    this.by = by;
  }
}

/** The visit before the visit: it leaves tickets behind, a cache if that is asked for, and connections; its page is closed. */
async function visitBefore(launched: LaunchedBrowser, page: OpenPage, options: VisitorOptions): Promise<void> {
  const { visit, url, timeoutMs, awaited, signal } = options;
  const whole = visit === 'repeat';
  const { capture } = await load(launched.browser, page.session, {
    ...{ url: whole ? url : new URL(HELLO_PATH, url).href, timeoutMs, awaited: whole ? awaited : [], signal },
  });
  if (capture.ending) throw new EarlierVisitError(capture.ending);
  if (visit === 'resumed') await page.session.send('Network.clearBrowserCache');
  await launched.root.send('Target.closeTarget', { targetId: page.targetId });
}

interface OpenPage {
  readonly session: CDPSession;
  readonly targetId: string;
}

/** By the protocol itself: a page of Puppeteer's takes a sixth longer to open, and nothing here would use it. */
async function openPageIn(
  { root, version }: LaunchedBrowser,
  browserContextId: string,
  device: Device,
): Promise<OpenPage> {
  const { targetId } = await root.send('Target.createTarget', { url: 'about:blank', browserContextId });
  const { sessionId } = await root.send('Target.attachToTarget', { targetId, flatten: true });
  const session = root.connection()!.session(sessionId)!;
  const { width, height, pixelRatio, mobile, cpuSlowdown } = device;
  await Promise.all([
    session.send('Network.enable', { maxResourceBufferSize: KEPT_BYTES, maxTotalBufferSize: KEPT_BYTES_IN_ALL }),
    session.send('Page.enable'),
    session.send('Inspector.enable'),
    session.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: pixelRatio, mobile }),
    session.send('Emulation.setTouchEmulationEnabled', { enabled: mobile }),
    session.send('Emulation.setUserAgentOverride', { userAgent: userAgent(version, device) }),
    ...(cpuSlowdown > 1 ? [session.send('Emulation.setCPUThrottlingRate', { rate: cpuSlowdown })] : []),
  ]);
  return { session, targetId };
}

/** What an ordinary Chromium on the device calls itself. */
function userAgent(version: string, { platform, mobile }: Device): string {
  const major = /\/(\d+)/.exec(version)?.[1];
  return `Mozilla/5.0 (${platform}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${major}.0.0.0${mobile ? ' Mobile' : ''} Safari/537.36`;
}

import type { CDPSession } from 'puppeteer-core';
import type { Visit } from '../model/arm.ts';
import type { BrowserCapture, HostLoad } from '../model/capture.ts';
import type { Device } from '../model/device.ts';
import { HELLO_PATH } from '../model/site.ts';
import type { LaunchedBrowser } from './launch.ts';
import { KEPT_BYTES, type LoadOptions, load } from './load.ts';

/** A visitor: a browser context of its own, which nothing is known to but what the kind of visit carries over. */
export interface Visitor extends AsyncDisposable {
  /** Loads a page, once. */
  load(options: LoadOptions): Promise<{ readonly capture: BrowserCapture; readonly host: HostLoad }>;
}

export interface VisitorOptions {
  readonly device: Device;
  readonly visit: Visit;
  /** The page that the visit is to. */
  readonly url: string;
  readonly timeoutMs: number;
}

const KEPT_BYTES_IN_ALL = 64_000_000;

/** Whether a visit needs an earlier one. */
export function comesBack(visit: Visit): boolean {
  return visit === 'resumed' || visit === 'repeat';
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
  if (comesBack(options.visit)) await visitBefore(await openPage(), options);
  const session = await openPage();
  const kept = undo.move();
  return {
    load: (what) => load(browser, session, what),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/** The visit before the visit: it leaves tickets behind, a cache if that is asked for, and connections. */
async function visitBefore(session: CDPSession, { visit, url, timeoutMs }: VisitorOptions): Promise<void> {
  await navigate(session, visit === 'repeat' ? url : new URL(HELLO_PATH, url).href, timeoutMs);
  if (visit === 'resumed') await session.send('Network.clearBrowserCache');
}

async function navigate(session: CDPSession, url: string, timeoutMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const loaded = new Promise<void>((resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`took longer than ${timeoutMs} ms`)), timeoutMs);
    session.once('Page.loadEventFired', () => resolve());
  });
  try {
    const { errorText } = await session.send('Page.navigate', { url });
    if (errorText) throw new Error(errorText);
    await loaded;
  } catch (cause) {
    throw new Error(`the visit before the visit, to ${url}: ${(cause as Error).message}`, { cause });
  } finally {
    clearTimeout(timer);
  }
}

/** By the protocol itself: a page of Puppeteer's takes a sixth longer to open, and nothing here would use it. */
async function openPageIn({ root, version }: LaunchedBrowser, browserContextId: string, device: Device) {
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
  return session;
}

/** What an ordinary Chromium on the device calls itself. */
function userAgent(version: string, { platform, mobile }: Device): string {
  const major = /\/(\d+)/.exec(version)?.[1];
  return `Mozilla/5.0 (${platform}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${major}.0.0.0${mobile ? ' Mobile' : ''} Safari/537.36`;
}

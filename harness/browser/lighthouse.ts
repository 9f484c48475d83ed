import type { Flags } from 'lighthouse';
import type { LighthouseCapture } from '../model/capture.ts';
import type { Device } from '../model/device.ts';
import type { Page } from '../model/page.ts';
import type { LaunchedBrowser } from './launch.ts';

export interface LighthouseOptions {
  readonly page: Page;
  readonly device: Device;
  readonly timeoutMs: number;
}

/** What Lighthouse takes besides the load that it judges, and more: it has some 10 s of work of its own. */
const JUDGING_MS = 90_000;

/** The audits whose figures are kept: what the performance score of Lighthouse 13 is made of. */
const METRICS = {
  fcpMs: 'first-contentful-paint',
  lcpMs: 'largest-contentful-paint',
  tbtMs: 'total-blocking-time',
  siMs: 'speed-index',
  cls: 'cumulative-layout-shift',
} as const;

/**
 * Has Lighthouse judge a page, in a context of its own. Over the link as it is: what Lighthouse would simulate takes H3
 * for HTTP/1.1.
 */
export async function runLighthouse(
  { browser, inTime }: Pick<LaunchedBrowser, 'browser' | 'inTime'>,
  options: LighthouseOptions,
): Promise<LighthouseCapture> {
  const { page, device, timeoutMs } = options;
  const context = await inTime(() => browser.createBrowserContext({ downloadBehavior: { policy: 'deny' } }));
  try {
    const { default: lighthouse } = await import('lighthouse'); // Loading it takes half a second, which only studies that use it pay.
    catchLooseEnds();
    const tab = await inTime(() => context.newPage());
    // Lighthouse leaves this as it is where throttling is provided.
    await inTime(() => tab.emulateCPUThrottling(device.cpuSlowdown));
    const judge = () => lighthouse(page.url, flagsFor(device, timeoutMs), undefined, tab);
    const result = await inTime(judge, timeoutMs + JUDGING_MS);
    // Lighthouse may take the end of its browser for an error of the page.
    if (!browser.connected) throw new Error('the browser ended while Lighthouse judged the page');
    if (!result) throw new Error('Lighthouse said nothing');
    const { lhr } = result;
    const { details } = lhr.audits['network-requests'] ?? {};
    const items = details?.type === 'table' ? details.items : [];
    return {
      page,
      version: lhr.lighthouseVersion,
      error: lhr.runtimeError && `${lhr.runtimeError.code}: ${lhr.runtimeError.message}`,
      score: typeof lhr.categories.performance?.score === 'number' ? lhr.categories.performance.score : undefined,
      metrics: Object.fromEntries(
        Object.entries(METRICS).flatMap(([name, audit]) => {
          const value = lhr.audits[audit]?.numericValue;
          return value === undefined ? [] : [[name, value]];
        }),
      ),
      requests: items.map((item) => ({ url: String(item.url), protocol: String(item.protocol) })),
      report: JSON.stringify(lhr),
    };
  } finally {
    if (browser.connected) await inTime(() => context.close());
  }
}

/**
 * Where the browser ends in the middle of a navigation, Lighthouse fails as it should, but leaves its promise of `Page.navigate`
 * without a handler. Node would end the process for that, and the study with it.
 */
export function catchLooseEnds(): void {
  if (!process.listeners('unhandledRejection').includes(passLooseEnd)) process.on('unhandledRejection', passLooseEnd);
}

function passLooseEnd(reason: unknown): void {
  const isOfLighthouse = reason instanceof Error && /[\\/]node_modules[\\/]lighthouse[\\/]/.test(reason.stack ?? '');
  if (!isOfLighthouse) throw reason; // Which ends the process, as it does without this listener.
}

function flagsFor({ width, height, pixelRatio, mobile }: Device, timeoutMs: number): Flags {
  return {
    logLevel: 'silent',
    onlyCategories: ['performance'],
    throttlingMethod: 'provided',
    formFactor: mobile ? 'mobile' : 'desktop',
    screenEmulation: { width, height, deviceScaleFactor: pixelRatio, mobile, disabled: false },
    maxWaitForLoad: timeoutMs,
    maxWaitForFcp: timeoutMs,
    disableFullPageScreenshot: true,
  };
}

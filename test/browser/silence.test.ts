import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { asLaunched, type LaunchedBrowser, launchBrowser, startBrowser } from '../../harness/browser/launch.ts';
import { runLighthouse } from '../../harness/browser/lighthouse.ts';
import { recordPage } from '../../harness/browser/record/record-page.ts';
import { openTabs } from '../../harness/browser/tabs.ts';
import { openFirstVisitor, openVisitor, type Visitor } from '../../harness/browser/visit.ts';
import { DEVICES } from '../../harness/model/device.ts';
import { EnvironmentError, LabError } from '../../harness/model/errors.ts';
import type { Host } from '../../harness/model/lab.ts';
import type { Page } from '../../harness/model/page.ts';
import { type FakeChromium, fakeChromium, holdTimers } from './fake-chromium.ts';

/* What becomes of a browser that falls silent before, after and beside a load; `load.test.ts` tells of the load itself. */

beforeEach(holdTimers);
afterEach(() => void jest.useRealTimers());

const { desktop, mobile } = DEVICES;
const signal = new AbortController().signal;
const LOAD = { url: 'https://a.test/', timeoutMs: 120_000, awaited: [], signal };

async function launch({ path, folder }: FakeChromium): Promise<LaunchedBrowser> {
  const flags = ['--remote-debugging-pipe', `--user-data-dir=${folder}`];
  return asLaunched(await startBrowser({ program: { path, isShell: true }, flags, folder }));
}

/** Runs a phase to its end, and what a visitor leaves behind. */
const opened =
  (open: (launched: LaunchedBrowser) => Promise<Visitor>, more?: Partial<Parameters<Visitor['load']>[0]>) =>
  async (fake: FakeChromium) => {
    await using visitor = await open(await launch(fake));
    return await visitor.load({ ...LOAD, ...more });
  };
const first =
  (device = desktop) =>
  (launched: LaunchedBrowser) =>
    openFirstVisitor(launched, device);
const returning = (launched: LaunchedBrowser) =>
  openVisitor(launched, { ...LOAD, device: desktop, visit: 'resumed', origins: [], leave: async () => {} });
const lighthouse = async (fake: FakeChromium) => {
  const page = { url: LOAD.url, visit: 'cold', origins: [], objects: [] } as unknown as Page;
  return runLighthouse(await launch(fake), { page, device: desktop, timeoutMs: LOAD.timeoutMs });
};
const inLab = ({ path, folder }: FakeChromium) => {
  const flags = { kind: 'tcp', spki: '', quicOrigins: [], profile: folder } as const;
  const keeps = { keyLog: false, netLog: false };
  return launchBrowser({ ...flags, keeps, program: { path, isShell: true }, host: {} as Host });
};
const RECORDING = { url: LOAD.url, device: desktop, seed: 1, insecure: false, resolved: [], waitMs: 0, signal };
const record = ({ path, folder }: FakeChromium) => recordPage({ ...RECORDING, chromium: path, folder });

const CLOSED = /closed/i;

test.each([
  ['while it starts', 'Target.setDiscoverTargets', launch, CLOSED],
  ['when it is asked for its version', 'Browser.getVersion', launch, CLOSED],
  ['while a lab starts it', 'Target.setAutoAttach', inLab, LabError],
  ['when a context is opened', 'Target.createBrowserContext', opened(first()), CLOSED],
  ['when a page is opened', 'Emulation.setUserAgentOverride', opened(first()), CLOSED],
  ['when it is to log requests', 'Network.enable', opened(first(), { watched: true }), CLOSED],
  ['when a film begins', 'Page.startScreencast', opened(first(), { filmed: true }), CLOSED],
  ['when a page is slowed down', 'Emulation.setCPUThrottlingRate', opened(first(mobile)), CLOSED],
  ['when tabs are slowed down', 'Emulation.setCPUThrottlingRate', opened((one) => openTabs(one, mobile, 2)), CLOSED],
  ['when an earlier visit is forgotten', 'Network.clearBrowserCache', opened(returning), CLOSED],
  ['when an earlier visit is closed', 'Target.closeTarget', opened(returning), CLOSED],
  ['when a context is closed', 'Target.disposeBrowserContext', opened(first()), CLOSED],
  ['when Lighthouse opens a context', 'Target.createBrowserContext', lighthouse, CLOSED],
  ['when it is to record', 'Target.createTarget', record, EnvironmentError],
  ['while it records', 'Page.navigate', record, EnvironmentError],
] as const)('a browser that falls silent %s is killed within 20 seconds', async (_, silentAt, work, becomes) => {
  using fake = fakeChromium(silentAt);
  const outcome = expect(work(fake)).rejects.toThrow(becomes);
  await fake.asked();
  await jest.advanceTimersByTimeAsync(20_000);
  await outcome;
  await fake.ended();
});

test.each([
  ['opens no page', 'Page.enable', opened(first()), CLOSED],
  ['closes no context', 'Target.disposeBrowserContext', opened(first()), CLOSED],
  ['opens no page that is to be recorded', 'Emulation.setUserAgentOverride', record, EnvironmentError],
] as const)('one that answers but %s has 20 seconds for it', async (_, deafAt, work, becomes) => {
  using fake = fakeChromium(deafAt, 'deaf');
  const outcome = expect(work(fake)).rejects.toThrow(becomes);
  await fake.asked();
  await jest.advanceTimersByTimeAsync(10_000);
  await setTimeout(50); // It is asked whether it answers, and does.
  await jest.advanceTimersByTimeAsync(10_000);
  await outcome;
  await fake.ended();
});

test.each([
  ['page', 'Page.getFrameTree', opened(first())],
  ['crowd of tabs', 'Runtime.evaluate', opened((one) => openTabs(one, desktop, 2))],
])('one that falls silent once its %s has loaded is found out: the page is not at fault', async (_, silentAt, work) => {
  using fake = fakeChromium(silentAt);
  const loaded = work(fake);
  await fake.asked();
  await jest.advanceTimersByTimeAsync(20_000);
  expect((await loaded).capture.ending).toEqual({ by: 'timeout', says: 'the browser no longer answers' });
});

test('one that does not close is killed, and nobody hears of it', async () => {
  using fake = fakeChromium('Browser.close');
  const closed = (await launch(fake))[Symbol.asyncDispose]();
  await fake.asked();
  await jest.advanceTimersByTimeAsync(20_000);
  await closed;
  await fake.ended();
});

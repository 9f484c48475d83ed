import { once } from 'node:events';
import { expect, jest, test } from '@jest/globals';
import * as family from '../../harness/system/family.ts';
import { fakeChromium } from './fake-chromium.ts';

jest.unstable_mockModule('../../harness/system/family.ts', () => ({ ...family, memoryOf: () => Number.MAX_VALUE }));
const { startBrowser } = await import('../../harness/browser/launch.ts');
const { whyEnded } = await import('../../harness/browser/memory-guard.ts');

test('every browser that is started is guarded', async () => {
  using fake = fakeChromium('nothing');
  const free = jest.spyOn(process, 'availableMemory').mockReturnValue(1e15);
  const flags = ['--remote-debugging-pipe', `--user-data-dir=${fake.folder}`];
  const browser = await startBrowser({ program: { path: fake.path, isShell: true }, flags, folder: fake.folder });
  const ended = once(browser as never, 'disconnected');
  expect(browser.connected).toBe(true);
  free.mockReturnValue(0);
  await ended;
  expect(whyEnded(browser)).toContain('memory');
}, 10_000);

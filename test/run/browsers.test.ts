import { setTimeout } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import type { LaunchedBrowser } from '../../harness/browser/launch.ts';
import { type BrowserWish, openBrowsers } from '../../harness/run/browsers.ts';

test('the browsers that run say their versions; where none does, one is asked and closed', async () => {
  const closed: string[] = [];
  const launch = async (_: unknown, profile: string) =>
    ({
      version: 'Chrome/1.2.3.4',
      browser: { connected: true },
      [Symbol.asyncDispose]: async () => void closed.push(profile.replace(/.*\//, '')),
    }) as unknown as LaunchedBrowser;
  const browsers = openBrowsers({ launch, profiles: '/nowhere/profiles', nextLaunch: () => 1 });
  expect(await browsers.versions()).toEqual({ tcp: 'Chrome/1.2.3.4' });
  expect(closed).toEqual(['asked']);
  expect(browsers.alive()).toBe(false); // The next load still has them launched, and warmed up.
  await browsers.find({ kind: 'quic', own: { name: 'twin', flags: [] } });
  expect(await browsers.versions()).toEqual({ 'quic-twin': 'Chrome/1.2.3.4' });
  expect(closed).toEqual(['asked']);
});

test('where one of a launch fails, the other is there when that is said, and is closed with the rest', async () => {
  const closed: string[] = [];
  const launch = async ({ kind }: BrowserWish) => {
    if (kind === 'tcp') throw new Error('no memory');
    await setTimeout(20);
    return { [Symbol.asyncDispose]: async () => void closed.push(kind) } as unknown as LaunchedBrowser;
  };
  const browsers = openBrowsers({ launch, profiles: '/nowhere/profiles', nextLaunch: () => 1 });
  await expect(browsers.renew()).rejects.toThrow('no memory');
  await browsers[Symbol.asyncDispose]();
  expect(closed).toEqual(['quic']);
});

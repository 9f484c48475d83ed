import { expect, test } from '@jest/globals';
import type { LaunchedBrowser } from '../../harness/browser/launch.ts';
import { openBrowsers } from '../../harness/run/browsers.ts';

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

import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { loadAll } from '../../harness/browser/tabs.ts';
import { openSilentBrowser } from './silent-browser.ts';

describe('a crowd of tabs whose browser falls silent', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  /** A load in three tabs that say nothing, by a browser that answers a given number of times. */
  function loadBy(answersOften: number) {
    const { launched, session } = openSilentBrowser(answersOften);
    const options = { url: 'https://a.test/', timeoutMs: 120_000, signal: new AbortController().signal };
    return loadAll(launched, Array(3).fill({ session }), options).then(({ capture }) => capture);
  }

  test('is found out within seconds, and none of the tabs is waited for long', async () => {
    const loaded = loadBy(1);
    await jest.advanceTimersByTimeAsync(31_000);
    expect(await loaded).toMatchObject({
      ending: { by: 'timeout', says: 'the browser no longer answers' },
      tabs: [{ objects: [] }, { objects: [] }, { objects: [] }],
    });
  });

  test('and one that answers may go on until its page has no more time', async () => {
    const loaded = loadBy(1_000);
    await jest.advanceTimersByTimeAsync(131_000);
    expect((await loaded).ending).toEqual({ by: 'timeout', says: 'not done after 120 s: 3 of 3 tabs' });
  });
});

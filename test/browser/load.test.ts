import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { load, startDelayMs } from '../../harness/browser/load.ts';
import { openSilentBrowser } from './silent-browser.ts';

const page = { ttfbMs: 10, domContentLoadedMs: 20, loadEventEndMs: 30, cls: 0 };

test.each([
  ['began late', { ...page, originMs: 1_085.5 }, 85.5],
  ['began in the millisecond of the command', { ...page, originMs: 999.9 }, 0],
  ['does not say when it began', page, 0],
])('a page that %s', (_, timings, delayMs) => {
  expect(startDelayMs(1_000, timings)).toBe(delayMs);
});

describe('a browser that falls silent during a load', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  /** A load by a browser that says nothing of it, and answers a given number of times. */
  function loadBy(answersOften: number) {
    const { launched, session } = openSilentBrowser(answersOften);
    const signal = new AbortController().signal;
    const options = { url: 'https://a.test/', timeoutMs: 120_000, awaited: [], signal };
    return load(launched, session, options).then(({ capture }) => capture.ending);
  }

  test('is found out within seconds, whatever the time that the page has', async () => {
    const ending = loadBy(1);
    await jest.advanceTimersByTimeAsync(20_000);
    expect(await ending).toEqual({ by: 'timeout', says: 'the browser no longer answers' });
  });

  test('and one that answers may go on until the page has no more time', async () => {
    const ending = loadBy(1_000);
    await jest.advanceTimersByTimeAsync(131_000);
    expect(await ending).toMatchObject({ by: 'timeout', says: expect.stringContaining('not done after 120 s') });
  });
});

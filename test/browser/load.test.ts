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

/** A browser that has loaded the page itself, and tells what a test has it tell. */
function openTelling() {
  const tell: ((method: string, params: object) => void)[] = [];
  const answers: Record<string, object> = {
    'Page.getFrameTree': { frameTree: { frame: { id: 'f' } } },
    'Page.createIsolatedWorld': { executionContextId: 1 },
    'Runtime.evaluate': { result: { value: { ...page, originMs: Date.now(), frames: 0, requests: [] } } },
    'Network.getResponseBody': { body: '', base64Encoded: false },
  };
  const session = {
    send: async (method: string) => answers[method] ?? {},
    on: (_name: string, hears: (method: string, params: object) => void) => tell.push(hears),
    off: () => {},
  };
  const browser = { connected: true, process: () => {}, once: () => {}, off: () => {} };
  const launched = {
    browser: browser as never,
    answers: async () => true,
    inTime: <T>(work: () => Promise<T>) => work(),
  };
  return {
    launched,
    session: session as never,
    tell: (method: string, params: object) => tell.at(-1)!(method, params),
  };
}

describe('a load that is watched', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  test('is not whole when only a question has come that was asked beforehand of what is awaited', async () => {
    const { launched, session, tell } = openTelling();
    const [url, data] = ['https://a.test/', 'https://api.test/data'];
    let isDone = false;
    const signal = new AbortController().signal;
    const options = { url, timeoutMs: 60_000, awaited: [url, data], watched: true, signal };
    const loaded = load(launched, session, options).finally(() => {
      isDone = true;
    });
    await jest.advanceTimersByTimeAsync(10);
    const ask = (requestId: string, method: string, address: string) =>
      tell('Network.requestWillBeSent', { requestId, timestamp: 1, request: { url: address, method } });
    const finish = (requestId: string) => tell('Network.loadingFinished', { requestId, timestamp: 2 });
    ask('1', 'GET', url);
    finish('1');
    ask('2', 'OPTIONS', data);
    ask('3', 'GET', data);
    tell('Page.loadEventFired', { timestamp: 3 });
    finish('2');
    await jest.advanceTimersByTimeAsync(100);
    expect(isDone).toBe(false);
    finish('3');
    await jest.advanceTimersByTimeAsync(100);
    expect(isDone).toBe(true);
    expect((await loaded).capture.ending).toBeUndefined();
  });
});

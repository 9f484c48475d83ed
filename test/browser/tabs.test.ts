import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { loadAll } from '../../harness/browser/tabs.ts';
import type { OpenPage } from '../../harness/browser/visit.ts';
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

describe('a crowd of tabs', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  const seconds = () => Number(process.hrtime.bigint()) / 1e9;

  /** A tab that is navigated to a page, or never, and whose load events come one after the other. */
  function tabOf({ navigatedMs, loadedMs }: { navigatedMs?: number; loadedMs: readonly number[] }): OpenPage {
    const hears = new Map<string, (params: object) => void>();
    let isLoaded = false;
    const begin = () => {
      const frame = { id: 'f', url: 'https://a.test/' };
      if (navigatedMs !== undefined) setTimeout(() => hears.get('Page.frameNavigated')?.({ frame }), navigatedMs);
      for (const ms of loadedMs)
        setTimeout(() => {
          isLoaded ||= ms === loadedMs.at(-1);
          hears.get('Page.loadEventFired')!({ timestamp: seconds() });
        }, ms);
    };
    const objects = [['/index.html', 500, 800, 'h2']];
    const send = async (method: string) => {
      if (method === 'Page.navigate') begin();
      return method === 'Runtime.evaluate' ? { result: { value: isLoaded ? objects : [] } } : {};
    };
    const on = (name: string, hear: (params: object) => void) => hears.set(name, hear);
    return { session: { send, on, once: () => {}, off: () => {} } as never, targetId: '' };
  }

  function loadIn(tabs: readonly OpenPage[]) {
    const { launched } = openSilentBrowser(1_000);
    const options = { url: 'https://a.test/', timeoutMs: 5_000, signal: new AbortController().signal };
    return loadAll(launched, tabs, options).then(({ capture }) => capture);
  }

  test('waits for the page of each, though the event of an empty page before comes late', async () => {
    const tabs = [tabOf({ navigatedMs: 40, loadedMs: [100] }), tabOf({ navigatedMs: 40, loadedMs: [5, 400] })];
    const loaded = loadIn(tabs);
    await jest.advanceTimersByTimeAsync(1_000);
    const { ending, tabs: seen } = await loaded;
    expect(ending).toBeUndefined();
    expect(seen!.map(({ objects }) => objects.length)).toEqual([1, 1]);
    expect(seen![1]!.doneMs! - seen![0]!.doneMs!).toBeCloseTo(300, 0);
  });

  test('is not done where all that one has is an empty page', async () => {
    const loaded = loadIn([tabOf({ navigatedMs: 40, loadedMs: [100] }), tabOf({ loadedMs: [5] })]);
    await jest.advanceTimersByTimeAsync(20_000);
    expect((await loaded).ending).toEqual({ by: 'timeout', says: 'not done after 5 s: 1 of 2 tabs' });
  });
});

import { expect, test } from '@jest/globals';
import type { Capture } from '../../harness/model/capture.ts';
import { openDryRuns } from '../../harness/run/dry-runs.ts';
import type { Wanted } from '../../harness/run/load-request.ts';
import { readCapture } from '../fixtures/captures.ts';

const LOAD = { site: 'shop', protocol: 'h3', visit: 'cold', device: 'desktop', timeoutMs: 1_000 } as const;

/** A watched load, of which the page's own record lacks some addresses. */
function capture({
  lacks = [] as readonly string[],
  ending = undefined as Capture['browser']['ending'],
} = {}): Capture {
  const whole = readCapture('h2-cold') as Capture;
  const urls = whole.page.objects.map(({ url }) => url);
  const requests = urls.filter((url) => !lacks.includes(url)).map((url) => ({ url }));
  return {
    ...whole,
    browser: { ...whole.browser, record: { requests, loadEventSeenMs: 0 }, ending },
  } as unknown as Capture;
}

interface Asked {
  readonly request: { readonly url: string; method: string };
}

const URLS = capture().page.objects.map(({ url }) => url);

/** Dry runs whose loads bring one batch of captures after the other. */
function dryRunsOf(...batches: readonly (readonly Capture[])[]) {
  const asked: (readonly Wanted[])[] = [];
  const dryRuns = openDryRuns(async (loads) => {
    asked.push(loads);
    return batches[asked.length - 1]!;
  });
  return { dryRuns, asked };
}

test('a load is held to what came each time', async () => {
  const { dryRuns } = dryRunsOf([capture(), capture({ lacks: [URLS[3]!] }), capture({ lacks: [URLS[5]!] })]);
  expect(dryRuns.find(LOAD).size).toBe(0);
  await dryRuns.make(LOAD);
  const brought = dryRuns.find(LOAD);
  expect(brought.has(URLS[0]!)).toBe(true);
  expect([brought.has(URLS[3]!), brought.has(URLS[5]!)]).toEqual([false, false]);
  expect(brought.size).toBe(URLS.length - 2);
});

test('a load is held to nothing that came whole by another method than GET', async () => {
  const posted = () => {
    const load = capture();
    for (const { method, params } of load.browser.events as { method: string; params: Asked }[])
      if (method === 'Network.requestWillBeSent' && params.request.url === URLS[2]) params.request.method = 'POST';
    return load;
  };
  const { dryRuns } = dryRunsOf([posted(), posted(), posted()]);
  await dryRuns.make(LOAD);
  expect([...dryRuns.find(LOAD).keys()].toSorted()).toEqual(URLS.filter((url) => url !== URLS[2]).toSorted());
});

test('protocols share the dry runs of a site over TLS; without TLS, on a later visit, or on a phone it has its own', async () => {
  const whole = [capture(), capture(), capture()];
  const { dryRuns, asked } = dryRunsOf(whole, whole, whole, whole);
  for (const protocol of ['h3', 'h2', 'h1'] as const) await dryRuns.make({ ...LOAD, protocol });
  expect(asked.length).toBe(1);
  expect(asked[0]!.map(({ protocol, watched, visit }) => [protocol, watched, visit])).toEqual(
    Array(3).fill(['h2', true, 'cold']),
  );
  await dryRuns.make({ ...LOAD, protocol: 'h1c' });
  await dryRuns.make({ ...LOAD, visit: 'resumed' });
  await dryRuns.make({ ...LOAD, device: 'mobile' });
  expect(asked.slice(1).map(([one]) => [one!.protocol, one!.visit, one!.device])).toEqual([
    ['h1c', 'cold', 'desktop'],
    ['h2', 'resumed', 'desktop'],
    ['h2', 'cold', 'mobile'],
  ]);
});

test('a browser that dies is tried again, and given up after the third time', async () => {
  const died = capture({ ending: { by: 'browser-crash', says: 'the browser ended' } });
  const tried = dryRunsOf([capture(), died], [capture(), capture(), capture()]);
  await tried.dryRuns.make(LOAD);
  expect(tried.asked.length).toBe(2);
  expect(tried.dryRuns.find(LOAD).size).toBe(URLS.length);
  await expect(dryRunsOf([died], [died], [died]).dryRuns.make(LOAD)).rejects.toThrow(
    'does not finish loading: the browser ended',
  );
  await expect(dryRunsOf([], [], []).dryRuns.make(LOAD)).rejects.toThrow('the browser ended each time in the dry runs');
});

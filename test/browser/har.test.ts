import { createRequire } from 'node:module';
import { describe, expect, test } from '@jest/globals';
import { Ajv } from 'ajv';
import { default as addFormats } from 'ajv-formats';
import { makeHar } from '../../harness/browser/har.ts';
import { writeLog } from '../../harness/measurement/timed-log.ts';
import { readDetails } from '../../harness/measurement/watched-details.ts';
import type { Capture } from '../../harness/model/capture.ts';
import { RECORDED, RECORDED_BARE, readCapture } from '../fixtures/captures.ts';

const require = createRequire(import.meta.url);

/** What is wrong with an archive by the schema of HAR 1.2. */
function faultsOf(har: unknown): readonly string[] {
  const ajv = new Ajv({ strict: false });
  addFormats.default(ajv);
  ajv.addMetaSchema(require('ajv/dist/refs/json-schema-draft-06.json'));
  for (const schema of Object.values(require('har-schema') as Record<string, object>)) ajv.addSchema(schema);
  const validate = ajv.getSchema('har.json#')!;
  validate(har);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

describe.each(RECORDED)('the archive of %s', (name) => {
  const { page, browser } = readCapture(name);
  const har = makeHar(page.url, browser.events as never);

  test('is a valid HAR 1.2', async () => {
    expect(faultsOf(await har)).toEqual([]);
  });

  test('has every request, with its protocol, connection and times', async () => {
    const { entries, pages } = (await har).log;
    expect(entries).toHaveLength(6);
    const protocol = { h1: 'http/1.1', h2: 'h2', h3: 'h3' }[name.slice(0, 2)];
    expect(new Set(entries.map(({ response }) => response.httpVersion))).toEqual(new Set([protocol]));
    for (const entry of entries)
      expect(entry).toMatchObject({ connection: expect.stringMatching(/^\d+$/), time: expect.any(Number) });
    const { onLoad } = pages[0]!.pageTimings;
    expect(Math.abs(onLoad! - browser.timings!.loadEventEndMs)).toBeLessThan(20);
  });
});

describe.each(RECORDED_BARE)('the archive of %s, which nobody watched', (name) => {
  const capture = readCapture(name) as never as Capture;
  const { page, browser } = capture;
  const watched = readCapture(name.replace('bare', 'cold') as 'h1-cold');
  const details = readDetails(watched.browser.events as never);

  test('is a valid HAR 1.2 with its own times and sizes, and says where the rest is from', async () => {
    const har = await makeHar(page.url, writeLog(capture, details), 'Nobody watched.');
    expect(faultsOf(har)).toEqual([]);
    expect(har.log.comment).toBe('Nobody watched.');
    expect(har.log.pages[0]!.pageTimings.onLoad).toBeCloseTo(browser.timings!.loadEventEndMs, 1);
    const requests = browser.record!.requests;
    expect(har.log.entries.map(({ request }) => request.url)).toEqual(requests.map(({ url }) => url));
    for (const [index, entry] of har.log.entries.entries())
      expect(entry).toMatchObject({
        time: expect.closeTo(requests[index]!.finishedMs - requests[index]!.startMs, 1),
        response: { status: 200, content: { size: requests[index]!.bytes } },
        connection: expect.stringMatching(/^[1-9]\d+$/),
        _priority: expect.stringMatching(/^(Very)?(High|Low)|Medium$/),
      });
  });

  test('agrees with that of a watched load in order, sizes, statuses and headers', async () => {
    const own = (await makeHar(page.url, writeLog(capture, details))).log.entries;
    const other = (await makeHar(watched.page.url, watched.browser.events as never)).log.entries;
    const told = (entries: typeof own) =>
      entries.map(({ request, response, _priority }) => {
        const { status, content, headers, httpVersion } = response as typeof response & Record<string, object>;
        return { url: request.url, method: request.method, status, httpVersion, content, headers, _priority };
      });
    expect(told(own)).toEqual(told(other));
  });
});

test('the validator finds what is wrong', async () => {
  const { page, browser } = readCapture('h2-cold');
  const har = structuredClone(await makeHar(page.url, browser.events as never)) as never as {
    log: { entries: { request: object }[] };
  };
  har.log.entries[0]!.request = {};
  expect(faultsOf(har)).not.toEqual([]);
});

test('a changed priority reaches the archive', async () => {
  const { page, browser } = readCapture('h2-cold');
  const first = browser.events.find(
    ({ method, params }) =>
      method === 'Network.requestWillBeSent' &&
      (params as { request: { url: string } }).request.url.endsWith('flag-1.png'),
  )!.params as { requestId: string; request: { initialPriority: string } };
  const changed = {
    method: 'Network.resourceChangedPriority',
    params: { requestId: first.requestId, newPriority: 'VeryHigh' },
  };
  const before = first.request.initialPriority;
  expect(before).not.toBe('VeryHigh');
  const prioritiesIn = async (events: unknown) =>
    (await makeHar(page.url, events as never)).log.entries.map(({ request, _priority }) => [
      request.url.split('/').at(-1),
      _priority,
    ]);
  const unchanged = await prioritiesIn(browser.events);
  expect(await prioritiesIn([...browser.events, changed])).toEqual(
    unchanged.map(([file, priority]) => [file, file === 'flag-1.png' ? 'VeryHigh' : priority]),
  );
  // The log itself is left as it was.
  expect(first.request.initialPriority).toBe(before);
});

test('a load that never ended has what there was of it', async () => {
  const { page, browser } = readCapture('h1-cold');
  const cut = browser.events.findIndex(({ method }) => method === 'Page.domContentEventFired');
  const har = await makeHar(page.url, browser.events.slice(0, cut) as never);
  expect(faultsOf(har)).toEqual([]);
  expect(har.log.pages[0]!.pageTimings).toEqual({ onContentLoad: -1, onLoad: -1 });
  expect(har.log.entries.length).toBeGreaterThan(0);
});

test('a load whose document failed is an archive without entries', async () => {
  const { page, browser } = readCapture('h1-cold');
  const [first] = browser.events.filter(({ method }) => method === 'Network.requestWillBeSent');
  const { requestId } = first!.params as { requestId: string };
  const failed = { method: 'Network.loadingFailed', params: { requestId, timestamp: 1, errorText: 'net::ERR_FAILED' } };
  const har = await makeHar(page.url, [first!, failed] as never);
  expect(har.log.entries).toEqual([]);
});

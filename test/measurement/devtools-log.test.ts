import { describe, expect, test } from '@jest/globals';
import { peakInFlight, quietSinceMs, readLog, type SeenRequest } from '../../harness/measurement/devtools-log.ts';
import type { DevToolsEvent } from '../../harness/model/capture.ts';
import { readCapture } from '../fixtures/captures.ts';

function request(times: Pick<SeenRequest, 'wantedMs' | 'sentMs' | 'finishedMs'>): SeenRequest {
  return { id: '', url: '', method: 'GET', fromCache: false, bytes: 0, ...times };
}

describe('the log of a load', () => {
  test('tells when each request was wanted, sent and finished, and over what', () => {
    const { requests, loadEventMs } = readLog(readCapture('h2-cold').browser.events as never);
    expect(requests).toHaveLength(6);
    const [document, ...objects] = requests;
    expect(document).toMatchObject({
      wantedMs: 0,
      status: 200,
      protocol: 'h2',
      method: 'GET',
      bytes: 385,
      fromCache: false,
    });
    // TCP and TLS, each a round trip of 40 ms, come before the document is asked for.
    expect(document!.sentMs).toBeGreaterThan(80);
    for (const object of objects) {
      expect(object.wantedMs).toBeGreaterThan(document!.sentMs! + 40);
      expect(object.sentMs).toBeGreaterThanOrEqual(object.wantedMs);
      expect(object.finishedMs).toBeGreaterThan(object.sentMs! + 40);
      expect(object.finishedMs).toBeLessThanOrEqual(loadEventMs!);
      expect(object.connection).toBe(document!.connection);
    }
    expect(objects.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(21_865 - 385);
  });

  const event = (method: string, params: object): DevToolsEvent => ({ method, params });
  const wanted = (timestamp: number, url: string, more = {}) =>
    event('Network.requestWillBeSent', { requestId: '1', timestamp, request: { url, method: 'GET' }, ...more });
  const response = { status: 302, protocol: 'h2', connectionId: 7, timing: { requestTime: 10.01, sendStart: 5 } };

  test('a redirection is a request of its own', () => {
    const { requests } = readLog([
      wanted(10, 'https://a.test/'),
      wanted(10.2, 'https://a.test/b', { redirectResponse: response }),
      event('Network.responseReceived', { requestId: '1', response: { ...response, status: 200 } }),
      event('Network.loadingFinished', { requestId: '1', timestamp: 10.5 }),
    ]);
    expect(requests).toMatchObject([
      { url: 'https://a.test/', status: 302, sentMs: expect.closeTo(15), finishedMs: expect.closeTo(200) },
      { url: 'https://a.test/b', status: 200, wantedMs: expect.closeTo(200), finishedMs: expect.closeTo(500) },
    ]);
  });

  test.each<[string, Readonly<Record<string, string>>, number, number]>([
    [
      'what came with the headers is content, as far as the server said how long that is',
      { 'Content-Length': '5000' },
      200,
      5_000,
    ],
    ['without its length it is taken for headers', {}, 200, 1_200],
    ['what the server says is no more than what came', { 'content-length': '7000' }, 200, 1_200],
    ['an answer without content may say how long it would be', { 'content-length': '5000' }, 304, 1_200],
    ['a length that is none says nothing', { 'content-length': '5000, 5000' }, 200, 1_200],
  ])('%s', (_, headers, status, encodedBytes) => {
    const { requests } = readLog([
      wanted(10, 'https://a.test/'),
      event('Network.responseReceived', {
        requestId: '1',
        response: { ...response, status, headers, encodedDataLength: 4_000 },
      }),
      event('Network.loadingFinished', { requestId: '1', timestamp: 10.5, encodedDataLength: 5_200 }),
    ]);
    expect(requests).toMatchObject([{ encodedBytes }]);
  });

  test('what comes from a cache has no connection, and what needs no network is no request', () => {
    const { requests } = readLog([
      event('Network.requestWillBeSent', { requestId: '0', timestamp: 9, request: { url: 'data:,', method: 'GET' } }),
      wanted(10, 'https://a.test/'),
      event('Network.requestServedFromCache', { requestId: '1' }),
      event('Network.responseReceived', { requestId: '1', response: { ...response, fromDiskCache: false } }),
    ]);
    expect(requests).toEqual([expect.objectContaining({ url: 'https://a.test/', fromCache: true, wantedMs: 0 })]);
    expect(requests[0]!.connection).toBeUndefined();
    expect(requests[0]!.sentMs).toBeUndefined();
  });

  test('a request that failed says why', () => {
    const { requests } = readLog([
      wanted(10, 'https://a.test/'),
      event('Network.loadingFailed', { requestId: '1', timestamp: 11, errorText: 'net::ERR_FAILED' }),
    ]);
    expect(requests).toMatchObject([{ error: 'net::ERR_FAILED', finishedMs: 1000 }]);
  });
});

describe('the peak in flight', () => {
  test.each([
    ['nothing', [], 0],
    [
      'one after the other',
      [
        [0, 10],
        [10, 20],
        [20, 30],
      ],
      1,
    ],
    [
      'two of three at once',
      [
        [0, 10],
        [5, 12],
        [11, 20],
      ],
      2,
    ],
    [
      'all at once',
      [
        [0, 10],
        [1, 9],
        [2, 8],
      ],
      3,
    ],
    [
      'one that never ends',
      [
        [0, undefined],
        [5, 6],
        [7, 8],
      ],
      2,
    ],
    [
      'one that was never sent',
      [
        [undefined, 10],
        [5, 6],
      ],
      1,
    ],
  ] as const)('%s', (_, spans, peak) => {
    const requests = spans.map(([sentMs, finishedMs]) =>
      request({
        wantedMs: 0,
        sentMs,
        finishedMs,
      }),
    );
    expect(peakInFlight(requests)).toBe(peak);
  });
});

describe('the network is quiet', () => {
  test.each([
    ['from the start, where nothing was asked for', [], 0],
    [
      'after the last of what overlaps',
      [
        [0, 100],
        [50, 700],
        [650, 900],
      ],
      900,
    ],
    [
      'from the first gap of half a second on',
      [
        [0, 100],
        [601, 900],
      ],
      100,
    ],
    [
      'not yet in a gap that is shorter',
      [
        [0, 100],
        [599, 900],
      ],
      900,
    ],
    [
      'when the longest is done, not the latest',
      [
        [0, 2000],
        [100, 200],
        [2600, 2700],
      ],
      2000,
    ],
  ] as const)('%s', (_, spans, ms) => {
    expect(quietSinceMs(spans.map(([wantedMs, finishedMs]) => request({ wantedMs, finishedMs })))).toBe(ms);
  });
});

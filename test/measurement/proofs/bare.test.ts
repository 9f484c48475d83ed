import { describe, expect, test } from '@jest/globals';
import { RECORDED_BARE, type RecordedName } from '../../fixtures/captures.ts';
import { flowOf, judge, key, type Spoilt } from '../spoilt.ts';

type Request = NonNullable<Spoilt['browser']['record']>['requests'][number];

const requestsOf = (capture: Spoilt): Request[] => capture.browser.record!.requests;

/** What is done to the real capture of an unwatched load, and what that makes of it. */
const VIOLATIONS: readonly (readonly [
  what: string,
  name: RecordedName,
  spoil: (capture: Spoilt) => void,
  expected: { status: 'failed' | 'void'; reason: string; says: RegExp },
])[] = [
  [
    'one request that fell back to H2',
    'h3-bare',
    (capture) => {
      requestsOf(capture)[3]!.protocol = 'h2';
    },
    { status: 'failed', reason: 'fallback', says: /flag-\d\.png came over h2, not h3$/ },
  ],
  [
    'one request by another protocol',
    'h2-bare',
    (capture) => {
      requestsOf(capture)[5]!.protocol = 'http/1.1';
    },
    { status: 'failed', reason: 'protocol', says: /flag-\d\.png came over http\/1\.1, not h2$/ },
  ],
  [
    'an object too few',
    'h2-bare',
    (capture) => {
      capture.browser.record!.requests = requestsOf(capture).filter(({ url }) => !url.endsWith('flag-2.png'));
      capture.server = capture.server.filter(({ request }) => !request.endsWith('flag-2.png'));
    },
    { status: 'failed', reason: 'object', says: /^\/few-small\/flag-2\.png is missing$/ },
  ],
  [
    'a short object',
    'h1-bare',
    (capture) => {
      requestsOf(capture)[4]!.bytes -= 1;
    },
    { status: 'failed', reason: 'object', says: /^\/few-small\/flag-\d\.png has \d+ bytes instead of \d+$/ },
  ],
  [
    'an object that did not come',
    'h3-bare',
    (capture) => {
      Object.assign(requestsOf(capture)[2]!, {
        status: 0,
        protocol: '',
        bytes: 0,
        transferredBytes: 0,
        encodedBytes: 0,
      });
    },
    { status: 'failed', reason: 'object', says: /flag-\d\.png did not arrive: no answer, says the page/ },
  ],
  [
    'an object that the server refused',
    'h2-bare',
    (capture) => {
      capture.server.find(({ request }) => request.endsWith('flag-1.png'))!.status = 404;
    },
    { status: 'failed', reason: 'object', says: /came with status 404/ },
  ],
  [
    'a request that the server does not know',
    'h2-bare',
    (capture) => {
      capture.server = capture.server.filter(({ request }) => !request.endsWith('flag-3.png'));
    },
    { status: 'void', reason: 'server-log', says: /the server's log does not know GET .*flag-3\.png/ },
  ],
  [
    'a request that the page does not know',
    'h1-bare',
    (capture) => {
      capture.server.push({ ...capture.server[0]!, request: '/few-small/other.png' });
    },
    { status: 'void', reason: 'server-log', says: /the browser's log does not know GET \/few-small\/other\.png/ },
  ],
  [
    'a request over a connection that the wire saw nothing of',
    'h3-bare',
    (capture) => {
      capture.server[1]!.clientPort = 1;
    },
    { status: 'void', reason: 'wire', says: /the browser used 2 connections, of which the wire saw 1 open/ },
  ],
  [
    'a TCP connection inside an h3 arm',
    'h3-bare',
    (capture) => {
      capture.wire!.client.flows.push(flowOf('tcp', [40_000, 4433], { packets: 3, bytes: 222 }));
    },
    { status: 'failed', reason: 'fallback', says: /^6 TCP packets at the client, to port 4433$/ },
  ],
  [
    'an object from the cache of a visitor who was never there',
    'h2-bare',
    (capture) => {
      Object.assign(requestsOf(capture)[1]!, { fromCache: true, transferredBytes: 0 });
    },
    { status: 'void', reason: 'server-log', says: /does not know GET .*flag/ },
  ],
  [
    'an earlier session that was taken up',
    'h2-bare',
    (capture) => {
      capture.server[0]!.resumed = true;
    },
    { status: 'void', reason: 'not-cold', says: /took up an earlier session/ },
  ],
  [
    'a page whose clock leads the harness’s',
    'h1-bare',
    (capture) => {
      capture.browser.timings!.loadEventEndMs = capture.browser.record!.loadEventSeenMs + 6;
    },
    { status: 'void', reason: 'clock', says: /the page says that it took \d+ ms, Photofinish saw \d+ ms/ },
  ],
  [
    'a page whose clock lags far behind',
    'h3-bare',
    (capture) => {
      capture.browser.record!.loadEventSeenMs += 51;
    },
    { status: 'void', reason: 'clock', says: /the page says that it took \d+ ms, Photofinish saw \d+ ms/ },
  ],
  [
    'a page that no longer answered',
    'h2-bare',
    (capture) => {
      delete capture.browser.record;
      delete capture.browser.timings;
    },
    { status: 'failed', reason: 'page-crash', says: /no longer answered/ },
  ],
];

describe('of a load that nobody watched a violation', () => {
  test.each(VIOLATIONS)('%s (%s) is found', (_, name, spoil, { status, reason, says }) => {
    expect(judge(name)).toMatchObject({ status: 'ok' });
    expect(judge(name, spoil)).toMatchObject({ ...key, status, reason, says: expect.stringMatching(says) });
  });
});

describe.each(RECORDED_BARE)('the figures of %s', (name) => {
  test('are as a log would have them', () => {
    const measured = judge(name);
    expect(measured).toMatchObject({
      status: 'ok',
      requests: 6,
      usedConnections: name === 'h1-bare' ? expect.any(Number) : 1,
      connections: name === 'h1-bare' ? expect.any(Number) : 1,
    });
    if (measured.status !== 'ok') return;
    expect(measured.peakInFlight).toBeGreaterThanOrEqual(name === 'h1-bare' ? 2 : 5);
    expect(measured.lastByteMs).toBeGreaterThan(measured.ttfbMs!);
    expect(measured.lastByteMs).toBeLessThanOrEqual(measured.pltMs);
    expect(measured.undigestedObjects).toBeUndefined();
  });
});

test('how something was asked for that had not changed the server knows; the page tells how it came the first time', () => {
  const unchanged = (status: number) => (capture: Spoilt) => {
    requestsOf(capture)[1]!.protocol = 'h2';
    const { url } = requestsOf(capture)[1]!;
    capture.server.find(({ request }) => url.endsWith(request))!.status = status;
  };
  expect(judge('h3-bare', unchanged(304))).toMatchObject({ status: 'ok', h3SharePercent: 100 });
  expect(judge('h3-bare', unchanged(200))).toMatchObject({ status: 'failed', reason: 'fallback' });
});

describe('what is asked for by another method at an address of a recorded page', () => {
  const PATH = 'flag-1.png';
  const isFlag = (request: string) => request.endsWith(PATH);

  /** Puts a line before the one of an object, and the page's record of it where it has one. */
  const asked =
    (method: string, { status = 200, bodyBytes = 0, isRecorded = true } = {}, spoil = (_: Spoilt) => {}) =>
    (capture: Spoilt) => {
      capture.page.recorded = true;
      const place = capture.server.findIndex(({ request }) => isFlag(request));
      capture.server.splice(place, 0, { ...capture.server[place]!, method, status, bodyBytes });
      const [at, request] = [...requestsOf(capture).entries()].find(([, { url }]) => isFlag(url))!;
      if (isRecorded) requestsOf(capture).splice(at, 0, { ...request, status, bytes: bodyBytes });
      spoil(capture);
    };
  const preflight = (status: number, spoil?: (capture: Spoilt) => void) =>
    asked('OPTIONS', { status, isRecorded: false }, spoil);

  const elsewhere = (capture: Spoilt) => {
    asked('OPTIONS', { status: 204 })(capture);
    const request = '/few-small/items';
    Object.assign(capture.server.find(({ method }) => method === 'OPTIONS')!, { request });
    const own = requestsOf(capture).find(({ url, bytes }) => isFlag(url) && bytes === 0)!;
    own.url = new URL(request, own.url).href;
  };

  test.each([
    ['what the browser asks beforehand, which its record does not have', preflight(204)],
    ['the same with status 200', preflight(200)],
    ['a question that the page asks by OPTIONS itself, of another address', elsewhere],
    ['what is sent there', asked('POST', { bodyBytes: 30 })],
    ['a question for the headers', asked('HEAD')],
  ])('%s is not what brought the object', (_, spoil) => {
    expect(judge('h2-bare', spoil)).toMatchObject({ status: 'ok' });
  });

  test('and an object that itself is missing, is short or has another status is found', () => {
    const missing = (capture: Spoilt) => {
      capture.server = capture.server.filter(({ method, request }) => method !== 'GET' || !isFlag(request));
    };
    expect(judge('h2-bare', asked('POST', {}, missing))).toMatchObject({ status: 'void', reason: 'server-log' });
    const withoutIt = (capture: Spoilt) => {
      missing(capture);
      capture.browser.record!.requests = requestsOf(capture).filter(({ url, bytes }) => !isFlag(url) || bytes === 30);
    };
    expect(judge('h2-bare', asked('POST', { bodyBytes: 30 }, withoutIt))).toMatchObject({
      status: 'failed',
      says: expect.stringMatching(/flag-1\.png is missing$/),
    });
    const short = (capture: Spoilt) => {
      requestsOf(capture).find(({ url }) => isFlag(url))!.bytes -= 1;
    };
    expect(judge('h2-bare', preflight(204, short))).toMatchObject({
      status: 'failed',
      says: expect.stringMatching(/flag-1\.png has \d+ bytes instead of/),
    });
    const refused = (capture: Spoilt) => {
      capture.server.find(({ method, request }) => method === 'GET' && isFlag(request))!.status = 404;
    };
    expect(judge('h2-bare', preflight(204, refused))).toMatchObject({
      status: 'failed',
      says: expect.stringMatching(/came with status 404$/),
    });
  });
});

describe('what a recorded page finds in its cache', () => {
  /** Another origin's picture: the page does not tell its status. */
  const untold = (more: Partial<Request>) => (capture: Spoilt) => {
    Object.assign(capture.page, { recorded: true, visit: 'repeat' });
    capture.server[0]!.resumed = true;
    const picture = requestsOf(capture).find(({ url }) => url.endsWith('flag-1.png'))!;
    Object.assign(picture, { status: 0, transferredBytes: 0, fromCache: true, ...more });
    capture.server = capture.server.filter(({ request }) => !request.endsWith('flag-1.png'));
  };

  test.each(['h2', ''])('may be another origin’s, whose status it does not tell (protocol "%s")', (protocol) => {
    expect(judge('h2-bare', untold({ protocol }))).toMatchObject({ status: 'ok', requests: 5 });
  });

  test('and what did not come is in no cache', () => {
    const nothing = { protocol: '', fromCache: false, bytes: 0, encodedBytes: 0 };
    expect(judge('h2-bare', untold(nothing))).toMatchObject({
      status: 'failed',
      reason: 'object',
      says: expect.stringMatching(/flag-1\.png did not arrive: no answer, says the page/),
    });
    expect(judge('h2-bare', untold({ ...nothing, protocol: 'h2' }))).toMatchObject({
      status: 'failed',
      reason: 'object',
      says: expect.stringMatching(/came with status 0/),
    });
  });
});

describe('what leads a recorded page on to another origin, which has another protocol', () => {
  const leadingOn =
    ({ protocol = 'h3', status = 302 }: { protocol?: 'h2' | 'h3'; status?: number } = {}) =>
    (capture: Spoilt) => {
      capture.page.recorded = true;
      const [own] = capture.page.origins;
      capture.page.origins.push({
        ...own,
        protocol: 'h2',
        host: 'cdn.test',
        port: 9_000,
        url: 'https://cdn.test:9000',
      });
      capture.wire!.client.flows.push(flowOf('tcp', [51_000, 9_000], { packets: 9, bytes: 9_000 }));
      const line = { ...capture.server.at(-1)!, request: '/go', status, protocol, bodyBytes: 0 };
      const led = { ...line, request: '/x.png', status: 200, protocol: 'h2', port: 9_000, clientPort: 51_000 } as const;
      capture.server.push(line, led);
      // The page's record has the first address, and how the last one came.
      const last = requestsOf(capture).at(-1)!;
      requestsOf(capture).push({ ...last, url: `${own.url}/go`, protocol: 'h2', status: 0 });
    };

  test('went by the protocol that its own server says', () => {
    expect(judge('h3-bare', leadingOn())).toMatchObject({ status: 'ok', h3SharePercent: 100 });
  });

  test('and fell back where that server says so, or answered itself', () => {
    expect(judge('h3-bare', leadingOn({ protocol: 'h2' }))).toMatchObject({ status: 'failed', reason: 'fallback' });
    expect(judge('h3-bare', leadingOn({ status: 200 }))).toMatchObject({ status: 'failed', reason: 'fallback' });
  });
});

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { readRequests } from '../../../harness/browser/record/devtools-requests.ts';
import { joinExchanges } from '../../../harness/browser/record/exchanges.ts';
import { readNetLog } from '../../../harness/browser/record/net-log.ts';

const TYPES = {
  URL_REQUEST_START_JOB: 1,
  HTTP_TRANSACTION_HTTP2_SEND_REQUEST_HEADERS: 2,
  HTTP_TRANSACTION_READ_RESPONSE_HEADERS: 3,
  URL_REQUEST_JOB_BYTES_READ: 4,
  URL_REQUEST_JOB_FILTERED_BYTES_READ: 5,
  FAILED: 6,
  CANCELLED: 7,
  REQUEST_ALIVE: 8,
  TCP_CONNECT_ATTEMPT: 9,
  SOCKET_BYTES_RECEIVED: 10,
  LOCAL_NETWORK_ACCESS_CHECK: 11,
};
const CONSTANTS = { logEventTypes: TYPES, netError: { ERR_CONNECTION_RESET: -101 } };

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'photofinish-hops-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

type Step = readonly [type: keyof typeof TYPES, params?: object, time?: number, phase?: number];

/** Reads a log of one request after the other, each with its steps. */
function logOf(...requests: readonly (readonly Step[])[]) {
  const events = requests.flatMap((steps, id) =>
    steps.map(([type, params, time = 0, phase = 0]) =>
      JSON.stringify({ type: TYPES[type], params, phase, time: `${time}`, source: { id } }),
    ),
  );
  const path = join(folder, 'log.json');
  writeFileSync(path, `{"constants":${JSON.stringify(CONSTANTS)},\n"events": [\n${events.join(',\n')}`);
  return readNetLog(path);
}

async function hopsOf(...requests: readonly (readonly Step[])[]) {
  return (await logOf(...requests)).hops;
}

const start = (url: string, initiator = 'https://a.test', method = 'GET'): Step => [
  ...(['URL_REQUEST_START_JOB', { url, method, initiator }, 5, 1] as const),
];
const sent: Step = ['HTTP_TRANSACTION_HTTP2_SEND_REQUEST_HEADERS', { headers: [':method: GET', 'accept: */*'] }, 10];
const answered = (...headers: string[]): Step => [
  'HTTP_TRANSACTION_READ_RESPONSE_HEADERS',
  { headers: ['HTTP/1.1 200', ...headers] },
  25,
];
const bytes = (type: 'BYTES' | 'FILTERED_BYTES', text: string): Step => [
  type === 'BYTES' ? 'URL_REQUEST_JOB_BYTES_READ' : 'URL_REQUEST_JOB_FILTERED_BYTES_READ',
  { bytes: Buffer.from(text).toString('base64') },
];
const ended: Step = ['REQUEST_ALIVE', {}, 30, 2];
const URL_A = 'https://a.test/x';

describe('a hop of the network log', () => {
  test('has headers line by line, the bytes before they were decoded, and how long it took', async () => {
    const steps = [
      start(`${URL_A}#y`),
      sent,
      answered('x-a: 1', 'x-a: 2', '%ESCAPED:\u200b x-b: %E4%25', 'x-u: ü'),
      bytes('BYTES', 'zip'),
      bytes('FILTERED_BYTES', 'text'),
      ended,
    ];
    expect(await hopsOf(steps)).toEqual([
      {
        method: 'GET',
        url: URL_A,
        initiator: 'https://a.test',
        startedMs: 5,
        status: 200,
        askedMs: 10,
        waitMs: 15,
        readMs: [25, 0, 0],
        requestHeaders: [['accept', '*/*']],
        headers: [
          ['x-a', '1'],
          ['x-a', '2'],
          ['x-b', '\xe4%'],
          ['x-u', '\xc3\xbc'],
        ],
        body: Buffer.from('zip'),
      },
    ]);
  });

  test.each<[string, readonly Step[], string | undefined]>([
    ['that came whole', [bytes('FILTERED_BYTES', 'a'), ended], undefined],
    [
      'that failed',
      [bytes('FILTERED_BYTES', 'a'), ['FAILED', { net_error: -101 }], ended],
      'net::ERR_CONNECTION_RESET',
    ],
    [
      'that was given up',
      [['CANCELLED'], ended],
      'it was still coming when the page gave it up, or the recording ended',
    ],
    ['whose browser died', [], 'it was still coming when the page gave it up, or the recording ended'],
  ])('%s', async (_, steps, error) => {
    const [hop] = await hopsOf([start(URL_A), sent, answered(), ...steps]);
    expect(hop!.error).toBe(error);
  });

  test('is none where nothing answered, or the log is cut in a line', async () => {
    expect(await hopsOf([start(URL_A), sent, ended])).toEqual([]);
    writeFileSync(join(folder, 'cut.json'), `{"constants":${JSON.stringify(CONSTANTS)},\n"events": [\n{"type":1,"pha`);
    expect(await readNetLog(join(folder, 'cut.json'))).toEqual({ hops: [], arrivals: [], handshakes: new Map() });
    writeFileSync(join(folder, 'none.json'), '{}');
    await expect(readNetLog(join(folder, 'none.json'))).rejects.toThrow(/no network log/);
  });
});

const told = (url: string, more: object = {}) => ({
  method: 'GET',
  url,
  kind: 'Script',
  wantedMs: 7,
  fromCache: false,
  ...more,
});

const connected = (address: string, fromMs: number, untilMs: number, failed: object = {}): Step[] => [
  ['TCP_CONNECT_ATTEMPT', { address }, fromMs, 1],
  ['TCP_CONNECT_ATTEMPT', failed, untilMs, 2],
];

describe('joined', () => {
  test('each answer has what both know of it, in the order of both', async () => {
    const log = await logOf(
      [start(URL_A), sent, answered('n: 1'), ended],
      [start(URL_A), sent, answered('n: 2'), ended],
      [...connected('[::1]:443', 30, 41), ['SOCKET_BYTES_RECEIVED', { byte_count: 9 }, 42]],
      connected('[::1]:443', 50, 60),
      connected('[::1]:443', 50, 51, { os_error: 111 }),
      connected('192.0.2.1:443', 50, 51),
    );
    expect(log.arrivals).toEqual([{ atMs: 42, bytes: 9 }]);
    const first = told(URL_A, { protocol: 'h2', address: '::1', connectMs: 3 });
    const { exchanges, failed, untold } = joinExchanges(log, [first, told(URL_A, { fromCache: true }), told(URL_A)], 5);
    expect(
      exchanges.map(({ headers, protocol, askedMs, waitMs, came, connectMs, wantedMs }) => [
        headers[0]![1],
        ...[protocol, askedMs, waitMs, came, connectMs, wantedMs],
      ]),
    ).toEqual([
      ['1', 'h2', 5, 15, [[20, 20]], 10, 2],
      ['2', undefined, 5, 15, [[20, 20]], undefined, 2],
    ]);
    expect([failed, untold]).toEqual([[], 0]);
  });

  test.each([
    ['10.9.9.9:8765', '10.9.9.9'],
    ['[fd00::1]:443', 'fd00::1'],
  ])('each has the address that it came from, %s, whether DevTools tell it or not', async (endpoint, address) => {
    const transport_info = `TransportInfo{ type = TransportType::kDirect, endpoint = ${endpoint}, accept_ch_frame = }`;
    const steps = [start(URL_A), ['LOCAL_NETWORK_ACCESS_CHECK', { transport_info }] as const, sent, answered(), ended];
    const log = await logOf(steps, steps, [start(URL_A), sent, answered(), ended]);
    const { exchanges } = joinExchanges(log, [told(URL_A, { blocked: 'MissingAllowOriginHeader' })], 0);
    expect(exchanges.map((each) => each.address)).toEqual([address, undefined, address]);
  });

  test('what only the network log knows is the page’s, unless the browser wanted it itself', async () => {
    const log = await logOf(
      [start(URL_A), sent, answered(), ended],
      [start('https://update.test/', 'not an origin'), sent, answered(), ended],
    );
    const { exchanges, untold } = joinExchanges(log, [], 0);
    expect([exchanges.map(({ url }) => url), untold]).toEqual([[URL_A], 1]);
  });

  test('what never was answered is named', async () => {
    const { failed } = joinExchanges(
      { hops: [], handshakes: new Map() },
      [told(URL_A, { error: 'net::ERR_NAME_NOT_RESOLVED' })],
      0,
    );
    expect(failed).toEqual([{ what: `GET ${URL_A}`, why: 'net::ERR_NAME_NOT_RESOLVED' }]);
  });

  test('what came whole is whole, though the page gave it up', async () => {
    const given = { error: 'net::ERR_ABORTED' };
    const whole = await logOf([
      start(URL_A),
      sent,
      answered('content-length: 3'),
      bytes('FILTERED_BYTES', 'abc'),
      ['CANCELLED', {}],
    ]);
    expect(joinExchanges(whole, [told(URL_A, given)], 0).exchanges[0]!.broken).toBeUndefined();
    const unknown = await logOf([start(URL_A), sent, answered(), bytes('FILTERED_BYTES', 'abc'), ['CANCELLED', {}]]);
    expect(joinExchanges(unknown, [told(URL_A, given)], 0).exchanges[0]!.broken).toMatch(/gave it up/);
  });

  test.each([
    [{}, '3 of 9 bytes came'],
    [{ blocked: 'DisallowedByMode' }, undefined],
  ])('a body shorter than announced is broken, unless the page may not see it: %j', async (more, broken) => {
    const log = await logOf([start(URL_A), sent, answered('Content-Length: 9'), bytes('FILTERED_BYTES', 'abc'), ended]);
    expect(joinExchanges(log, [told(URL_A, more)], 0).exchanges[0]!.broken).toBe(broken);
  });
});

test('what ended well on the page itself is the page’s, and what a frame or a worker tells of its end is not', async () => {
  const event = (method: string, requestId: string, ofPage: boolean, params = {}) => ({
    method: `Network.${method}`,
    params: { requestId, timestamp: 2, ...params },
    ofPage,
  });
  const asked = (id: string, ofPage = true) =>
    event('requestWillBeSent', id, ofPage, { request: { url: `https://a.test/${id}`, method: 'GET' } });
  const { requests } = readRequests([
    ...['own', 'frame', 'gone'].map((id) => asked(id)),
    asked('inner', false),
    event('loadingFinished', 'own', true),
    // A frame with a process of its own is asked for by the page, and comes to the frame.
    event('loadingFinished', 'frame', false),
    event('loadingFinished', 'inner', false),
    event('loadingFailed', 'gone', true, { errorText: 'net::ERR_BLOCKED_BY_ORB' }),
  ]);
  expect(requests.filter(({ cameToPage }) => cameToPage).map(({ url }) => url)).toEqual(['https://a.test/own']);
  const hops = await logOf(
    ...requests.map(({ url }) => [start(url), sent, answered('Content-Length: 3'), bytes('BYTES', 'abc'), ended]),
  );
  const { exchanges } = joinExchanges(hops, requests, 0);
  expect(exchanges).toHaveLength(4);
  expect(exchanges.filter(({ cameToPage }) => cameToPage).map(({ url }) => url)).toEqual(['https://a.test/own']);
});

test('DevTools tell of redirects one by one, of bodies that were sent, and of the way to the server', () => {
  const response = (connectStart: number, sslStart: number, connectEnd: number) => ({
    protocol: 'h2',
    remoteIPAddress: '[::1]',
    timing: { connectStart, sslStart, connectEnd },
    securityDetails: { subjectName: 'a.test', sanList: ['a.test', 'b.test'] },
  });
  const event = (method: string, params: object) => ({
    method: `Network.${method}`,
    params: { requestId: '1', timestamp: 2, ...params },
  });
  const { requests, streams } = readRequests([
    event('requestWillBeSent', {
      type: 'Image',
      request: { url: 'https://a.test/1', method: 'POST', postDataEntries: [{ bytes: 'AAE=' }] },
    }),
    event('requestWillBeSent', {
      request: { url: 'https://a.test/2', method: 'GET' },
      redirectResponse: response(10, 20, 35),
    }),
    event('requestWillBeSent', { request: { url: 'https://a.test/2', method: 'GET' } }),
    event('responseReceived', { type: 'Image', response: response(-1, -1, -1) }),
    event('requestWillBeSent', { requestId: '2', request: { url: 'data:,x', method: 'GET' } }),
    event('webSocketCreated', { requestId: '3', url: 'wss://a.test/' }),
  ]);
  expect(requests.map(({ url, connectMs, address, kind }) => [url, connectMs, address, kind])).toEqual([
    ['https://a.test/1', 10, '::1', 'Image'],
    ['https://a.test/2', undefined, '::1', 'Image'],
  ]);
  expect(requests[0]!.requestBody).toEqual(Buffer.from([0, 1]));
  expect(requests[0]!.certificateNames).toEqual(['a.test', 'b.test']);
  expect(streams.map(({ what }) => what)).toEqual(['WebSocket wss://a.test/']);
});

import { describe, expect, test } from '@jest/globals';
import { measurementOf } from '../../harness/measurement/measurement.ts';
import { originFor } from '../../harness/model/arm.ts';
import type { Capture, HostCounts, PartyCapture, ServerRecord, TabObject } from '../../harness/model/capture.ts';
import { generatedPage } from '../../harness/model/page.ts';
import type { Manifest } from '../../harness/model/site.ts';

const origin = originFor('h2', 'cold');
const { port } = origin;
const MANIFEST: Manifest = {
  site: 's',
  seed: 1,
  document: '/s/index.html',
  objects: [
    { path: '/s/index.html', bytes: 500, type: 'text/html', sha256: '' },
    { path: '/s/a.png', bytes: 1_000, type: 'image/png', sha256: '' },
  ],
};
const PAGE: TabObject = ['/s/index.html', 500, 800, 'h2'];
const NEW: readonly TabObject[] = [PAGE, ['/s/a.png', 1_000, 1_300, 'h2']];
const CACHED: readonly TabObject[] = [PAGE, ['/s/a.png', 1_000, 0, 'h2']];

const counts = (sent: number, received: number, flows: HostCounts['flows']): HostCounts => ({
  flows,
  others: { sent: { packets: 0, bytes: 0 }, received: { packets: 0, bytes: 0 } },
  retransmittedSegments: 0,
  droppedDatagrams: 0,
  retries: 0,
  sent: { packets: sent, bytes: 100 * sent },
  received: { packets: received, bytes: 100 * received },
});
const none = { packets: 5, bytes: 500 };
const flow = (transport: 'tcp' | 'udp', opened = true) => ({
  transport,
  ownPort: 20_000,
  otherPort: port,
  sent: none,
  received: none,
  opened,
});
const record = (more: Partial<ServerRecord> = {}): ServerRecord => ({
  timeMs: 0,
  port,
  clientPort: 20_000,
  protocol: 'h2',
  tls: 'TLSv1.3',
  resumed: false,
  earlyData: false,
  method: 'GET',
  request: '/s/a.png',
  status: 200,
  bodyBytes: 1_000,
  seconds: 0,
  ...more,
});

/** Two clients, or more, with two tabs each, of which the second finds in its cache what the first one fetched. */
function crowd(besideMs: readonly number[] = [600]) {
  const party = (slowestMs: number): { -readonly [Key in keyof PartyCapture]: PartyCapture[Key] } => ({
    page: generatedPage(MANIFEST, origin, 'cold'),
    browser: {
      events: [],
      digests: {},
      tabs: [
        { doneMs: 100, objects: NEW },
        { doneMs: slowestMs, objects: CACHED },
      ],
    },
    wire: { client: counts(10, 15, [flow('tcp')]), server: counts(40, 18, []) },
    server: [],
  });
  const server = Array.from({ length: 3 * (1 + besideMs.length) }, () => record());
  const capture = {
    ...party(300),
    server,
    host: { cores: [0.5] },
    launch: 3,
    wallMs: 900,
    beside: besideMs.map(party),
  };
  return capture as typeof capture & Capture;
}

const key = { condition: 'c', block: 0, arm: 'h2' };
const judge = (capture: Capture) => measurementOf(key, capture);

test('takes as long as its last tab, and counts what all of them took', () => {
  expect(judge(crowd())).toMatchObject({
    ...key,
    status: 'ok',
    pltMs: 600,
    tabs: 4,
    connections: 2,
    usedConnections: 2,
    requests: 6,
    payloadBytes: 6_000,
    packetsDown: 40,
    packetsUp: 20,
    bytesDown: 4_000,
    bytesUp: 2_000,
    bytesReceived: 3_000,
    lostDown: 10,
    lostUp: 2,
    overheadPercent: 0,
    throughputKbps: 80,
    launch: 3,
    overheadMs: 300,
    cpuBound: false,
  });
});

test('may have had other clients send from the same ports', () => {
  const capture = crowd();
  capture.beside[0]!.wire = { ...capture.wire!, client: counts(10, 15, [{ ...flow('tcp'), ownPort: 20_001 }]) };
  for (const place of [3, 4, 5]) capture.server[place] = record({ clientPort: 20_001 });
  expect(judge(capture)).toMatchObject({ status: 'ok', usedConnections: 2 });
});

test('is served as evenly as its clients are done at the same time', () => {
  expect(judge(crowd([300, 300]))).toMatchObject({ status: 'ok', evenness: expect.closeTo(1) });
  // One twice as fast as two others.
  expect(judge(crowd([600, 600]))).toMatchObject({ status: 'ok', evenness: expect.closeTo(8 / 9) });
});

describe('does not count where', () => {
  type Spoil = (capture: ReturnType<typeof crowd>) => void;
  const tabs = (capture: ReturnType<typeof crowd>) =>
    capture.beside[0]!.browser.tabs as { objects: readonly TabObject[] }[];
  const cases: readonly (readonly [string, Spoil, object])[] = [
    [
      'a tab lacks an object',
      (capture) => {
        tabs(capture)[1]!.objects = [PAGE];
      },
      { status: 'failed', reason: 'object', says: 'client 2: tab 2: /s/a.png has no bytes instead of 1000' },
    ],
    [
      'an object is short',
      (capture) => {
        tabs(capture)[0]!.objects = [PAGE, ['/s/a.png', 999, 1_200, 'h2']];
      },
      { status: 'failed', reason: 'object', says: 'client 2: tab 1: /s/a.png has 999 bytes instead of 1000' },
    ],
    [
      'something came over another protocol',
      (capture) => {
        tabs(capture)[0]!.objects = [PAGE, ['/s/a.png', 1_000, 1_200, 'http/1.1']];
      },
      { status: 'failed', reason: 'protocol', says: 'client 2: tab 1: /s/a.png came over http/1.1, not h2' },
    ],
    [
      'a client used the other transport',
      (capture) => {
        capture.beside[0]!.wire = { ...capture.wire!, client: counts(10, 15, [flow('udp')]) };
      },
      { status: 'failed', reason: 'protocol' },
    ],
    [
      'a client was not done in time',
      (capture) => {
        capture.beside[0]!.browser = { ...capture.beside[0]!.browser, ending: { by: 'timeout', says: 'late' } };
      },
      { status: 'failed', reason: 'timeout', says: 'client 2: late' },
    ],
    [
      'the server spoke another protocol',
      (capture) => capture.server.splice(0, 1, record({ protocol: 'h1' })),
      { status: 'failed', reason: 'protocol', says: 'the server answered /s/a.png over h1' },
    ],
    [
      'a session was taken up',
      (capture) => capture.server.splice(0, 1, record({ resumed: true })),
      { status: 'void', reason: 'not-cold' },
    ],
    [
      'the server knows nothing of a request',
      (capture) => capture.server.splice(0, 1),
      { status: 'void', reason: 'server-log', says: "the server's log knows 5 requests of 6" },
    ],
    [
      'the server answered over a connection that no client opened',
      (capture) => capture.server.splice(0, 1, record({ clientPort: 1 })),
      { status: 'void', reason: 'wire', says: '/s/a.png came from port 1, of which the wire saw no opening' },
    ],
    [
      'the wire saw no connection of a client',
      (capture) => {
        capture.beside[0]!.wire = { ...capture.wire!, client: counts(10, 15, [flow('tcp', false)]) };
      },
      {
        status: 'void',
        reason: 'wire',
        says: 'client 2: 0 of 3 requests came over connections that the wire saw open',
      },
    ],
    [
      'nobody asked the wire of a client',
      (capture) => {
        delete capture.beside[0]!.wire;
      },
      { status: 'void', reason: 'harness' },
    ],
    [
      'the lab broke down',
      (capture) => Object.assign(capture, { broken: { part: 'link', says: 'gone' } }),
      { status: 'void', reason: 'link', says: 'gone' },
    ],
  ];
  test.each(cases)('%s', (_, spoil, expected) => {
    const capture = crowd();
    spoil(capture);
    expect(judge(capture)).toMatchObject({ ...key, ...expected });
  });
});

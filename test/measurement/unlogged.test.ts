import { expect, test } from '@jest/globals';
import { measurementOf } from '../../harness/measurement/measurement.ts';
import type { Protocol } from '../../harness/model/arm.ts';
import { type RemoteOrigin, remotePage } from '../../harness/model/remote.ts';
import { protocolOf, readCapture } from '../fixtures/captures.ts';

/*
 * Real loads, taken for those of a server that exists already: its log is not there, and flows are told apart by
 * addresses.
 */

const ADDRESS = '10.77.0.21';
const ELSEWHERE = '10.77.0.22';
const key = { condition: 'c', block: 0, arm: 'arm' };

type Name = 'h1-cold' | 'h2-cold' | 'h3-cold';
type Spoilt = ReturnType<typeof readUnlogged>;

function readUnlogged(name: Name) {
  const capture = readCapture(name);
  const protocol = protocolOf(name) as Protocol;
  const [own] = capture.page.origins;
  const origin: RemoteOrigin = {
    origin: own.url,
    host: own.host,
    port: own.port,
    address: ADDRESS,
    tcp: 'h2',
    h3: 'answers',
  };
  const objects = capture.page.objects.map(({ url }) => ({ url, required: true }));
  const site = { asked: own.url, url: capture.page.url, atMs: 0, by: '', origins: [origin] as const, objects };
  const page = remotePage({ ...site, bytes: 90_000, trusted: [], notes: [] }, protocol, 'cold');
  const { client, server } = capture.wire!;
  for (const flow of [...client.flows, ...server.flows]) flow.address = ADDRESS;
  return { ...capture, page: page as (typeof capture)['page'], server: [] as typeof capture.server };
}

function judge(name: Name, spoil: (capture: Spoilt) => void = () => {}) {
  const capture = readUnlogged(name);
  spoil(capture);
  return measurementOf(key, capture as never);
}

const FRAMING = { 'h1-cold': 0, 'h2-cold': 6 * 9, 'h3-cold': 0 } as const;

test.each(['h1-cold', 'h2-cold', 'h3-cold'] as const)('%s holds without the server’s log', (name) => {
  const measured = judge(name);
  // HTTP/2's frames have nine bytes of their own.
  expect(measured).toMatchObject({ status: 'ok', requests: 6, payloadBytes: 21_865 + FRAMING[name] });
  expect(measured).toMatchObject({ undigestedObjects: 6 });
  expect(measured).not.toMatchObject({ retransmittedSegments: expect.anything() });
});

/** What is done to a load, and what that makes of it. */
const VIOLATIONS: readonly (readonly [
  what: string,
  name: Name,
  spoil: (capture: Spoilt) => void,
  expected: { readonly status: 'failed' | 'void'; readonly reason: string; readonly says: RegExp },
])[] = [
  [
    'what the browser was given did not pass the gateway',
    'h2-cold',
    ({ wire }) => {
      wire!.server.flows = [];
    },
    { status: 'void', reason: 'wire', says: /^what came from 10\.77\.0\.21:4432 to port \d+ did not come by way of/ },
  ],
  [
    'only the connection did',
    'h3-cold',
    ({ wire }) => {
      for (const flow of wire!.server.flows) flow.sent.bytes = 1_000;
    },
    {
      status: 'void',
      reason: 'wire',
      says: /given 2\d{4} bytes over UDP by 10\.77\.0\.21:4433, of which the gateway saw 1000$/,
    },
  ],
  [
    'the client’s kernel saw less than its browser',
    'h1-cold',
    ({ wire }) => {
      for (const flow of wire!.client.flows) flow.received.bytes = 100;
    },
    { status: 'void', reason: 'wire', says: /bytes over TCP by 10\.77\.0\.21:4431, of which the client saw \d{3}$/ },
  ],
  [
    'another address answered',
    'h2-cold',
    ({ browser }) => {
      const event = browser.events.findLast(({ method }) => method === 'Network.responseReceived')!;
      (event.params as { response: { remoteIPAddress: string } }).response.remoteIPAddress = ELSEWHERE;
    },
    { status: 'void', reason: 'wire', says: /was answered by 10\.77\.0\.22, not 10\.77\.0\.21$/ },
  ],
  [
    'the same port of another address was gone to as well',
    'h2-cold',
    ({ wire }) => void wire!.client.flows.push({ ...wire!.client.flows[0]!, address: ELSEWHERE }),
    { status: 'failed', reason: 'protocol', says: /^a connection to 10\.77\.0\.22:4432 was opened as well$/ },
  ],
  [
    'TCP to where QUIC is spoken',
    'h3-cold',
    ({ wire }) => void wire!.client.flows.push({ ...wire!.client.flows[0]!, ownPort: 9, transport: 'tcp' }),
    { status: 'failed', reason: 'fallback', says: /TCP packets at the client, to 10\.77\.0\.21:4433$/ },
  ],
  [
    'another protocol',
    'h3-cold',
    ({ browser }) => {
      const event = browser.events.findLast(({ method }) => method === 'Network.responseReceived')!;
      (event.params as { response: { protocol: string } }).response.protocol = 'h2';
    },
    { status: 'failed', reason: 'fallback', says: /came over h2, not h3$/ },
  ],
  [
    'an object is missing that always came',
    'h2-cold',
    ({ page }) => void page.objects.push({ url: `${page.origins[0].url}/late.js`, required: true }),
    { status: 'failed', reason: 'object', says: /^\/late\.js is missing$/ },
  ],
  [
    'an object broke off',
    'h1-cold',
    ({ browser }) => {
      const event = browser.events.findLast(({ method }) => method === 'Network.loadingFinished')!;
      Object.assign(event, { method: 'Network.loadingFailed' });
      Object.assign(event.params as object, { errorText: 'net::ERR_CONTENT_LENGTH_MISMATCH' });
    },
    { status: 'failed', reason: 'object', says: /did not arrive: net::ERR_CONTENT_LENGTH_MISMATCH$/ },
  ],
  [
    'something came from a cache',
    'h2-cold',
    ({ browser }) => {
      const event = browser.events.findLast(({ method }) => method === 'Network.responseReceived')!;
      (event.params as { response: { fromDiskCache: boolean } }).response.fromDiskCache = true;
    },
    { status: 'void', reason: 'not-cold', says: /came from a cache$/ },
  ],
];

test.each(VIOLATIONS)('%s (%s)', (_, name, spoil, expected) => {
  const measured = judge(name, spoil);
  expect(measured).toMatchObject({ ...key, status: expected.status, reason: expected.reason });
  if (measured.status === 'ok') throw new Error('it passed');
  expect(measured.says).toMatch(expected.says);
});

test('names that share an address and a port may speak different protocols there', () => {
  const measured = judge('h3-cold', ({ page, wire }) => {
    const [own] = page.origins;
    page.origins.push({ ...own, protocol: 'h2', host: 'old.example', url: `https://old.example:${own.port}` });
    wire!.client.flows.push({ ...wire!.client.flows[0]!, ownPort: 9, transport: 'tcp' });
    wire!.server.flows.push({ ...wire!.server.flows[0]!, otherPort: 9, transport: 'tcp' });
  });
  expect(measured).toMatchObject({ status: 'ok' });
});

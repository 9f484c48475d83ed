import { expect, test } from '@jest/globals';
import type { Exchange, Span } from '../../../harness/model/recording.ts';
import { splitWaits } from '../../../harness/site/record/think-time.ts';
import { watchProcessorTime } from '../../processor-time.ts';

/** An answer of a server 40 ms away, asked for and come at these times. */
function answer(askedMs: number, came: readonly Span[], more: Partial<Exchange> = {}): Exchange {
  return {
    method: 'GET',
    url: 'https://a.test/',
    requestHeaders: [],
    status: 200,
    headers: [],
    body: Buffer.alloc(0),
    bodyIs: 'encoded',
    kind: 'Image',
    wantedMs: askedMs,
    address: '192.0.2.1',
    askedMs,
    waitMs: came[0]![0] - askedMs,
    came,
    ...more,
  };
}
const at = (...times: number[]): readonly Span[] => times.map((ms) => [ms, ms]);
const page = answer(100, at(240, 250), { connectMs: 40 });

test.each<[string, readonly Exchange[], readonly number[]]>([
  ['a page that is thought over', [page], [100]],
  ['one that comes at once', [answer(100, at(140), { connectMs: 40 })], [0]],
  [
    'what waits while others come is not thought over',
    [page, answer(300, at(340, 390, 430)), answer(300, at(470))],
    [100, 0, 0],
  ],
  [
    'nor what comes after rounds of a connection that begins slowly',
    [page, answer(300, at(340, 382, 425, 470)), answer(300, at(515))],
    [100, 0, 0],
  ],
  [
    'what its server is silent before is, but for the round trip that a sender may wait',
    [page, answer(300, at(340, 350)), answer(300, at(450))],
    [100, 0, 50],
  ],
  [
    'silence is each one’s that waits in it, and what comes later of no matter',
    [page, answer(300, at(420)), answer(310, at(430, 500))],
    [100, 80, 70],
  ],
  [
    'nor what another server does',
    [page, answer(300, at(340, 360, 380, 400, 420), { address: '192.0.2.2', connectMs: 40 }), answer(300, at(430))],
    [100, 0, 90],
  ],
  [
    'what came over a connection of its own',
    [page, answer(300, at(340, 350)), answer(300, at(420), { protocol: 'h1' })],
    [100, 0, 60],
  ],
  [
    'a stretch in which something came all the time',
    [page, answer(300, [[340, 600]]), answer(330, at(590))],
    [100, 0, 0],
  ],
])('%s', (_, exchanges, expected) => {
  const { thinkMs } = splitWaits(exchanges);
  expect(exchanges.map(thinkMs)).toEqual(expected);
});

test.each<[string, readonly Exchange[], number | undefined]>([
  ['the shortest handshake', [page, answer(300, at(400), { connectMs: 45 })], 40],
  ['not an answer that seems quicker than it can be', [page, answer(300, at(312)), answer(300, at(345))], 40],
  ['the quickest answer where no handshake was seen', [answer(0, at(90)), answer(100, at(141))], 41],
])('the round trip is %s', (_, exchanges, expected) => {
  expect(splitWaits(exchanges).rttMs.get('192.0.2.1')).toBe(expected);
});

test('who was not seen to wait thought for nobody knows how long', () => {
  const { waitMs: _, ...unknown } = answer(0, at(5));
  const { thinkMs, rttMs } = splitWaits([unknown]);
  expect([thinkMs(unknown), rttMs.size]).toEqual([undefined, 0]);
});

test('loads after it say how long a server thinks: the middle of the same request, or of those with another query', () => {
  const recorded = [
    page,
    answer(300, at(500), { url: 'https://a.test/x?at=1' }),
    answer(300, at(900), { url: 'https://a.test/y' }),
  ];
  const again = [60, 20, 90].map((ms) => [
    answer(100, at(140 + ms), { connectMs: 40 }),
    answer(500, at(541 + ms), { url: `https://a.test/x?at=${ms}` }),
  ]);
  const { thinkMs } = splitWaits(recorded, again);
  expect(recorded.map(thinkMs)).toEqual([60, 61, 510]);
});

test('ten thousand answers take no time', () => {
  const many = Array.from({ length: 10_000 }, (_, index) => answer(0, at(40 + index, 41 + index)));
  const usedMs = watchProcessorTime();
  const { thinkMs } = splitWaits(many);
  expect(many.map(thinkMs).filter((ms) => ms !== 0)).toEqual([]);
  expect(usedMs()).toBeLessThan(1_000);
});

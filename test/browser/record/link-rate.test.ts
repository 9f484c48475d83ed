import { expect, test } from '@jest/globals';
import { type BytesArrival, estimateRate } from '../../../harness/browser/record/link-rate.ts';
import { watchProcessorTime } from '../../processor-time.ts';

/** Packets of one size, one after the other at a rate, from a moment on. */
const stream = (fromMs: number, packets: number, kbps: number, bytes = 1_500): readonly BytesArrival[] =>
  Array.from({ length: packets }, (_, index) => ({ atMs: fromMs + (index * bytes * 8) / kbps, bytes }));

const CASES: readonly (readonly [string, readonly BytesArrival[], number | undefined])[] = [
  ['nothing', [], undefined],
  ['too little to fill a link', stream(0, 60, 100_000), undefined],
  ['a burst at once, as from a buffer', stream(0, 100, 1_000_000), undefined],
  ['a full link', stream(0, 400, 20_000), 20_000],
  ['a slow one', stream(0, 200, 500), 500],
  ['the best of several stretches', [...stream(0, 200, 2_000), ...stream(5_000, 300, 8_000)], 8_000],
  ['pauses lower nothing', [...stream(0, 100, 10_000), ...stream(900, 300, 10_000)], 10_000],
];

test.each(CASES)('%s', (_, arrivals, kbps) => {
  const estimated = estimateRate(arrivals);
  if (kbps === undefined) expect(estimated).toBeUndefined();
  else expect(Math.abs(estimated! / kbps - 1)).toBeLessThan(0.02);
});

test('what a lost packet held up is told from a link by the way it had to go', () => {
  const held = [...stream(0, 200, 3_000).slice(0, 100), ...stream(600, 40, 100_000), ...stream(620, 200, 3_000)];
  expect(estimateRate(held)!).toBeGreaterThan(4_000);
  expect(estimateRate(held, 120)!).toBeLessThan(4_000);
});

test('ten thousand arrivals take no time', () => {
  const usedMs = watchProcessorTime();
  estimateRate(stream(0, 100_000, 50_000));
  expect(usedMs()).toBeLessThan(1_000);
});

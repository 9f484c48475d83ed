import { describe, expect, test } from '@jest/globals';
import type { Progress } from '../../harness/model/capture.ts';
import { jainIndex } from '../../harness/stats/jain.ts';
import { measurementOf } from '../../harness/verdict/measurement.ts';
import { ratesTogether } from '../../harness/verdict/together.ts';
import { readCapture } from '../fixtures/captures.ts';

describe('how evenly something is shared', () => {
  test.each([
    [[5, 5], 1],
    [[1, 0], 0.5],
    [[3, 1], 0.8],
    [[2, 2, 2, 2], 1],
    [[0, 0], 1],
  ])('%j: %d', (shares, index) => {
    expect(jainIndex(shares)).toBeCloseTo(index);
  });
});

describe('what transfers got while all of them ran', () => {
  const even = (originMs: number, fromMs: number, toMs: number, bytes: number): Progress => ({
    originMs,
    points: [0, 1, 2, 3, 4].map((step) => [fromMs + (step * (toMs - fromMs)) / 4, (step * bytes) / 4]),
  });
  const cases: readonly (readonly [string, readonly Progress[], readonly number[] | undefined])[] = [
    ['the same', [even(0, 0, 100, 1_000), even(0, 0, 100, 1_000)], [10, 10]],
    [
      'one slower: what it got after the other was done does not count',
      [even(0, 0, 100, 1_000), even(0, 0, 200, 1_000)],
      [10, 5],
    ],
    ['one later, by its own clock', [even(0, 0, 100, 1_000), even(50, 0, 100, 2_000)], [10, 20]],
    ['one after the other', [even(0, 0, 100, 1_000), even(100, 0, 100, 1_000)], undefined],
    ['one of which nothing is known', [even(0, 0, 100, 1_000), { originMs: 0, points: [] }], undefined],
  ];
  test.each(cases)('%s', (_, transfers, rates) => {
    const found = ratesTogether(transfers);
    expect(found?.map((rate) => Number(rate.toFixed(6)))).toEqual(rates);
  });
});

describe('a load and what goes beside it', () => {
  const key = { condition: 'c', block: 0, arm: 'a' };
  const pair = () => {
    const { page, browser, wire, server } = readCapture('h3-cold');
    return { ...readCapture('h2-cold'), beside: [{ page, browser, ...(wire && { wire }), server }] };
  };

  test('is the load, with what both got', () => {
    const alone = measurementOf(key, readCapture('h2-cold'));
    const measured = measurementOf(key, pair());
    if (measured.status !== 'ok' || alone.status !== 'ok') throw new Error(JSON.stringify([measured, alone]));
    expect(measured).toMatchObject(alone);
    expect(measured.ownKbps).toBe(alone.throughputKbps);
    expect(measured.besideKbps).toBeGreaterThan(0);
  });

  test('has failed where the other has, and says so', () => {
    const spoilt = pair();
    spoilt.beside[0]!.browser.ending = { by: 'timeout', says: 'too slow' };
    expect(measurementOf(key, spoilt)).toMatchObject({
      ...{ ...key, status: 'failed', reason: 'timeout', says: 'what went beside it: too slow' },
    });
  });

  test('is void where nobody asked the wire of the other', () => {
    const spoilt = pair();
    delete spoilt.beside[0]!.wire;
    expect(measurementOf(key, spoilt)).toMatchObject({ status: 'void', reason: 'harness' });
  });
});

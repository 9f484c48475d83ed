import { describe, expect, test } from '@jest/globals';
import { measurementOf } from '../../harness/measurement/measurement.ts';
import { ratesTogether } from '../../harness/measurement/together.ts';
import type { TransferProgress } from '../../harness/model/capture.ts';
import { jainIndex } from '../../harness/stats/jain.ts';
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

/** A transfer at one rate from its beginning to its end. */
function even(originMs: number, fromMs: number, toMs: number, bytes: number): TransferProgress {
  return {
    originMs,
    points: [0, 1, 2, 3, 4].map((step) => [fromMs + (step * (toMs - fromMs)) / 4, (step * bytes) / 4]),
  };
}

describe('what transfers got while all of them ran', () => {
  const cases: readonly (readonly [string, readonly TransferProgress[], readonly number[] | undefined])[] = [
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
    const own = readCapture('h2-cold');
    return {
      ...own,
      browser: { ...own.browser, progress: even(0, 0, 100, 3_000) },
      beside: [{ page, browser: { ...browser, progress: even(0, 0, 100, 1_000) }, wire, server }],
    };
  };

  test('is the load, with what both got', () => {
    const alone = measurementOf(key, readCapture('h2-cold'));
    const other = measurementOf(key, readCapture('h3-cold'));
    const measured = measurementOf(key, pair());
    if (measured.status !== 'ok' || alone.status !== 'ok' || other.status !== 'ok') throw new Error('not ok');
    expect(measured).toMatchObject(alone);
    expect(measured.ownKbps).toBe(alone.throughputKbps);
    expect(measured.besideKbps).toBe(other.throughputKbps);
    expect(measured.fairness).toBeCloseTo(0.8);
  });

  test('has failed where the other has, and says so', () => {
    const spoilt = pair();
    spoilt.beside[0]!.browser.ending = { by: 'timeout', says: 'too slow' };
    expect(measurementOf(key, spoilt)).toMatchObject({
      ...key,
      status: 'failed',
      reason: 'timeout',
      says: 'what went beside it: too slow',
    });
  });

  test('has failed without the words of a server that is not the other’s', () => {
    const spoilt = { ...pair(), serverSaid: ['something of its own'] };
    spoilt.beside[0]!.browser.ending = { by: 'timeout', says: 'too slow' };
    expect(measurementOf(key, spoilt)).toMatchObject({ says: 'what went beside it: too slow' });
  });

  test('is void where nobody asked the wire of the other', () => {
    const spoilt = pair();
    spoilt.beside[0]!.wire = undefined;
    expect(measurementOf(key, spoilt)).toMatchObject({ status: 'void', reason: 'harness' });
  });
});

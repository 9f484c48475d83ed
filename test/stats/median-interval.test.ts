import { describe, expect, test } from '@jest/globals';
import { fewestFor, medianInterval, neededBeyond } from '../../harness/stats/median-interval.ts';

const NEVER = Number.POSITIVE_INFINITY;

test.each([
  // 9 or more of 10 coins show heads with a chance of 11/1024, 10 with 1/1024.
  ['fixed', 10, 0.011, 9],
  ['fixed', 10, 0.0107, 10],
  ['fixed', 10, 0.0009, 11],
  ['fixed', 6, 0.025, 6],
  ['fixed', 5, 0.025, 6],
  ['fixed', 1, 0.5, 1],
  // The evidence of 10 that agree is (2^11 - 1) / 11.
  ['stopped', 10, 11 / 2047 + 1e-9, 10],
  ['stopped', 10, 11 / 2047 - 1e-9, 11],
] as const)('%s: of %i values, at a tail of %d, %i must lie beyond', (sampling, count, tail, needed) => {
  expect(neededBeyond(count, tail, sampling)).toBe(needed);
});

test.each([
  ['fixed', [1, 2, 3, 4, 5, 6], { estimate: 3.5, low: 1, high: 6 }],
  ['fixed', [5, 1, 4], { estimate: 4, low: -NEVER, high: NEVER }],
  ['fixed', [], { estimate: Number.NaN, low: -NEVER, high: NEVER }],
  ['fixed', [1, 2, 3, 4, 5, 6, NEVER, NEVER, 7, 8, NEVER, 9], { estimate: 6.5, low: 3, high: NEVER }],
  ['stopped', [1, 2, 3, 4, 5, 6], { estimate: 3.5, low: -NEVER, high: NEVER }],
] as const)('%s: %j', (sampling, values, found) => {
  expect(medianInterval(values, 0.025, sampling)).toEqual(found);
});

describe.each(['fixed', 'stopped'] as const)('%s', (sampling) => {
  test.each([0.025, 0.001, 0.05 / 144])('the fewest that can say anything, at %d', (tail) => {
    const fewest = fewestFor(tail, sampling);
    const ends = (count: number) =>
      medianInterval(
        Array.from({ length: count }, (_, index) => index),
        tail,
        sampling,
      );
    expect(ends(fewest)).toMatchObject({ low: 0, high: fewest - 1 });
    expect(ends(fewest - 1)).toMatchObject({ low: -NEVER, high: NEVER });
  });

  test('more certainty is never narrower', () => {
    const values = Array.from({ length: 40 }, (_, index) => Math.sin(index));
    const widths = [0.1, 0.05, 0.01, 0.001, 0.0001].map((tail) => {
      const { low, high } = medianInterval(values, tail, sampling);
      return high - low;
    });
    expect(widths).toEqual(widths.toSorted((a, b) => a - b));
  });
});

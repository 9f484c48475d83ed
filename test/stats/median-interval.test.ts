import { expect, test } from '@jest/globals';
import { medianInterval } from '../../harness/stats/median-interval.ts';
import { seededRandom } from '../../harness/stats/random.ts';

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

// The ranks of the tables of the sign test.
test.each([
  [5, Number.NEGATIVE_INFINITY, 3, Number.POSITIVE_INFINITY],
  [6, 1, 3.5, 6],
  [9, 2, 5, 8],
  [10, 2, 5.5, 9],
  [20, 6, 10.5, 15],
  [100, 40, 50.5, 61],
])('of %d values', (count, low, estimate, high) => {
  expect(medianInterval(upTo(count).toReversed(), 0.95)).toEqual({ low, estimate, high });
});

test('of none there is no median', () => {
  expect(medianInterval([], 0.95).estimate).toBeNaN();
});

test('it holds the true median as often as it says', () => {
  const random = seededRandom(4);
  const studies = Array.from({ length: 2000 }, () => medianInterval(Array.from({ length: 12 }, random), 0.95));
  const held = studies.filter(({ low, high }) => low <= 0.5 && 0.5 <= high).length;
  expect(held / studies.length).toBeGreaterThan(0.94);
});

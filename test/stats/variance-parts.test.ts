import { expect, test } from '@jest/globals';
import { normalDeviate } from '../../harness/stats/normal.ts';
import { seededRandom } from '../../harness/stats/random.ts';
import { bestGroupSize, varianceInTime, varianceParts } from '../../harness/stats/variance-parts.ts';

test('of groups of one size the parts are those of the textbook', () => {
  // Means 2, 4 and 9; around them -1, 0, 1 each: 1 within, (1/2)(3·(3² + 1² + 4²)) = 39 of groups, (39 - 1) / 3 between.
  const { between, within } = varianceParts([
    [1, 2, 3],
    [3, 4, 5],
    [8, 9, 10],
  ]);
  expect(within).toBeCloseTo(1, 12);
  expect(between).toBeCloseTo(38 / 3, 12);
});

test('what groups of several sizes are made of is found again', () => {
  const random = seededRandom(7);
  const groups = Array.from({ length: 4_000 }, (_, index) => {
    const own = 3 * normalDeviate(random);
    return Array.from({ length: 2 + (index % 4) }, () => 10 + own + 2 * normalDeviate(random));
  });
  const { between, within } = varianceParts(groups);
  expect(Math.abs(between - 9)).toBeLessThan(0.6);
  expect(Math.abs(within - 4)).toBeLessThan(0.2);
});

test('the best size of a group is that of the least error in a given time', () => {
  const parts = { between: 1, within: 4 };
  const costs = { group: 9, value: 1 };
  expect(bestGroupSize(parts, costs)).toBeCloseTo(6, 12);
  const best = varianceInTime(parts, costs, 6);
  for (const size of [1, 5, 7, 24]) expect(varianceInTime(parts, costs, size)).toBeGreaterThan(best);
  expect(bestGroupSize({ between: 100, within: 1 }, costs)).toBe(1);
  expect(bestGroupSize({ between: -0.1, within: 1 }, costs)).toBe(Number.POSITIVE_INFINITY);
});

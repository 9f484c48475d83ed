import { expect, test } from '@jest/globals';
import { resampled } from '../../harness/stats/bootstrap.ts';
import { seededRandom } from '../../harness/stats/random.ts';

test('draws as many as there are, each alike, and the same for the same seed', () => {
  const items = ['a', 'b', 'c', 'd'];
  const random = seededRandom(9);
  const draws = Array.from({ length: 5000 }, () => resampled(items, random));
  expect(draws.every((draw) => draw.length === 4)).toBe(true);
  for (const item of items) expect(draws.flat().filter((each) => each === item).length / 20_000).toBeCloseTo(0.25, 1);
  // Some item is missing from all but 4! / 4⁴ of them.
  expect(draws.filter((draw) => new Set(draw).size === 4).length / 5000).toBeCloseTo(24 / 256, 1);
  expect(resampled(items, seededRandom(1))).toEqual(resampled(items, seededRandom(1)));
});

import { expect, test } from '@jest/globals';
import { combinedDoubt } from '../../harness/stats/fisher.ts';
import { seededRandom } from '../../harness/stats/random.ts';

test('of one doubt it is that doubt', () => {
  for (const doubt of [0.001, 0.05, 0.5, 1]) expect(combinedDoubt([doubt])).toBeCloseTo(doubt, 12);
});

// Of two, p(1 − ln p), p being their product.
test.each([
  [[0.1, 0.1], 0.01 * (1 - Math.log(0.01))],
  [[1, 0.05], 0.05 * (1 - Math.log(0.05))],
  [[1, 1, 1], 1],
  [[0, 0.5], 0],
])('of %p it is %d', (doubts, combined) => {
  expect(combinedDoubt(doubts)).toBeCloseTo(combined, 12);
});

test('of doubts of any size it is itself of any size', () => {
  const random = seededRandom(1, 'fisher');
  const small = Array.from({ length: 4000 }, () => combinedDoubt(Array.from({ length: 8 }, random)) <= 0.1);
  // 400 are expected, give or take 19.
  expect(Math.abs(small.filter(Boolean).length - 400)).toBeLessThan(80);
});

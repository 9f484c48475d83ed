import { expect, test } from '@jest/globals';
import { binomialCdf, binomialInterval } from '../../harness/stats/binomial.ts';

test.each([
  // Summed in Python's decimal arithmetic with 60 digits.
  [3, 10, 0.5, 0.171875],
  [0, 10, 0.1, 0.3486784401],
  [25, 1000, 0.02, 0.89006689],
  [59, 40_000, 0.00148, 0.524170953],
  [10, 10, 0.5, 1],
  [-1, 10, 0.5, 0],
  [0, 10, 0, 1],
  [9, 10, 1, 0],
])('at most %i of %i at %d', (count, trials, share, probability) => {
  expect(binomialCdf(count, trials, share)).toBeCloseTo(probability, 7);
});

test('an interval holds at least its confidence, and one count less on either side does not reach a tail', () => {
  for (const [trials, share] of [
    [1000, 0.02],
    [40_000, 0.05],
    [200, 0.00148],
  ] as const) {
    const [low, high] = binomialInterval(trials, share, 0.999);
    expect(binomialCdf(high, trials, share) - binomialCdf(low - 1, trials, share)).toBeGreaterThanOrEqual(0.999);
    expect(binomialCdf(low - 1, trials, share)).toBeLessThanOrEqual(0.0005);
    expect(1 - binomialCdf(high, trials, share)).toBeLessThanOrEqual(0.0005);
  }
});

test('where nothing can be lost the interval is zero', () => {
  expect(binomialInterval(1000, 0, 0.999)).toEqual([0, 0]);
});

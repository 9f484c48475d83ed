import { expect, test } from '@jest/globals';
import { normalCdf, normalDeviate, normalQuantile } from '../../harness/stats/normal.ts';
import { seededRandom } from '../../harness/stats/random.ts';

test.each([
  // Abramowitz and Stegun, table 26.1, and 26.2 for the tails.
  [0, 0.5],
  [1, 0.841344746068543],
  [1.96, 0.975002104851779],
  [-3, 0.001349898031630095],
  [-4.5, 3.397673124730062e-6],
  [-10, 7.61985302416e-24],
  [40, 1],
])('below %d: %d', (x, probability) => {
  expect(normalCdf(x) / probability).toBeCloseTo(1, 9);
});

test.each([
  [0.5, 0],
  [0.975, 1.959963984540054],
  [0.0005, -3.290526731491895],
])('below %d: %d', (probability, quantile) => {
  expect(normalQuantile(probability)).toBeCloseTo(quantile, 9);
});

test('deviates have the moments of a normal variable', () => {
  const random = seededRandom(5);
  const values = Array.from({ length: 40_000 }, () => normalDeviate(random));
  const mean = (of: (value: number) => number) => values.reduce((sum, value) => sum + of(value), 0) / values.length;
  expect(mean((value) => value)).toBeCloseTo(0, 1);
  expect(mean((value) => value ** 2)).toBeCloseTo(1, 1);
  expect(mean((value) => Number(Math.abs(value) > 1.96))).toBeCloseTo(0.05, 2);
});

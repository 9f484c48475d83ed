import { describe, expect, test } from '@jest/globals';
import { gammaDeviate } from '../../harness/stats/gamma.ts';
import {
  digamma,
  type EstimatedVariance,
  fitVariancePrior,
  inverseTrigamma,
  moderate,
  trigamma,
} from '../../harness/stats/moderated-variance.ts';
import { normalDeviate } from '../../harness/stats/normal.ts';
import { type Random, seededRandom } from '../../harness/stats/random.ts';

const EULER = 0.5772156649015329;

test.each([
  [0.25, -EULER - Math.PI / 2 - 3 * Math.LN2],
  [0.5, -EULER - 2 * Math.LN2],
  [1, -EULER],
  [2, 1 - EULER],
  [10, 2.251752589066721],
  [100, 4.600161852738087],
])('the digamma function at %d', (x, value) => {
  expect(digamma(x)).toBeCloseTo(value, 8);
});

test.each([
  [0.25, Math.PI ** 2 + 8 * 0.915965594177219],
  [0.5, Math.PI ** 2 / 2],
  [1, Math.PI ** 2 / 6],
  [2, Math.PI ** 2 / 6 - 1],
  [10, 0.10516633568168575],
  [100, 0.010050166663333571],
])('the trigamma function at %d, and back', (x, value) => {
  expect(trigamma(x)).toBeCloseTo(value, 8);
  expect(inverseTrigamma(value)).toBeCloseTo(x, 6);
});

test('no trigamma is 0 or less', () => {
  expect(inverseTrigamma(0)).toBe(Number.POSITIVE_INFINITY);
  expect(inverseTrigamma(-1)).toBe(Number.POSITIVE_INFINITY);
  expect(inverseTrigamma(1e-9)).toBeGreaterThan(1e5);
});

/** An estimate of a true variance, from as many values as it has degrees of freedom. */
function estimate(variance: number, freedom: number, random: Random): EstimatedVariance {
  const squares = Array.from({ length: freedom }, () => normalDeviate(random) ** 2);
  return { variance: (variance * squares.reduce((sum, each) => sum + each, 0)) / freedom, freedom };
}

/** Twice a gamma variable of half its freedom is one of chi-square. */
function drawInverse(variance: number, freedom: number, random: Random): number {
  return (variance * freedom) / (2 * gammaDeviate(freedom / 2, random));
}

describe('the prior of a group of variances', () => {
  test.each([
    [0.0001, 4, 3],
    [0.04, 6, 2],
    [0.04, 10, 12],
    [1, 4, 30],
  ])('is found again: %d with %i degrees of freedom, from estimates with %i', (variance, freedom, each) => {
    const random = seededRandom(1, 'prior');
    const group = Array.from({ length: 4000 }, () => estimate(drawInverse(variance, freedom, random), each, random));
    const prior = fitVariancePrior(group)!;
    expect(Math.abs(prior.variance / variance - 1)).toBeLessThan(0.12);
    expect(Math.abs(prior.freedom / freedom - 1)).toBeLessThan(0.2);
  });

  test('is worth much where all have the same variance, and little where each has its own', () => {
    const random = seededRandom(2, 'prior');
    const same = Array.from({ length: 500 }, () => estimate(0.01, 5, random));
    expect(fitVariancePrior(same)).toEqual({ freedom: 20, variance: expect.any(Number) });
    expect(Math.abs(fitVariancePrior(same)!.variance / 0.01 - 1)).toBeLessThan(0.1);
    const own = Array.from({ length: 500 }, () => estimate(Math.exp(4 * normalDeviate(random)), 5, random));
    expect(fitVariancePrior(own)!.freedom).toBe(2);
  });

  test('takes estimates of different sizes', () => {
    const random = seededRandom(3, 'prior');
    const group = Array.from({ length: 4000 }, (_, index) =>
      estimate(drawInverse(0.04, 6, random), 1 + (index % 12), random),
    );
    expect(Math.abs(fitVariancePrior(group)!.variance / 0.04 - 1)).toBeLessThan(0.12);
  });

  test('needs two that tell anything', () => {
    const nothing: EstimatedVariance[] = [
      { variance: 0, freedom: 5 },
      { variance: 0, freedom: 0 },
    ];
    expect(fitVariancePrior([])).toBeUndefined();
    expect(fitVariancePrior([...nothing, { variance: 1, freedom: 3 }])).toBeUndefined();
    const two = fitVariancePrior([...nothing, { variance: 1, freedom: 3 }, { variance: 1, freedom: 3 }])!;
    expect(two.freedom).toBe(20);
    expect(Number.isFinite(two.variance)).toBe(true);
  });
});

test.each([
  [
    { variance: 4, freedom: 2 },
    { variance: 1, freedom: 4 },
    { variance: 2, freedom: 6 },
  ],
  [
    { variance: 0, freedom: 2 },
    { variance: 1, freedom: 2 },
    { variance: 0.5, freedom: 4 },
  ],
  [
    { variance: 0, freedom: 0 },
    { variance: 1, freedom: 2 },
    { variance: 1, freedom: 2 },
  ],
  [
    { variance: 9, freedom: 1000 },
    { variance: 1, freedom: 0 },
    { variance: 9, freedom: 1000 },
  ],
])('%j moderated by %j is %j', (own, prior, both) => {
  expect(moderate(own, prior)).toEqual(both);
});

test('a gamma variable has its shape as mean and variance', () => {
  const random = seededRandom(1, 'gamma');
  for (const shape of [1, 3, 18]) {
    const draws = Array.from({ length: 20_000 }, () => gammaDeviate(shape, random));
    const mean = draws.reduce((sum, each) => sum + each, 0) / draws.length;
    const variance = draws.reduce((sum, each) => sum + (each - mean) ** 2, 0) / draws.length;
    expect(Math.abs(mean / shape - 1)).toBeLessThan(0.03);
    expect(Math.abs(variance / shape - 1)).toBeLessThan(0.08);
  }
  expect(gammaDeviate(0, random)).toBe(0);
});

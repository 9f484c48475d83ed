import { describe, expect, test } from '@jest/globals';
import { normalDeviate } from '../../harness/stats/normal.ts';
import { seededRandom } from '../../harness/stats/random.ts';
import { hodgesLehmann, signedRankCritical } from '../../harness/stats/signed-rank.ts';

const INF = Number.POSITIVE_INFINITY;

test.each([
  // Tables of Wilcoxon's test give the largest sum that is still doubted at 2.5 %, which is one less.
  [5, 0],
  [6, 1],
  [10, 9],
  [15, 26],
  [20, 53],
  [25, 90],
])('of %i values the interval begins at mean %i', (count, rank) => {
  expect(signedRankCritical(count, 0.025)).toBe(rank);
});

test('the normal approximation goes on where the exact one ends', () => {
  const steps = [99, 100, 101, 102].map((count) => signedRankCritical(count, 0.025));
  const rises = steps.slice(1).map((step, index) => step - steps[index]!);
  for (const rise of rises) expect(Math.abs(rise - 42)).toBeLessThanOrEqual(2);
});

describe('as all means of pairs written out and sorted would have it', () => {
  test.each([6, 7, 20, 41, 130])('%i values', (count) => {
    const random = seededRandom(count);
    const values = Array.from({ length: count }, () => Math.round(100 * normalDeviate(random)) / 50);
    const means = values.flatMap((a, index) => values.slice(index).map((b) => (a + b) / 2)).sort((a, b) => a - b);
    const rank = signedRankCritical(count, 0.025);
    const half = means.length / 2;
    const { estimate, low, high } = hodgesLehmann(values, 0.95);
    expect(estimate).toBeCloseTo((means[Math.ceil(half) - 1]! + means[Math.floor(half)]!) / 2, 12);
    expect(low).toBeCloseTo(means[rank - 1]!, 12);
    expect(high).toBeCloseTo(means[means.length - rank]!, 12);
  });
});

describe('failures are infinite', () => {
  const values = Array.from({ length: 20 }, (_, index) => index + 1);
  test('one of twenty-one widens its side alone', () => {
    const without = hodgesLehmann(values, 0.95);
    const { estimate, low, high } = hodgesLehmann([...values, INF], 0.95);
    expect(high).toBeGreaterThan(without.high);
    expect(Number.isFinite(high)).toBe(true);
    expect(estimate).toBeGreaterThan(without.estimate);
    expect(low).toBeGreaterThanOrEqual(without.low);
  });

  test('many leave no number on their side', () => {
    expect(hodgesLehmann([1, 2, 3, 4, INF, INF, INF, INF], 0.95)).toMatchObject({ estimate: INF, high: INF });
    expect(
      hodgesLehmann(
        Array.from({ length: 8 }, () => -INF),
        0.95,
      ),
    ).toEqual({ estimate: -INF, low: -INF, high: -INF });
  });

  test('of both sides are as far from each other as can be, and widen both', () => {
    const { estimate, low, high } = hodgesLehmann([-INF, -1, -0.5, -0.1, 0.1, 0.5, 1, INF], 0.95);
    expect(estimate).toBe(0);
    expect(low).toBe(-INF);
    expect(high).toBe(INF);
  });
});

test('few values leave everything possible, none leave no estimate', () => {
  expect(hodgesLehmann([1, 2, 3], 0.95)).toEqual({ estimate: 2, low: -INF, high: INF });
  expect(hodgesLehmann([], 0.95)).toEqual({ estimate: Number.NaN, low: -INF, high: INF });
});

test('turned round it is the same with the other sign', () => {
  const random = seededRandom(3);
  const values = Array.from({ length: 33 }, () => normalDeviate(random) ** 3);
  const [there, back] = [
    hodgesLehmann(values, 0.95),
    hodgesLehmann(
      values.map((value) => -value),
      0.95,
    ),
  ];
  expect(back.estimate).toBeCloseTo(-there.estimate, 12);
  expect(back.low).toBeCloseTo(-there.high, 12);
});

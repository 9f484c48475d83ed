import { describe, expect, test } from '@jest/globals';
import { meanOfMedians, type WeightedSample } from '../../harness/stats/mean-of-medians.ts';
import { medianInterval } from '../../harness/stats/median-interval.ts';

const NEVER = Number.POSITIVE_INFINITY;
const up = (count: number, by = 0) => Array.from({ length: count }, (_, index) => index + by);
const sample = (values: readonly number[], weight = 1, sampling: WeightedSample['sampling'] = 'fixed') => ({
  ...{ values, weight, sampling },
});

test('the estimate is the mean of the medians, by weight', () => {
  const { estimate } = meanOfMedians([sample(up(11), 3), sample(up(11, 100), 1)], 0.025);
  expect(estimate).toBeCloseTo(0.75 * 5 + 0.25 * 105, 12);
});

test.each(['fixed', 'stopped'] as const)('%s: of one sample it is the interval of its median', (sampling) => {
  for (const count of [8, 20, 61]) {
    const { low, high } = meanOfMedians([sample(up(count), 1, sampling)], 0.025);
    const own = medianInterval(up(count), 0.025, sampling);
    // But for the chance of the draws.
    expect(Math.abs(low - own.low)).toBeLessThanOrEqual(1);
    expect(Math.abs(high - own.high)).toBeLessThanOrEqual(1);
  }
});

describe('of several', () => {
  const several = up(9).map((by) => sample(up(20, by)));

  test('it is narrower than all of them at their ends at once, and wider than nothing', () => {
    const { low, high } = meanOfMedians(several, 0.025);
    const own = medianInterval(up(20), 0.025, 'fixed');
    expect(high - low).toBeLessThan(0.6 * (own.high - own.low));
    expect(high - low).toBeGreaterThan(1);
  });

  test('it does not depend on their order, nor on when it is asked for', () => {
    const found = meanOfMedians(several, 0.025);
    expect(meanOfMedians(several, 0.025)).toEqual(found);
    const turned = meanOfMedians(several.toReversed(), 0.025);
    expect(turned.low).toBeCloseTo(found.low, 0);
    expect(turned.high).toBeCloseTo(found.high, 0);
  });

  test('one that is too small for an interval leaves none', () => {
    expect(meanOfMedians([...several, sample(up(5))], 0.025)).toMatchObject({ low: -NEVER, high: NEVER });
    expect(meanOfMedians([...several, sample(up(7), 1, 'stopped')], 0.025)).toMatchObject({ low: -NEVER });
    expect(meanOfMedians([...several, sample([])], 0.025)).toMatchObject({ low: -NEVER, high: NEVER });
  });

  test('failures in one leave no end on their side', () => {
    const failing = sample(up(20).map((each) => (each < 8 ? each : NEVER)));
    const found = meanOfMedians([...several, failing], 0.025);
    expect(found.high).toBe(NEVER);
    expect(Number.isFinite(found.low)).toBe(true);
  });
});

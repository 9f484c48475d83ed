import { describe, expect, test } from '@jest/globals';
import { seededRandom } from '../../harness/stats/random.ts';
import { unpairedShift } from '../../harness/stats/unpaired-shift.ts';

const NEVER = Number.POSITIVE_INFINITY;

test.each<[string, readonly number[], readonly number[], number]>([
  ['one against one', [5], [3], 2],
  ['the middle of all differences', [1, 2, 10], [0, 1], 1.5],
  ['nothing', [], [1], Number.NaN],
  ['equal', [1, 1, 1], [1, 1], 0],
  ['failures are longer than anything', [1, NEVER, NEVER], [1, 2, 3], NEVER],
  ['and in the other study too', [1, 2, 3], [NEVER, NEVER, 1], -NEVER],
  ['failures on both sides do not differ', [NEVER, NEVER, 5], [NEVER, NEVER, 5], 0],
])('the estimate: %s', (_, values, others, estimate) => {
  for (const sampling of ['fixed', 'stopped'] as const)
    expect(unpairedShift({ values, others }, 0.05, sampling).estimate).toBe(estimate);
});

test('of many values the estimate is the median of all differences', () => {
  const random = seededRandom(3);
  for (let each = 0; each < 100; each += 1) {
    const [values, others] = [1, 2].map(() =>
      Array.from({ length: 1 + Math.floor(9 * random()) }, () => (random() < 0.1 ? NEVER : Math.round(20 * random()))),
    ) as [number[], number[]];
    const differences = values
      .flatMap((value) => others.map((other) => (value === other ? 0 : value - other)))
      .sort((a, b) => a - b);
    const [low, high] = [(differences.length - 1) >> 1, differences.length >> 1].map((at) => differences[at]!);
    expect(unpairedShift({ values, others }, 0.05, 'fixed').estimate).toBe(low === high ? low : (low! + high!) / 2);
  }
});

describe('the interval', () => {
  const up = (count: number, by = 0) => Array.from({ length: count }, (_, index) => index + by);

  test.each([
    ['fixed', 5, true],
    ['fixed', 4, false], // Four coins all show heads with a chance of 1/16.
    ['stopped', 7, true],
    ['stopped', 6, false],
  ] as const)('%s: of %i values against as many there is one: %j', (sampling, count, finite) => {
    const { low, high } = unpairedShift({ values: up(count), others: up(count) }, 0.05, sampling);
    expect(Number.isFinite(low)).toBe(finite);
    expect(Number.isFinite(high)).toBe(finite);
  });

  test.each(['fixed', 'stopped'] as const)('%s: moves with the values, and turns with their roles', (sampling) => {
    const [values, others] = [up(20).map((each) => Math.sin(each)), up(24).map((each) => Math.cos(7 * each))];
    const found = unpairedShift({ values, others }, 0.05, sampling);
    const moved = unpairedShift({ values: values.map((each) => each + 3), others }, 0.05, sampling);
    const turned = unpairedShift({ values: others, others: values }, 0.05, sampling);
    for (const end of ['low', 'estimate', 'high'] as const) expect(moved[end]).toBeCloseTo(found[end] + 3, 9);
    expect(turned.low).toBeCloseTo(-found.high, 9);
    expect(turned.high).toBeCloseTo(-found.low, 9);
    expect(found.low).toBeLessThan(found.estimate);
    expect(found.high).toBeGreaterThan(found.estimate);
  });

  test('stopped: what one study has more blocks of counts for nothing but the estimate', () => {
    const ends = (more: readonly number[]) => {
      const { low, high } = unpairedShift({ values: [...up(12, 5), ...more], others: up(12) }, 0.05, 'stopped');
      return [low, high];
    };
    expect(ends([1e6, 1e6])).toEqual(ends([]));
  });

  test('a failure among few is beyond neither end, many are', () => {
    const withFailures = (count: number) => [...up(20 - count), ...Array.from({ length: count }, () => NEVER)];
    expect(unpairedShift({ values: withFailures(1), others: up(20) }, 0.05, 'fixed').high).toBeLessThan(20);
    expect(unpairedShift({ values: withFailures(19), others: up(20) }, 0.05, 'fixed').low).toBe(NEVER);
  });
});

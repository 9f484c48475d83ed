import { expect, test } from '@jest/globals';
import { anytimeMedian } from '../../harness/stats/anytime-median.ts';
import { logEvidence } from '../../harness/stats/evidence.ts';

const INF = Number.POSITIVE_INFINITY;
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

test.each([
  // Eight of eight have an e-value of 57, seven of seven one of 32: 40 is what half of 5 % asks for.
  [7, 4, -INF, INF],
  [8, 4.5, 1, 8],
  [20, 10.5, 4, 17],
  [0, Number.NaN, -INF, INF],
])('of 1 to %i: %d, from %d to %d', (count, estimate, low, high) => {
  expect(anytimeMedian(upTo(count).reverse(), 0.95)).toEqual({ estimate, low, high });
});

test('holds what the e-process does not speak against, and nothing else', () => {
  const values = upTo(60);
  const { low, high } = anytimeMedian(values, 0.95);
  const against = (count: number) => Math.exp(logEvidence(values.length, count, 0.5)) >= 40;
  for (const median of values.map((value) => value + 0.5)) {
    const below = values.filter((value) => value < median).length;
    expect(low <= median && median <= high).toBe(!against(below) && !against(values.length - below));
  }
});

test('values may be infinite, and so are the ends then', () => {
  const values = [...upTo(6), INF, INF, INF, INF];
  expect(anytimeMedian(values, 0.95)).toEqual({ estimate: 5.5, low: 1, high: INF });
  expect(anytimeMedian([-INF, INF], 0.95).estimate).toBe(Number.NaN);
});

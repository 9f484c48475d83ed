import { describe, expect, test } from '@jest/globals';
import { compareStudy } from '../../harness/comparison/estimate.ts';
import { judgeStudy } from '../../harness/comparison/judge.ts';
import type { Stopping } from '../../harness/model/comparison.ts';
import { earlyUntil, planFor, recordOf, type Times } from './blocks.ts';

const EARLY: Stopping = earlyUntil('proven');
const FIXED: Stopping = { kind: 'exactly', blocks: 20 };

function compare(count: number, h2: Times, h3: Times, stopping: Stopping) {
  const record = recordOf('c', count, { h2, h3 });
  const plan = planFor([record], { stopping });
  return compareStudy(plan, [record], judgeStudy(plan, [record]))[0]!;
}

const around = (ms: number) => Array.from({ length: 20 }, (_, index) => ms * (1 + (index - 9.5) / 1000));

test('a comparison as the interface has it', () => {
  expect(compare(18, 1000, 710, { kind: 'exactly', blocks: 18 })).toEqual({
    condition: 'c',
    a: 'h3',
    b: 'h2',
    verdict: 'a',
    aWon: 18,
    bWon: 0,
    blocks: 18,
    decidedAfter: 18,
    ratio: expect.closeTo(0.71, 12),
    interval: [expect.closeTo(0.71, 12), expect.closeTo(0.71, 12)],
    method: 'hodges-lehmann',
    share: 1,
    eValue: expect.closeTo(27594.0526, 3),
  });
});

describe('the interval holds the ratio, and the method is that of the stopping', () => {
  test.each([
    ['early', EARLY, 'median'],
    ['exactly', FIXED, 'hodges-lehmann'],
    ['exactly, while blocks are lacking', { kind: 'exactly', blocks: 21 }, 'median'],
  ] as const)('%s', (_, stopping, method) => {
    const { ratio, interval, method: used } = compare(20, 1000, around(900), stopping);
    expect(used).toBe(method);
    expect(ratio).toBeCloseTo(0.9, 2);
    expect(interval[0]).toBeLessThan(ratio);
    expect(interval[1]).toBeGreaterThan(ratio);
    expect(interval[1] / interval[0]).toBeLessThan(1.02);
  });
});

test('rests on the blocks that were judged, not on later ones', () => {
  const later = Array.from({ length: 40 }, (_, index) => (index < 20 ? 900 : 5000));
  const found = compare(40, 1000, later, earlyUntil('proven', 20));
  expect(found).toMatchObject({ verdict: 'a', blocks: 20, decidedAfter: 8, ratio: expect.closeTo(0.9, 12) });
});

test.each<[string, Times, Times, number, readonly [number, number]]>([
  ['always of a', 1000, 'failed', Number.POSITIVE_INFINITY, [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]],
  ['always of b', 'failed', 1000, 0, [0, 0]],
  [
    'seldom of a',
    1000,
    [...Array.from({ length: 15 }, () => 1000), 'failed', 'failed', 'failed', 'failed', 'failed'],
    1,
    [1, Number.POSITIVE_INFINITY],
  ],
])('failures %s', (_, h2, h3, ratio, interval) => {
  const found = compare(20, h2, h3, FIXED);
  expect(found.ratio).toBeCloseTo(ratio, 12);
  expect(found.interval).toEqual(interval);
});

test.each([
  ['a verdict: those that agree', 900, 'a', 1],
  ['a tie: those that neither won', [980, 980, 980, 980, 980, 980, 980, 980, 980, 900], 'tie', 0.9],
  ['undecided: the commoner of both', [900, 1100, 900], 'undecided', 13 / 20],
] as const)('the share of %s', (_, h3, verdict, share) => {
  expect(compare(20, 1000, h3, FIXED)).toMatchObject({ verdict, share: expect.closeTo(share, 12) });
});

test('an e-value is a number that a file can hold', () => {
  const { eValue } = compare(1200, 1000, 900, { kind: 'exactly', blocks: 1200 });
  expect(eValue).toBe(Number.MAX_VALUE);
});

test('blocks in which both failed have no ratio', () => {
  const half = (ms: number) => [ms, 'failed'] as const;
  expect(compare(20, half(1000), half(900), FIXED)).toMatchObject({ ratio: expect.closeTo(0.9, 12), bothFailed: 10 });
  expect(compare(20, 'failed', 'failed', EARLY)).toMatchObject({
    verdict: 'undecided',
    ratio: Number.NaN,
    interval: [0, Number.POSITIVE_INFINITY],
    share: 0,
  });
});

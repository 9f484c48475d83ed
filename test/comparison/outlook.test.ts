import { describe, expect, test } from '@jest/globals';
import { neededFor } from '../../harness/comparison/evidence.ts';
import { judgeStudy } from '../../harness/comparison/judge.ts';
import { chanceOfVerdict, clippedLogRatio, expectedBlocks } from '../../harness/comparison/outlook.ts';
import { RULES } from '../../harness/comparison/rules.ts';
import { normalDeviate } from '../../harness/stats/normal.ts';
import { seededRandom } from '../../harness/stats/random.ts';
import { planFor, recordOf } from './blocks.ts';

/** A pair after so many blocks of ratios around this one. */
function progress(blocks: number, ratio: number, noise: number, seed = 1) {
  const random = seededRandom(seed);
  const ratios = Array.from({ length: blocks }, () => ratio * Math.exp(noise * normalDeviate(random)));
  const logs = ratios.map((each) => Math.log(each));
  return {
    blocks,
    aWon: ratios.filter((each) => each <= 0.97).length,
    bWon: ratios.filter((each) => 1 / each <= 0.97).length,
    sum: logs.reduce((sum, each) => sum + each, 0),
    squares: logs.reduce((sum, each) => sum + each ** 2, 0),
  };
}

describe('the chance of a verdict', () => {
  const needed = neededFor(100, RULES.default, Math.log(180));
  test.each([
    ['is near 1 for what is clear', 10, 0.85, 0.05, 0.99, 1],
    ['is near 1 for a clear tie', 10, 1, 0.02, 0.99, 1],
    ['is near 0 late and beside the limit', 80, 0.97, 0.2, 0, 0.01],
    ['lies between where little is known', 10, 0.93, 0.1, 0.05, 0.95],
  ])('%s', (_, blocks, ratio, noise, least, most) => {
    const chance = chanceOfVerdict(progress(blocks, ratio, noise), RULES.default, needed);
    expect(chance).toBeGreaterThanOrEqual(least);
    expect(chance).toBeLessThanOrEqual(most);
  });

  test('comes true about as often as it says', () => {
    const outcomes = Array.from({ length: 400 }, (_, seed) => {
      const random = seededRandom(seed, 'truth');
      const [ratio, noise] = [0.85 + 0.2 * random(), 0.15];
      const whole = progress(100, ratio, noise, seed);
      const chance = chanceOfVerdict(progress(15, ratio, noise, seed), RULES.default, needed);
      const neither = whole.blocks - Math.max(whole.aWon, whole.bWon);
      return { chance, came: Math.max(whole.aWon, whole.bWon) >= needed.wins || neither >= needed.failures };
    });
    for (const [low, high] of [
      [0, 0.2],
      [0.2, 0.6],
      [0.6, 1.01],
    ] as const) {
      const these = outcomes.filter(({ chance }) => chance >= low && chance < high);
      const mean = these.reduce((sum, { chance }) => sum + chance, 0) / these.length;
      expect(these.length).toBeGreaterThan(30);
      expect(Math.abs(these.filter(({ came }) => came).length / these.length - mean)).toBeLessThan(0.15);
    }
  });

  test('is not upset by failures', () => {
    expect(clippedLogRatio('failed', 1000)).toBeCloseTo(Math.log(4), 12);
    expect(clippedLogRatio(1000, 'failed')).toBeCloseTo(-Math.log(4), 12);
    expect(clippedLogRatio('failed', 'failed')).toBe(0);
  });
});

describe('the blocks still expected', () => {
  const left = (count: number, h3: number | readonly number[], cap = 100) => {
    const record = recordOf('c', count, { h2: 1000, h3 });
    const plan = planFor([record], { stopping: { kind: 'early', cap } });
    return expectedBlocks(plan, judgeStudy(plan, [record])).get('c');
  };
  test('are few where every block agrees, and none once it is decided', () => {
    expect(left(6, 900)).toBeGreaterThanOrEqual(1);
    expect(left(6, 900)).toBeLessThan(30);
    expect(left(6, 900)!).toBeLessThan(left(2, 900)!);
    expect(left(9, 900)).toBeUndefined();
  });
  test('never pass the cap', () => {
    expect(left(40, [900, 1100])).toBeGreaterThan(30);
    expect(left(40, [900, 1100])).toBeLessThanOrEqual(60);
  });
  test('are all up to the cap where an arm is alone', () => {
    const record = recordOf('c', 12, { h2: 1000 });
    const plan = planFor([record], { stopping: { kind: 'early', cap: 40 } });
    expect(expectedBlocks(plan, judgeStudy(plan, [record])).get('c')).toBe(28);
  });
  test('are all that are left of a fixed number', () => {
    const record = recordOf('c', 12, { h2: 1000, h3: 900 });
    const plan = planFor([record], { stopping: { kind: 'exactly', blocks: 30 } });
    expect(expectedBlocks(plan, judgeStudy(plan, [record])).get('c')).toBe(18);
  });
});

test('a condition is given up where a verdict is unlikely, and only then', () => {
  const random = seededRandom(4);
  const around = (ratio: number) =>
    Array.from({ length: 60 }, () => 1000 * ratio * Math.exp(0.1 * normalDeviate(random)));
  const records = [
    recordOf('clear', 60, { h2: 1000, h3: around(0.8) }),
    recordOf('beside', 60, { h2: 1000, h3: around(0.97) }),
  ];
  const stateOf = (giveUpBelow: number) =>
    judgeStudy(planFor(records, { stopping: { kind: 'early', cap: 100, giveUpBelow } }), records).conditions.map(
      ({ state }) => state,
    );
  expect(stateOf(0)).toEqual(['decided', 'open']);
  expect(stateOf(0.3)).toEqual(['decided', 'hopeless']);
});

import { describe, expect, test } from '@jest/globals';
import { judgePlan } from '../../harness/comparison/judge-plan.ts';
import type { Decision } from '../../harness/model/answer.ts';
import type { Stopping } from '../../harness/model/comparison.ts';
import type { Measurement } from '../../harness/model/measurement.ts';
import type { Plan } from '../../harness/model/study.ts';
import { blockTimes, expectedBlocks, loadsAtOnce, timeLeftMs } from '../../harness/study/time-left.ts';
import { knownDecision } from '../comparison/decisions.ts';
import { measured, planOf } from './plans.ts';

const early = (until: 'settled' | 'proven', cap = 100): Stopping => ({ kind: 'early', until, cap });

/** An answer whose chance to be beyond the margin is this. */
const doubtful = (chanceAboveMargin: number): Decision =>
  knownDecision('c', { h2: 1.2, h3: 1 }, { chanceAboveMargin, settled: false });

/** An answer that may be called sure from ten blocks on. */
const scattered: Decision = { ...doubtful(0), fewestBlocks: 10 };

describe('the blocks that a condition is still likely to take', () => {
  test.each<[string, number, Decision | undefined, Stopping, number]>([
    ['all that are left of a fixed number', 12, doubtful(0.5), { kind: 'exactly', blocks: 30 }, 18],
    ['as many as is common, where nothing is known', 0, undefined, early('settled'), 6],
    ['the rest of those', 1, undefined, early('settled'), 5],
    ['more for a proof', 0, undefined, early('proven'), 16],
    ['the rest of those, whatever its answer', 10, doubtful(0.5), early('proven'), 6],
    ['one at least', 40, doubtful(0.5), early('proven'), 1],
    ['one where the answer is all but sure', 3, doubtful(0.04), early('settled'), 1],
    ['up to ten blocks where times are scattered, however certain it seems', 4, scattered, early('settled'), 6],
    ['one where it is certain, but of one launch', 3, doubtful(0), early('settled'), 1],
    // 1.645 standard errors are needed, 1.28 of them there: (1.645 / 1.28)² is 1.65.
    ['two thirds more at a chance of 10 %', 12, doubtful(0.1), early('settled'), 8],
    // At least half a standard error is taken to be there: 10.8 times the blocks.
    ['ten times as many where it may be either', 4, doubtful(0.5), early('settled'), 40],
    ['nor more where it looks worse still', 4, doubtful(1), early('settled'), 40],
    ['but not beyond the cap', 4, doubtful(0.5), early('settled', 20), 16],
    ['nor for a proof', 4, undefined, early('proven', 7), 3],
    ['all up to the cap where an arm is alone', 12, knownDecision('c', { h2: 1 }), early('settled', 40), 28],
  ])('are %s', (_, blocks, decision, stopping, expected) => {
    expect(expectedBlocks(blocks, decision, stopping)).toBe(expected);
  });
});

describe('the time that is left', () => {
  const plan = planOf({ sites: ['a'], stopping: { kind: 'exactly', blocks: 4 } });
  const [first, second] = plan.conditions.map(({ id }) => id);
  const blocksOf = (condition: string, count: number, ms: number, arms = ['h1', 'h2', 'h3']) =>
    Array.from({ length: count }, (_, block) =>
      measured({ condition, block, arms: Object.fromEntries(arms.map((arm) => [arm, ms])) }),
    ).flat();
  const leftOf = (some: readonly Measurement[], of: Plan = plan) => timeLeftMs(of, judgePlan(of, some), some);

  test('is not known before anything was measured', () => {
    expect(leftOf([])).toBeUndefined();
    expect(
      leftOf(measured({ condition: first!, block: 0, arms: { h1: 'failed', h2: 'void', h3: 'failed' } })),
    ).toBeUndefined();
  });

  test('is that of the blocks that are left, each as long as those before', () => {
    // Each load has 150 ms beside itself.
    expect(leftOf([...blocksOf(first!, 4, 850), ...blocksOf(second!, 1, 1850)])).toBe(3 * 3 * 2000);
    expect(leftOf([...blocksOf(first!, 4, 850), ...blocksOf(second!, 4, 1850)])).toBe(0);
  });

  test('does not follow from loads of the control', () => {
    const control = measured({ condition: plan.control.id, block: 0, arms: { h2: 9000 } });
    expect(leftOf(control)).toBeUndefined();
    expect(leftOf([...control, ...blocksOf(first!, 2, 850)])).toBe(leftOf(blocksOf(first!, 2, 850)));
  });

  test('is the shorter the more loads went on at once', () => {
    const found = [...blocksOf(first!, 4, 850), ...blocksOf(second!, 1, 1850)];
    // Twelve loads of one second and three of two.
    expect(loadsAtOnce(found, 6_000)).toBe(3);
    expect(timeLeftMs(plan, judgePlan(plan, found), found, 3)).toBe(3 * 2000);
    // Nothing is known of a study that has no load, or took no time.
    expect([loadsAtOnce([], 6_000), loadsAtOnce(found, 0)]).toEqual([1, 1]);
  });

  test('takes the others for what nothing is known of', () => {
    expect(leftOf(blocksOf(first!, 2, 850))).toBe(2 * 3000 + 4 * 3000);
  });

  test('counts conditions that were not begun, and none that is settled', () => {
    const wish = { sites: ['a', 'b'], links: ['4g'], stopping: early('settled') } as const;
    const clear = (id: string) =>
      Array.from({ length: 4 }, (_, block) =>
        measured({ condition: id, block, arms: { h1: 300, h2: 200, h3: 100 }, launch: block }),
      ).flat();
    const both = planOf(wish);
    const [one, other] = both.conditions.map(({ id }) => id);
    // Six blocks of three loads, 350 ms each.
    expect(leftOf(clear(one!), both)).toBe(6 * 3 * 350);
    expect(leftOf([...clear(one!), ...clear(other!)], both)).toBe(0);
  });

  test('counts no arm that is left out from now on', () => {
    const wish = { sites: ['a'], links: ['4g'], stopping: early('settled') } as const;
    const one = planOf(wish);
    const { id } = one.conditions[0]!;
    const some = Array.from({ length: 4 }, (_, block) =>
      measured({ condition: id, block, arms: { h1: 9850, h2: 850, h3: 650 } }),
    ).flat();
    // It is not settled, since all is from one launch.
    const left = expectedBlocks(4, judgePlan(one, some).decisions[0], one.stopping);
    expect(leftOf(some, one)).toBe(left * (1000 + 800));
  });
});

test('what a block takes is by the loads that finished, an arm without one being taken for the others', () => {
  const some = [
    ...measured({ condition: 'a', block: 0, arms: { h1: 850, h2: 'failed', h3: 'void' } }),
    ...measured({ condition: 'a', block: 1, arms: { h1: 1050, h2: 'failed', h3: 350 } }),
  ];
  const blockMs = blockTimes(some);
  // Each load has 150 ms beside itself.
  expect(blockMs('a', ['h1', 'h3'])).toBe(1100 + 500);
  expect(blockMs('a', ['h2'])).toBeCloseTo((1000 + 1200 + 500) / 3);
  expect(blockMs('b', ['h1'])).toBeUndefined();
});

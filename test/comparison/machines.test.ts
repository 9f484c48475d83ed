import { describe, expect, test } from '@jest/globals';
import { type DecidingPlan, decideStudy } from '../../harness/comparison/answers.ts';
import { judgeStudy } from '../../harness/comparison/judge.ts';
import { doubtsByMachine, withoutSpeeds } from '../../harness/comparison/machines.ts';
import { SURE_BELOW } from '../../harness/model/answer.ts';
import type { ConditionRecord } from '../../harness/model/comparison.ts';
import { earlyUntil, planFor, recordOf, type Times } from './blocks.ts';
import { around } from './decisions.ts';

const TIMES = {
  h1: around(1200, 0.02, 1),
  h2: around(1000, 0.02, 2),
  h3: around(1100, 0.02, 3),
};

/** Blocks that machines take in turn; each has a letter, says how slow it is, and what it does to `h2` alone. */
function onMachines(
  count: number,
  machines: Readonly<Record<string, readonly [slower: number, h2: number]>>,
  times: Readonly<Record<string, Times>> = TIMES,
  turns: string = Object.keys(machines).join(''),
): ConditionRecord {
  const record = recordOf('c', count, times);
  return {
    ...record,
    blocks: record.blocks.map(({ outcomes, ...block }) => {
      const machine = turns[block.index % turns.length]!;
      const [slower, h2] = machines[machine]!;
      const own = Object.entries(outcomes).map(([arm, outcome]) => [
        arm,
        outcome === 'failed' ? outcome : outcome * slower * (arm === 'h2' ? h2 : 1),
      ]);
      return { ...block, machine, outcomes: Object.fromEntries(own) };
    }),
  };
}

const withoutNames = ({ blocks, ...record }: ConditionRecord): ConditionRecord => ({
  ...record,
  blocks: blocks.map(({ machine: _, ...block }) => block),
});

function decideOn(record: ConditionRecord) {
  const plan: DecidingPlan = {
    ...planFor([record], { stopping: earlyUntil('settled') }),
    conditions: [{ id: 'c', timeoutMs: 60_000, lossy: false, setting: 'its link' }],
    served: 'h2',
    seed: 7,
  };
  return decideStudy(plan, [record], judgeStudy(plan, [record]))[0]!;
}

describe('on one machine', () => {
  const record = onMachines(9, { a: [1, 1] });

  test('nothing is taken off, and nothing is doubted', () => {
    expect(withoutSpeeds(record.blocks)).toBe(record.blocks);
    expect(doubtsByMachine([record, { ...record, condition: 'd' }])).toEqual(new Map());
  });

  test('the answer and all that it was drawn from are the same to the last digit, whether it has a name or not', () => {
    expect(decideOn(record)).toEqual(decideOn(withoutNames(record)));
  });
});

describe('what a machine does to all arms', () => {
  const record = onMachines(12, { a: [1, 1], b: [1.5, 1], c: [0.7, 1] });

  test('is taken off, and the arms of a block compare as they did', () => {
    const blocks = withoutSpeeds(record.blocks);
    for (const [index, { outcomes }] of blocks.entries()) {
      const was = record.blocks[index]!.outcomes;
      expect((outcomes.h1 as number) / (outcomes.h2 as number)).toBeCloseTo(
        (was.h1 as number) / (was.h2 as number),
        10,
      );
      // Two loads of a noise of 2 %.
      expect(Math.abs((outcomes.h2 as number) / 1000 - 1)).toBeLessThan(0.1);
    }
  });

  test('leaves failed loads and machines of which nothing finished as they are', () => {
    const failing = onMachines(4, { a: [1, 1], b: [1, 1] }, { h1: [900, 'failed'], h2: [900, 'failed'] });
    expect(withoutSpeeds(failing.blocks).map(({ outcomes }) => outcomes.h1)).toEqual([900, 'failed', 900, 'failed']);
  });

  test('hides no difference between arms: three blocks on machines of many speeds are as sure as on one', () => {
    const three = onMachines(4, { a: [1, 1], b: [1.5, 1], c: [0.7, 1] });
    expect(decideOn(three).answer).toMatchObject({ serve: 'h2', sureness: 'sure', settled: true });
    expect(decideOn(withoutNames(three)).answer.sureness).not.toBe('sure');
  });
});

describe('what machines do to one arm', () => {
  const doubtIn = (record: ConditionRecord) => doubtsByMachine([record]).get('c')!;

  test('is doubted as much as it differs between them', () => {
    const [none, some] = [onMachines(40, { a: [1, 1], b: [1, 1] }), onMachines(40, { a: [1, 0.9], b: [1, 1.1] })];
    expect(doubtIn(none)).toBeLessThan(0.012);
    // Of 20 % between two machines an arm of three has a third as variance, and their mean has half of that.
    expect(doubtIn(some)).toBeGreaterThan(0.03);
    expect(doubtIn(some)).toBeLessThan(0.12);
  });

  test('cannot be told from one arm, be it the only one or the only one that finishes, and no condition loses its answer by that', () => {
    const whole = onMachines(12, { a: [1, 1], b: [1, 1] });
    const single = { ...onMachines(6, { a: [1, 1], b: [1, 1] }, { h2: TIMES.h2, h3: 'failed' }), condition: 'single' };
    const doubts = doubtsByMachine([whole, single]);
    expect([...doubts.values()].every(Number.isFinite)).toBe(true);
    expect(doubts.get('c')).toBeLessThan(0.05);
  });

  test('is known from other conditions, too', () => {
    const record = onMachines(6, { a: [1, 1], b: [1, 1] });
    const others = [1, 2, 3].map((place) => ({
      ...onMachines(30, { a: [1, 0.9], b: [1, 1.1] }),
      condition: `other ${place}`,
    }));
    expect(doubtsByMachine([record, ...others]).get('c')!).toBeGreaterThan(2 * doubtIn(record));
  });

  test('is in the blocks already where each has a machine of its own', () => {
    expect(doubtIn(onMachines(3, { a: [1, 0.9], b: [1, 1], c: [1, 1.1] }))).toBeCloseTo(0, 6);
  });

  test('is doubted where all blocks of a condition are on one of the study’s machines', () => {
    const alone = onMachines(6, { a: [1, 1] });
    const other = { ...onMachines(6, { b: [1, 1] }), condition: 'other' };
    expect(doubtsByMachine([alone, other]).get('c')!).toBeGreaterThan(0.01);
  });

  test('keeps an answer from being sure that one machine has most of the say in', () => {
    const times = { h1: around(1000, 0.01, 4), h2: around(940, 0.01, 5) };
    const apart = onMachines(20, { a: [1, 1], b: [1, 1.13] }, times, 'aaaab');
    const chanceIn = (record: ConditionRecord) => decideOn(record).answer.chanceAboveMargin!;
    expect(chanceIn(apart)).toBeGreaterThan(SURE_BELOW);
    expect(chanceIn(withoutNames(apart))).toBeLessThan(SURE_BELOW);
    expect(chanceIn(onMachines(20, { a: [1, 1], b: [1, 1] }, times, 'aaaab'))).toBeLessThan(SURE_BELOW);
  });
});

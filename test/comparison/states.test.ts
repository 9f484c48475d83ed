import { describe, expect, test } from '@jest/globals';
import { judgeStudy } from '../../harness/comparison/judge.ts';
import { getsMore } from '../../harness/comparison/judge-plan.ts';
import { RULES } from '../../harness/comparison/rules.ts';
import { statesOf } from '../../harness/comparison/states.ts';
import type { Decision, Sureness } from '../../harness/model/answer.ts';
import type { ConditionRecord, ConditionState, Stopping } from '../../harness/model/comparison.ts';
import { earlyUntil, planFor, recordOf, type Times } from './blocks.ts';

/** An answer of which nothing matters but how sure it is. */
function answered(sureness: Sureness, settled: boolean): Decision {
  return { answer: { sureness, settled } as Decision['answer'], fewestBlocks: 3, slowdowns: {} };
}

const open = answered('open', false);
const sure = answered('sure', true);
const sureOfOneLaunch = answered('sure', false);
const proven = answered('proven', true);
const provenOfOneLaunch = answered('proven', false);
const exactly = (blocks: number): Stopping => ({ kind: 'exactly', blocks });

interface Case {
  readonly stopping: Stopping;
  readonly decision?: Decision;
  readonly blocks?: number;
  readonly h3?: Times;
  readonly voids?: number;
  readonly alone?: boolean;
}

function stateOf({ stopping, decision, blocks = 6, h3 = 900, voids = 0, alone = false }: Case): ConditionState {
  const record: ConditionRecord = recordOf('c', blocks, alone ? { h2: 1000 } : { h2: 1000, h3 }, {
    voids: Array.from({ length: voids }, () => ({ block: blocks, arm: 'h2', at: blocks })),
  });
  const plan = planFor([record], { stopping });
  return statesOf(plan, judgeStudy(plan, [record]), [decision])[0]!;
}

describe('until its answer is settled', () => {
  const stopping = earlyUntil('settled', 20);
  test.each<[string, Case, ConditionState]>([
    ['open while there is none', { stopping, blocks: 1 }, 'open'],
    ['open while it is unsure', { stopping, decision: open }, 'open'],
    ['open while it rests on one launch', { stopping, decision: sureOfOneLaunch }, 'open'],
    ['so even where it is proven', { stopping, decision: provenOfOneLaunch }, 'open'],
    ['settled', { stopping, decision: sure }, 'settled'],
    ['settled where it is even proven', { stopping, decision: proven }, 'settled'],
    ['settled at the cap, too', { stopping, decision: sure, blocks: 20 }, 'settled'],
    ['settled however often the next block was void', { stopping, decision: sure, voids: 10 }, 'settled'],
    ['full at the cap', { stopping, decision: open, blocks: 20 }, 'full'],
    ['full at the cap, whatever else there is', { stopping, decision: open, blocks: 25 }, 'full'],
    ['broken where its next block was void ten times', { stopping, decision: open, voids: 10 }, 'broken'],
    ['not after nine times', { stopping, decision: open, voids: 9 }, 'open'],
    [
      'never hopeless, since a decision needs no proof',
      { stopping, decision: open, h3: [900, 1100], blocks: 18 },
      'open',
    ],
    ['open up to the cap where an arm is alone', { stopping, decision: sure, alone: true }, 'open'],
    ['and then full', { stopping, decision: sure, alone: true, blocks: 20 }, 'full'],
  ])('%s', (_, given, state) => {
    expect(stateOf(given)).toBe(state);
  });
});

describe('until its answer is proven', () => {
  const stopping = earlyUntil('proven', 20);
  test.each<[string, Case, ConditionState]>([
    ['open while it is but sure', { stopping, decision: sure }, 'open'],
    ['proven', { stopping, decision: proven }, 'proven'],
    ['proven at the cap, too', { stopping, decision: proven, blocks: 20 }, 'proven'],
    ['full at the cap', { stopping, decision: sure, blocks: 20 }, 'full'],
    ['broken where its next block was void ten times', { stopping, decision: sure, voids: 10 }, 'broken'],
    // Each arm was beaten in nine of eighteen blocks; of twenty it may be beaten in four.
    [
      'hopeless where no arm can be proven by the blocks left',
      { stopping, decision: open, h3: [900, 1100], blocks: 18 },
      'hopeless',
    ],
    [
      'open where one of them still can',
      { stopping, decision: open, h3: [900, 900, 900, 900, 900, 1100], blocks: 18 },
      'open',
    ],
    ['open up to the cap where an arm is alone', { stopping, decision: sure, alone: true }, 'open'],
  ])('%s', (_, given, state) => {
    expect(stateOf(given)).toBe(state);
  });

  test('what is hopeless can indeed not be proven any more, and what is not may be', () => {
    for (let lost = 0; lost <= 8; lost += 1) {
      const h3 = Array.from({ length: 20 }, (_, index) => (index < lost ? 1100 : 900));
      const state = stateOf({ stopping, decision: open, h3, blocks: Math.max(8, lost) });
      const record = recordOf('c', 20, { h2: 1000, h3 });
      const { within } = judgeStudy(planFor([record], { stopping }), [record]).conditions[0]!;
      if (within.some((each) => each.proven)) expect(state).toBe('open');
      if (state === 'hopeless') expect(within.map((each) => each.proven)).toEqual([false, false]);
    }
  });
});

test.each<[number, Case, ConditionState]>([
  [0, { stopping: exactly(12), blocks: 1 }, 'open'],
  [1, { stopping: exactly(12), decision: sure }, 'open'],
  [2, { stopping: exactly(12), decision: proven }, 'open'],
  [3, { stopping: exactly(12), blocks: 12 }, 'full'],
  [4, { stopping: exactly(12), blocks: 14 }, 'full'],
  [5, { stopping: exactly(12), voids: 10 }, 'broken'],
  [6, { stopping: exactly(12), blocks: 12, voids: 10 }, 'full'],
])('a fixed number of blocks is run whatever they say: case %i', (_, given, state) => {
  expect(stateOf(given)).toBe(state);
});

test('each condition goes on by itself', () => {
  const records = ['a', 'b', 'c'].map((id) => recordOf(id, 4, { h2: 1000, h3: 900 }));
  const plan = planFor(records, { rule: RULES.default, stopping: earlyUntil('settled', 20) });
  expect(statesOf(plan, judgeStudy(plan, records), [sure, open, sure])).toEqual(['settled', 'open', 'settled']);
});

test('what is open gets more blocks, and nothing else', () => {
  const states: readonly ConditionState[] = ['open', 'broken', 'settled', 'proven', 'hopeless', 'full'];
  expect(states.filter(getsMore)).toEqual(['open']);
});

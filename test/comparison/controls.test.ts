import { describe, expect, test } from '@jest/globals';
import { judgeControl, judgeControls } from '../../harness/comparison/controls.ts';
import type { Verdict } from '../../harness/model/comparison.ts';
import { measured, planOf } from '../study/plans.ts';
import { recordOf, type Times } from './blocks.ts';

const PASSES: Readonly<Record<'aa' | 'planted', readonly Verdict[]>> = { aa: ['tie', 'undecided'], planted: ['b'] };
const noisy = [950, 1050, 1000, 1100, 900];

test.each<[string, 'aa' | 'planted', number, Times, boolean, string, boolean]>([
  ['a twin that is the same', 'aa', 30, 1000, true, 'tie', false],
  ['a twin that nothing is known of yet', 'aa', 5, 1000, true, 'undecided', true],
  ['a twin that cannot be told from its arm', 'aa', 30, noisy, true, 'undecided', false],
  ['a twin that is faster', 'aa', 30, 900, false, 'a', false],
  ['a twin that is slower', 'aa', 30, 1100, false, 'b', false],
  ['a delay that is found', 'planted', 30, 1100, true, 'b', false],
  ['a delay that is not found yet', 'planted', 6, 1100, false, 'undecided', true],
  ['a delay that is found by seven blocks', 'planted', 7, 1100, true, 'b', false],
  ['a delay that is missed', 'planted', 30, noisy, false, 'undecided', false],
  ['a delay that makes it faster', 'planted', 30, 900, false, 'undecided', false],
])('%s', (_, kind, count, times, passed, verdict, open) => {
  const record = recordOf('c', count, { h2: 1000, control: times, h3: 500 });
  const onlyClaim = kind === 'planted' ? 'b' : undefined;
  const found = judgeControl({ arm: 'h2', cap: 30 }, 'control', record, PASSES[kind], onlyClaim);
  expect(found).toMatchObject({ passed, open, pair: { a: 'control', b: 'h2', verdict } });
});

describe('of a plan', () => {
  const plan = planOf({ sites: ['a'], links: ['fibre'] });
  const { id, twin, delayed } = plan.control;
  const first = [290, 310].flatMap((ms, block) => measured({ condition: id, block, arms: { h2: ms, [twin]: 300 } }));

  test('the delay is a tenth of what the arm and its twin took in the control’s first block, whatever they take later', () => {
    expect(judgeControls(plan, first.slice(0, 1)).delayMs).toBeUndefined();
    expect(judgeControls(plan, first).delayMs).toBe(30);
    const later = measured({ condition: id, block: 2, arms: { h2: 900, [twin]: 900 } });
    expect(judgeControls(plan, [...first, ...later]).delayMs).toBe(30);
  });

  test('a quick arm is delayed by 20 ms: a tenth of its load time would not be found', () => {
    const quick = [55, 65].flatMap((ms, block) => measured({ condition: id, block, arms: { h2: ms, [twin]: 60 } }));
    expect(judgeControls(plan, quick).delayMs).toBe(20);
  });

  test('the delay is found in one launch of the browsers, and no difference of the twin is', () => {
    const blocks = Array.from({ length: 12 }, (_, block) =>
      measured({ condition: id, block, launch: 1, arms: { h2: 100, [twin]: 120, [delayed]: 120 } }),
    );
    const { aa, planted } = judgeControls(plan, blocks.flat());
    expect(planted).toMatchObject({ passed: true, pair: { verdict: 'b', decidedAfter: 7 } });
    expect(aa).toMatchObject({ passed: true, pair: { verdict: 'undecided' } });
  });

  test('the delayed arm, which came later than the twin, is judged by its own blocks', () => {
    const blocks = Array.from({ length: 15 }, (_, block) =>
      measured({
        condition: id,
        block,
        launch: 1 + Math.floor(block / 3),
        arms: block < 4 ? { h2: 100, [twin]: 100 } : { h2: 100, [twin]: 100, [delayed]: 111 },
      }),
    );
    const { aa, planted } = judgeControls(plan, blocks.flat());
    expect(aa).toMatchObject({ passed: true, pair: { verdict: 'tie', decidedAfter: 9, blocks: 15 } });
    expect(planted).toMatchObject({ passed: true, pair: { verdict: 'b', decidedAfter: 7, blocks: 11 } });
  });
});

import { describe, expect, test } from '@jest/globals';
import { armsInPlay } from '../../harness/comparison/arms-in-play.ts';
import { judgeStudy } from '../../harness/comparison/judge.ts';
import { planFor, recordOf } from './blocks.ts';
import { around, decideOn } from './decisions.ts';

const NAMES = ['h1', 'h2', 'h3'];
const armsAfter = (blocks: number, times: Parameters<typeof decideOn>[0]) =>
  armsInPlay(NAMES, decideOn(times, { blocks }));

describe('the arms of the next block', () => {
  test('are all arms where nothing is known', () => {
    expect(armsInPlay(NAMES, undefined)).toEqual(NAMES);
    expect(armsAfter(2, { h1: 5000, h2: 1000, h3: 1010 })).toEqual(NAMES);
  });

  test('leave one out that cannot be within the margin of the best', () => {
    expect(armsAfter(3, { h1: 5000, h2: 1000, h3: 1010 })).toEqual(['h2', 'h3']);
  });

  test('keep one that might be', () => {
    const noisy = { h1: around(1100, 0.2, 1), h2: around(1000, 0.2, 2), h3: around(1050, 0.2, 3) };
    expect(armsAfter(4, noisy)).toEqual(NAMES);
  });

  test('are two at the least, however clear the answer is: of those without a chance the nearest', () => {
    expect(armsAfter(4, { h1: 5000, h2: 9000, h3: 1000 })).toEqual(['h1', 'h3']);
    expect(armsAfter(4, { h1: 9000, h2: 5000, h3: 1000 })).toEqual(['h2', 'h3']);
  });
});

describe('what is said of an arm that later blocks left out', () => {
  const whole = recordOf('c', 10, { h1: 3000, h2: [1000, 1010, 990], h3: [1020, 1000, 1015] });
  const record = {
    ...whole,
    blocks: whole.blocks.map((block) => {
      const { h1, ...others } = block.outcomes;
      return block.index < 4 ? block : { ...block, outcomes: others };
    }),
  };

  test('rests on the blocks that loaded it', () => {
    const [judged] = judgeStudy(planFor([record]), [record]).conditions;
    expect(judged!.blocks).toBe(10);
    expect(judged!.pairs.map(({ a, b, blocks }) => [a, b, blocks])).toEqual([
      ['h2', 'h1', 4],
      ['h3', 'h1', 4],
      ['h3', 'h2', 10],
    ]);
  });
});

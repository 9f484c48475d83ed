import { describe, expect, test } from '@jest/globals';
import { advise } from '../../harness/advice/advice.ts';
import { withSavings } from '../../harness/advice/savings.ts';
import { compareStudy } from '../../harness/comparison/estimate.ts';
import { judgeStudy } from '../../harness/comparison/judge.ts';
import { RULES } from '../../harness/comparison/rules.ts';
import type { Mix, SampledCondition } from '../../harness/model/advice.ts';
import { planFor, recordOf, type Times } from '../comparison/blocks.ts';

type Rows = readonly (readonly [profile: string, times: Readonly<Record<string, Times>>])[];

/** Advice on conditions of these profiles and times, each judged as a study of its own. */
function savingsOn(rows: Rows, mix?: Mix) {
  const conditions = rows.map(([profile, times], index): SampledCondition => {
    const record = recordOf(`page ${index}|${profile}`, 20, times);
    const plan = planFor([record], { stopping: { kind: 'exactly', blocks: 20 } });
    const comparisons = compareStudy(plan, [record], judgeStudy(plan, [record]));
    return { id: record.condition, title: profile, profile, comparisons, blocks: record.blocks, isFixed: true };
  });
  const advice = advise({ conditions, arms: ['h2', 'h3'], rule: RULES.default, ...(mix && { mix }) })!;
  return withSavings(advice, conditions);
}

const h3Wins = { h2: 1000, h3: 800 };
const unclear = { h2: 1000, h3: [700, 1100] };

describe('what the advice saves', () => {
  test('in each profile, and over the traffic by its shares', () => {
    const { saving, byProfile } = savingsOn(
      [
        ['4g', h3Wins],
        ['cable', { h2: 1000, h3: 1100 }],
      ],
      { '4g': 3, cable: 1 },
    );
    const all = 100 * (1 - 0.8 ** 0.75 * 1.1 ** 0.25);
    expect(byProfile.map((own) => own.saving)).toEqual([
      { percent: expect.closeTo(20, 9), interval: [expect.closeTo(20, 9), expect.closeTo(20, 9)] },
      { percent: expect.closeTo(-10, 9), interval: [expect.closeTo(-10, 9), expect.closeTo(-10, 9)] },
    ]);
    expect(saving).toEqual({
      percent: expect.closeTo(all, 9),
      interval: [expect.closeTo(all, 9), expect.closeTo(all, 9)],
    });
  });

  test('counts what is undecided too, which the gain does not, and says how unsure that is', () => {
    const { gain, saving, byProfile } = savingsOn([
      ['4g', h3Wins],
      ['cable', unclear],
    ]);
    expect(gain!.medianPercent).toBeCloseTo(100 * (1 - 0.8 ** 0.5), 9);
    expect(byProfile[1]!.saving!.interval).toEqual([expect.closeTo(-10, 9), expect.closeTo(30, 9)]);
    const [low, high] = saving!.interval;
    expect(low).toBeLessThan(saving!.percent);
    expect(high).toBeGreaterThan(saving!.percent);
    expect(saving!.percent).toBeGreaterThan(gain!.medianPercent);
  });

  test('is not told where there is nothing that it is held against', () => {
    const advice = savingsOn([['4g', unclear]]);
    expect(advice.against).toBeUndefined();
    expect('saving' in advice).toBe(false);
  });

  test('where the other fails it is all of the time, and no end says less', () => {
    const { saving } = savingsOn([['4g', { h2: 'failed', h3: 1000 }]]);
    expect(saving).toEqual({ percent: 100, interval: [100, 100] });
  });
});

import { describe, expect, test } from '@jest/globals';
import { type DecidingPlan, decideStudy } from '../../harness/comparison/answers.ts';
import { judgeStudy } from '../../harness/comparison/judge.ts';
import { fitPriors, spreadsOf } from '../../harness/comparison/spreads.ts';
import type { Answer } from '../../harness/model/answer.ts';
import type { ConditionRecord } from '../../harness/model/comparison.ts';
import { sumOf } from '../../harness/stats/order.ts';
import { earlyUntil, planFor, recordOf } from './blocks.ts';
import { around } from './decisions.ts';

interface PlanWish {
  readonly lossy?: readonly string[];
  /** By condition; absent: each has its own. */
  readonly setting?: (condition: string) => string;
  readonly until?: 'settled' | 'proven';
  readonly served?: string;
}

function decidingPlan(records: readonly ConditionRecord[], wish: PlanWish = {}): DecidingPlan {
  const { lossy = [], setting = (id) => id, until = 'settled', served = 'h2' } = wish;
  return {
    ...planFor(records, { stopping: earlyUntil(until) }),
    conditions: records.map(({ condition: id }) => ({
      id,
      timeoutMs: 60_000,
      lossy: lossy.includes(id),
      setting: setting(id),
    })),
    served,
    seed: 7,
  };
}

function answersTo(records: readonly ConditionRecord[], wish: PlanWish = {}): readonly (Answer | undefined)[] {
  const plan = decidingPlan(records, wish);
  return decideStudy(plan, records, judgeStudy(plan, records)).map((decision) => decision?.answer);
}

describe('how sure an answer is', () => {
  const clear = (count: number) => recordOf('c', count, { h1: 1200, h2: 1000, h3: 800 });
  test.each<[string, number, Partial<Answer> | undefined]>([
    ['nothing was measured', 0, undefined],
    ['one block says nothing', 1, undefined],
    ['two blocks are never sure', 2, { sureness: 'likely', settled: false, blocks: 2 }],
    ['three may be, but come from one launch', 3, { sureness: 'sure', settled: false, blocks: 3 }],
    ['the fourth comes from another one', 4, { sureness: 'sure', settled: true, blocks: 4 }],
    ['seven prove nothing', 7, { sureness: 'sure', settled: true, blocks: 7 }],
    ['what is proven is said to be', 10, { sureness: 'proven', settled: true, blocks: 10 }],
  ])('%s', (_, count, answer) => {
    const plan = decidingPlan([clear(1)]);
    const records = [clear(count)];
    const found = decideStudy(plan, records, judgeStudy(plan, records))[0]?.answer;
    if (answer) expect(found).toMatchObject({ serve: 'h3', ...answer });
    else expect(found).toBeUndefined();
  });

  test('what is proven of another arm than the one to serve is no badge', () => {
    const h3 = [...Array.from({ length: 11 }, () => 980), 'failed' as const];
    const record = recordOf('c', 60, { h2: 1000, h3 });
    const plan = decidingPlan([record]);
    const judgement = judgeStudy(plan, [record]);
    const proven = (arm: string) => ({
      ...judgement.conditions[0]!.within.find((each) => each.arm === arm)!,
      proven: true,
    });
    const badge = (...arms: readonly string[]) => {
      const own = { ...judgement.conditions[0]!, within: arms.map(proven) };
      return decideStudy(plan, [record], { ...judgement, conditions: [own] })[0]!.answer.sureness;
    };
    expect(decideStudy(plan, [record], judgement)[0]!.answer.serve).toBe('h2');
    expect(badge('h2', 'h3')).toBe('proven');
    expect(badge('h3')).toBe('sure');
  });

  test('what is proven from one launch is none, and a proof does not settle it', () => {
    const record = clear(12);
    const oneLaunch = { ...record, blocks: record.blocks.map((block) => ({ ...block, launch: 1 })) };
    expect(answersTo([oneLaunch])[0]).toMatchObject({ sureness: 'sure', settled: false });
  });
});

test('answers come in the order of the plan, whatever that of the records, and rest on the blocks that were judged', () => {
  const records = ['a', 'b', 'c'].map((id, place) => recordOf(id, 5 + place, { h2: 1000, h3: 800 }));
  const plan = decidingPlan(records);
  const turned = records.toReversed();
  const answers = decideStudy(plan, turned, judgeStudy(plan, turned)).map((decision) => decision?.answer);
  expect(answers.map((answer) => [answer?.condition, answer?.blocks])).toEqual([
    ['a', 5],
    ['b', 6],
    ['c', 7],
  ]);
  const capped: DecidingPlan = { ...plan, stopping: earlyUntil('settled', 4) };
  expect(decideStudy(capped, records, judgeStudy(capped, records)).map((each) => each?.answer.blocks)).toEqual([
    4, 4, 4,
  ]);
  const withGap = records.map((record) => ({ ...record, blocks: record.blocks.filter(({ index }) => index !== 3) }));
  expect(answersTo(withGap).map((answer) => answer?.blocks)).toEqual([3, 3, 3]);
});

test('a condition without any record has no answer, and leaves the others theirs', () => {
  const [a, b] = ['a', 'b'].map((id) => recordOf(id, 5, { h2: 1000, h3: 800 }));
  const plan = decidingPlan([a!, b!]);
  const decisions = decideStudy(plan, [b!], judgeStudy(plan, [b!]));
  expect(decisions.map((decision) => decision?.answer.condition)).toEqual([undefined, 'b']);
});

describe('what similar conditions tell of how times vary', () => {
  const quiet = (id: string, seed: number) =>
    recordOf(id, 12, { h2: around(1000, 0.005, seed), h3: around(900, 0.005, seed + 100) });
  const noisy = (id: string, seed: number) =>
    recordOf(id, 12, { h2: around(1000, 0.4, seed), h3: around(900, 0.4, seed + 100) });
  // Three blocks that happen to agree, of a condition that is like the others.
  const lucky = recordOf('lucky', 3, { h2: [1000, 1001, 1002], h3: [901, 900, 902] });
  const others = (of: typeof quiet) => Array.from({ length: 6 }, (_, seed) => of(`other ${seed}`, seed));
  const surenessBeside = (records: readonly ConditionRecord[], lossy: readonly string[] = []) =>
    answersTo([lucky, ...records], { lossy })[0]!.sureness;

  test('among quiet ones it is believed, among noisy ones it is not', () => {
    expect(surenessBeside(others(quiet))).toBe('sure');
    expect(surenessBeside(others(noisy))).not.toBe('sure');
  });

  test('links that lose packets say nothing of those that do not', () => {
    const all = [
      ...others(noisy),
      ...others(quiet).map((record) => ({ ...record, condition: `quiet ${record.condition}` })),
    ];
    const lossy = others(noisy).map(({ condition }) => condition);
    expect(surenessBeside(all, lossy)).toBe('sure');
    expect(surenessBeside(all, ['lucky', ...lossy])).not.toBe('sure');
  });

  test('a spread lies between what its own blocks say and what the others do', () => {
    const records = others(noisy).map((record) => ({ likeness: 'lossy' as const, record }));
    const spreadAmong = (some: typeof records) =>
      spreadsOf(lucky.blocks, ['h2'], fitPriors(some, ['h2', 'h3'])('lossy'))[0]!;
    expect(spreadAmong(records)).toBeGreaterThan(0.1);
    expect(spreadAmong(records)).toBeLessThan(0.45);
    // A hundred blocks of its own know better.
    const long = recordOf('long', 100, { h2: around(1000, 0.005, 1, 100), h3: 900 });
    const [own] = spreadsOf(long.blocks, ['h2'], fitPriors(records, ['h2', 'h3'])('lossy'));
    expect(own!).toBeLessThan(0.2);
  });

  test('where there is nothing to learn from, no spread is 0 or infinite', () => {
    const alike = recordOf('alike', 3, { h2: 1000, h3: 'failed' });
    const priorOf = fitPriors([{ likeness: 'lossless', record: alike }], ['h2', 'h3']);
    for (const likeness of ['lossy', 'lossless'] as const)
      for (const spread of spreadsOf(alike.blocks, ['h2', 'h3'], priorOf(likeness))) {
        expect(spread).toBeGreaterThan(0);
        expect(spread).toBeLessThan(1);
      }
  });
});

describe('pages over the same link tell each other how the arms differ', () => {
  /** HTTP/3 takes three quarters of the time; single loads lie far apart. */
  const pages = ['a', 'b', 'c', 'd'].map((id, seed) =>
    recordOf(id, 8, { h2: around(1000, 0.5, seed), h3: around(750, 0.5, seed + 20) }),
  );
  const overOneLink = answersTo(pages, { setting: () => 'the link' });
  const overLinksOfTheirOwn = answersTo(pages);
  const chances = (answers: typeof overOneLink) => answers.map((answer) => answer!.chanceAboveMargin ?? 0);

  test('what all of them show is surer than what each does by itself', () => {
    expect(overOneLink.map((answer) => answer!.serve)).toEqual(['h3', 'h3', 'h3', 'h3']);
    expect(sumOf(chances(overOneLink))).toBeLessThan(0.7 * sumOf(chances(overLinksOfTheirOwn)));
  });

  test('one that clearly differs keeps its own answer', () => {
    const other = recordOf('other', 8, { h2: around(800, 0.05, 1), h3: around(1000, 0.05, 2) });
    const [answer] = answersTo([other, ...pages], { setting: () => 'the link' });
    expect(answer).toMatchObject({ serve: 'h2', sureness: 'sure' });
  });

  test('one that nothing tells by itself is doubted by what the others show', () => {
    const even = recordOf('even', 4, { h2: around(950, 0.3, 3), h3: around(1000, 0.3, 4) });
    const outlookOf = (setting: (condition: string) => string) =>
      answersTo([even, ...pages], { setting })[0]!.arms.h3!.bestChance;
    expect(outlookOf(() => 'the link')).toBeGreaterThan(outlookOf((id) => id));
  });
});

test('the same study has the same answers', () => {
  const records = ['a', 'b'].map((id, seed) =>
    recordOf(id, 9, { h2: around(1000, 0.3, seed), h3: around(950, 0.3, seed + 9) }),
  );
  expect(answersTo(records)).toEqual(answersTo(records));
});

import { describe, expect, test } from '@jest/globals';
import { judgePlan } from '../../harness/comparison/judge-plan.ts';
import { RULES } from '../../harness/comparison/rules.ts';
import {
  answersOf,
  type ConclusionRequest,
  conclude,
  concludeStudy,
  regretsOf,
} from '../../harness/findings/conclusions.ts';
import type { Answer, Decision } from '../../harness/model/answer.ts';
import { type Features, isSplit, type Leaf } from '../../harness/model/tree.ts';
import { knownDecision } from '../comparison/decisions.ts';
import { measured, planOf } from '../study/plans.ts';

/** What a study of three conditions comes to, one of which was not measured. */
const plan = planOf({ sites: ['a'], links: ['fibre', '4g', '3g-slow'], stopping: { kind: 'exactly', blocks: 6 } });
const [fibre, mobile, slow] = plan.conditions.map(({ id }) => id) as [string, string, string];

const blocksOf = (condition: string, times: Readonly<Record<string, number>>, count = 6) =>
  Array.from({ length: count }, (_, block) =>
    measured({ condition, block, arms: times, launch: Math.floor(block / 3) }),
  ).flat();

const quick = { h1: 100, h2: 110, h3: 120 };
const late = { h1: 1300, h2: 1200, h3: 1000 };

describe('what was not measured', () => {
  const measurements = [...blocksOf(fibre, quick), ...blocksOf(mobile, late)];
  const { tree, advice, answerOf } = concludeStudy(plan, judgePlan(plan, measurements));

  test('has the answer of the tree, marked as predicted', () => {
    expect(answerOf(0)).toMatchObject({ condition: fibre, serve: 'h1', blocks: 6, sureness: 'sure' });
    expect(answerOf(0)!.predicted).toBeUndefined();
    expect(answerOf(1)).toMatchObject({ condition: mobile, serve: 'h3', blocks: 6, sureness: 'sure' });
    expect(answerOf(2)).toEqual({
      condition: slow,
      serve: expect.any(String),
      asGood: expect.any(Array),
      regretPercent: expect.any(Number),
      // It is predicted from two conditions that say the opposite.
      sureness: 'open',
      settled: false,
      blocks: 0,
      arms: {},
      predicted: true,
      gain: { over: 'h2', percent: expect.any(Number), interval: expect.any(Array) },
    });
    expect(answersOf(plan, measurements)).toEqual([answerOf(0), answerOf(1), answerOf(2)]);
  });

  test('is open in the advice, and no part of what the traffic gains', () => {
    expect(advice!.open).toMatchObject({ conditions: expect.any(Number), unmeasured: 1, of: 3 });
    expect(advice!.unmeasured).toEqual(['3g-slow']);
    expect(Object.keys(advice!.mix)).toEqual(['fibre', '4g']);
    expect(tree!.regret).toHaveProperty('leftOutMeanPercent');
  });
});

describe('where no load of a condition came to its end', () => {
  const failed = Array.from({ length: 6 }, (_, block) =>
    measured({ condition: slow, block, arms: { h1: 'failed', h2: 'failed', h3: 'failed' }, launch: 1 }),
  ).flat();
  const measurements = [...blocksOf(fibre, quick), ...blocksOf(mobile, late), ...failed];
  const { advice, answerOf } = concludeStudy(plan, judgePlan(plan, measurements));

  test('there is no answer, though the tree has one', () => {
    expect(answerOf(2)).toBeUndefined();
    expect(answersOf(plan, measurements)).toHaveLength(2);
  });

  test('the advice says that it fails, and not that it was not measured', () => {
    expect(advice).toMatchObject({ failing: [slow], unmeasured: [], open: { unmeasured: 0, of: 2 } });
    expect(advice!.text).toMatch(/^No load finished: a over 3g-slow.*\.$/m);
    expect(advice!.text).not.toMatch(/not measured: /i);
  });
});

test('visits that nobody makes have no say in the advice, and do not keep it from being given', () => {
  const shares = { firstVisits: 0, withoutUdp: 0 };
  const visits = [
    { ...near(10), visit: 'first' },
    { ...near(20), visit: 'returning' },
  ];
  expect(concluded(visits, { offered: shares }).advice!.byProfile.map(({ profile }) => profile)).toEqual(['link 20']);
  expect(concluded([visits[0]!], { offered: shares }).advice).toBeUndefined();
});

test('what links cost that the traffic does not have is part of no worst case', () => {
  const mix = { 'link 10': 1 };
  const { tree } = concluded([near(10), far(12)], { mix });
  expect(tree!.always.h2!.worstPercent).toBeCloseTo(0);
  expect(tree!.tree).toMatchObject({ serve: 'h2', worstPercent: 0, worstCondition: '10' });
  // Without any traffic all conditions count alike.
  expect(concluded([near(10), far(12)], { mix: { elsewhere: 1 } }).tree!.always.h2!.worstPercent).toBeCloseTo(30);
});

test('where nothing was measured there is no answer, no tree and no advice', () => {
  const { tree, advice, answerOf } = concludeStudy(plan, judgePlan(plan, []));
  expect([tree, advice, answerOf(0), answerOf(2)]).toEqual([undefined, undefined, undefined, undefined]);
  expect(answersOf(plan, [])).toEqual([]);
  // One block of each says nothing yet.
  expect(answersOf(plan, [...blocksOf(fibre, quick, 1), ...blocksOf(mobile, late, 1)])).toEqual([]);
});

const FEATURES: Features = {
  rateKbps: 10_000,
  rttMs: 50,
  lossPercent: 0,
  objects: 10,
  bytesPerObject: 1000,
  totalBytes: 10_000,
  queuePackets: 40,
  visit: 'cold',
};

interface Asked {
  readonly rttMs: number;
  readonly decision?: Decision;
  readonly visit?: string;
}

function concluded(asked: readonly Asked[], more: Partial<ConclusionRequest> = {}) {
  return conclude(
    {
      conditions: asked.map(({ rttMs, visit = 'cold' }) => ({
        id: `${rttMs}`,
        title: `${rttMs} ms`,
        site: 'page',
        profile: `link ${rttMs}`,
        features: { ...FEATURES, rttMs, visit },
      })),
      arms: [
        { name: 'h2', protocol: 'h2', title: 'HTTP/2' },
        { name: 'h3', protocol: 'h3', title: 'HTTP/3' },
      ],
      rule: RULES.default,
      metric: 'plt',
      served: 'h2',
      ...more,
    },
    asked.map(({ decision }) => decision),
  );
}

const near = (rttMs: number, more: Partial<Answer> = {}): Asked => ({
  rttMs,
  decision: knownDecision(`${rttMs}`, { h2: 1, h3: 1.3 }, more),
});
const far = (rttMs: number, more: Partial<Answer> = {}): Asked => ({
  rttMs,
  decision: knownDecision(`${rttMs}`, { h2: 1.3, h3: 1 }, more),
});

describe('a prediction', () => {
  const serving = (rttMs: number, more: Partial<Answer> = {}) =>
    concluded([near(10, more), near(20, more), far(200, more), far(220, more), { rttMs }]).answerOf(4);

  test.each([
    [15, 'h2', 0],
    [300, 'h3', 100 * (1 - 1 / 1.3)],
  ])('at %i ms is that of the leaf: %s', (rttMs, serve, percent) => {
    expect(serving(rttMs)).toMatchObject({ serve, gain: { over: 'h2', percent: expect.closeTo(percent, 9) } });
  });

  test.each<[string, Partial<Answer>]>([
    ['proven', { sureness: 'proven' }],
    ['sure', { sureness: 'sure' }],
  ])('is never surer than likely, though its leaf is %s', (_, more) => {
    expect(serving(15, more)!.sureness).toBe('likely');
  });

  test.each<[string, readonly Asked[], string]>([
    // The best arm over all four of them is sure, and wrong in two.
    ['open where its leaf is right in half of its conditions alone', [near(10), far(12), near(14), far(16)], 'open'],
    [
      'likely where it is wrong in one of six',
      [...[10, 12, 14, 16, 18].map((rttMs) => near(rttMs)), far(17)],
      'likely',
    ],
    ['open where it is wrong in one of four', [near(10), far(12), near(14), near(16)], 'open'],
  ])('is %s', (_, asked, sureness) => {
    const { answerOf, tree } = concluded([...asked, { rttMs: 15 }]);
    expect(tree!.tree).toMatchObject({ serve: 'h2', sureness: 'sure' });
    expect(answerOf(asked.length)).toMatchObject({ serve: 'h2', sureness });
  });
});

describe('a leaf of the tree', () => {
  const linksOf = (asked: readonly Asked[]) => {
    const tree = concluded(asked).tree!.tree;
    return isSplit(tree) ? [tree.yes, tree.no].map((each) => (each as Leaf).links) : (tree as Leaf).links;
  };

  test('names its links where these are whole, those that were not measured among them', () => {
    const asked = [near(10), near(20), far(200), far(220)];
    const all = [
      ['link 10', 'link 20'],
      ['link 200', 'link 220'],
    ];
    expect(linksOf(asked)).toEqual(all);
    expect(linksOf([...asked, { rttMs: 15 }])).toEqual([[...all[0]!, 'link 15'], all[1]]);
  });

  test('names none where a link has conditions elsewhere, too', () => {
    const visits = ['cold', 'repeat'].flatMap((visit) =>
      [10, 20].map((rttMs): Asked => ({ ...(visit === 'cold' ? near(rttMs) : far(rttMs)), visit })),
    );
    expect(linksOf(visits)).toEqual([undefined, undefined]);
  });

  test('that is the whole tree names none', () => {
    expect(linksOf([near(10), near(20)])).toBeUndefined();
  });
});

describe('the traffic', () => {
  test('decides what the tree minds, but a link that it does not have still counts a little', () => {
    const asked = [near(10), near(20), far(200), far(220)];
    const mix = { 'link 10': 1, 'link 20': 1 };
    const { tree, advice } = concluded(asked, { mix });
    expect(advice).toMatchObject({ serve: 'h2', open: { of: 2 } });
    expect(tree!.regret.meanPercent).toBeLessThan(0.01);
    // Nothing else is known of links that the traffic does not have at all.
    expect(concluded([far(200), far(220), near(10)], { mix: { 'link 999': 1 } }).tree!.tree).toMatchObject({
      serve: 'h3',
    });
  });

  test('advice counts on visitors who know of HTTP/3, unless every visit finds it by itself', () => {
    const discovered = [far(200), far(220)].map((each) => ({ ...each, visit: 'discovered' }));
    expect(concluded(discovered).advice!.assumesKnownH3).toBe(false);
    expect(concluded([...discovered, far(230)]).advice!.assumesKnownH3).toBe(true);
  });
});

test('regrets go by name, the tree’s first', () => {
  const { tree } = concluded([near(10), near(20), far(200), far(220)]);
  const regrets = regretsOf(tree!);
  expect(Object.keys(regrets)).toEqual(['tree', 'always h2', 'always h3']);
  expect(regrets.tree).toMatchObject({ meanPercent: 0, leftOutMeanPercent: 0 });
  expect(regrets['always h2']).toEqual({ meanPercent: expect.closeTo(15, 9), worstPercent: expect.closeTo(30, 9) });
});

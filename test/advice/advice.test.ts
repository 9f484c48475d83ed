import { describe, expect, test } from '@jest/globals';
import { advise } from '../../harness/advice/advice.ts';
import { compareStudy } from '../../harness/comparison/estimate.ts';
import { judgeStudy } from '../../harness/comparison/judge.ts';
import { RULES } from '../../harness/comparison/rules.ts';
import type { AdviceCondition, Mix } from '../../harness/model/advice.ts';
import { planFor, recordOf, type Times } from '../comparison/blocks.ts';

type Rows = readonly (readonly [profile: string, times: Readonly<Record<string, Times>>])[];

/** Conditions of these profiles and times, each judged as a study of its own. */
function conditionsOf(rows: Rows): AdviceCondition[] {
  return rows.map(([profile, times], index) => {
    const record = recordOf(`page ${index}|${profile}`, 20, times);
    const plan = planFor([record], { stopping: { kind: 'exactly', blocks: 20 } });
    const comparisons = compareStudy(plan, [record], judgeStudy(plan, [record]));
    return {
      id: record.condition,
      title: `page ${index} over ${profile}`,
      profile,
      comparisons,
      blocks: record.blocks,
    };
  });
}

const adviceOn = (rows: Rows, mix?: Mix, arms: readonly string[] = ['h1', 'h2', 'h3']) =>
  advise({ conditions: conditionsOf(rows), arms, rule: RULES.default, ...(mix ? { mix } : {}) })!;

const unclear: Times = [900, 1100];
const equal = { h1: 1000, h2: 1000, h3: 1000 };
const open = { h1: 1000, h2: 1000, h3: unclear };
const h3Wins = { h1: 1200, h2: 1000, h3: 800 };
const h3Loses = { h1: 1000, h2: 1000, h3: 1050 };

describe('what to serve', () => {
  test.each<[string, Rows, Mix | undefined, readonly string[], string | undefined]>([
    ['what wins everywhere, against what is common', [['4g', h3Wins]], undefined, ['h3'], 'h2'],
    ['what is common where nothing beats it', [['4g', h3Loses]], undefined, ['h2', 'h1'], 'h3'],
    ['anything where all tie', [['4g', equal]], undefined, ['h2', 'h1', 'h3'], undefined],
    ['what is common where nothing is decided', [['4g', open]], undefined, ['h2', 'h1', 'h3'], undefined],
    [
      'what gains more than it loses',
      [
        ['4g', h3Wins],
        ['fibre', h3Loses],
      ],
      undefined,
      ['h3'],
      'h2',
    ],
    [
      'not what loses more in this traffic',
      [
        ['4g', h3Wins],
        ['fibre', h3Loses],
      ],
      { '4g': 1, fibre: 19 },
      ['h2'],
      'h1',
    ],
    ['nothing that is merely undecided', [['4g', { h1: 900, h2: 1000, h3: unclear }]], undefined, ['h1'], 'h2'],
  ])('%s', (_, rows, mix, serve, against) => {
    const advice = adviceOn(rows, mix);
    expect(advice.serve).toEqual(serve);
    expect(advice.against).toBe(against);
  });

  test('of arms with other names the first is what is served already', () => {
    const rows: Rows = [
      ['4g', { cubic: 1000, bbr: 800 }],
      ['fibre', { cubic: 1000, bbr: 1000 }],
    ];
    expect(adviceOn(rows, undefined, ['cubic', 'bbr'])).toMatchObject({ serve: ['bbr'], against: 'cubic' });
  });
});

test('weighs by the traffic, and counts a gain only where a verdict proves one', () => {
  const rows: Rows = [
    ['4g', h3Wins],
    ['4g', equal],
    ['cable', open],
    ['fibre', h3Loses],
    ['dsl', h3Wins],
  ];
  const advice = adviceOn(rows, { '4g': 60, cable: 30, fibre: 10, '3g': 20 });
  expect(advice.mix).toEqual({ '4g': 0.6, cable: expect.closeTo(0.3, 12), fibre: expect.closeTo(0.1, 12) });
  expect(advice.unmeasured).toEqual(['3g']);
  expect(advice.shares).toEqual({
    faster: expect.closeTo(0.3, 12),
    tie: expect.closeTo(0.3, 12),
    undecided: expect.closeTo(0.3, 12),
    slower: expect.closeTo(0.1, 12),
  });
  // 0.8 in 30 % of the traffic, 1.05 in 10 %; what is undecided counts nothing although half of it is faster.
  const gain = 100 * (1 - 0.8 ** 0.3 * 1.05 ** 0.1);
  expect(advice.gain).toEqual({ medianPercent: expect.closeTo(gain, 9), p95Percent: expect.closeTo(gain, 9) });
  expect(advice.risk).toEqual({ condition: 'page 3|fibre', percent: expect.closeTo(5, 9) });
  expect(advice.possibleRisk).toEqual({ condition: 'page 2|cable', percent: expect.closeTo(10, 9) });
  expect(advice.byProfile.map(({ profile, serve }) => [profile, serve])).toEqual([
    ['4g', ['h3']],
    ['cable', ['h2', 'h1', 'h3']],
    ['fibre', ['h2', 'h1']],
  ]);
  expect(advice.text).toBe(
    'Serve h3 rather than h2: h3 is proven faster for 30 % of the traffic (4g), as fast for 30 % (4g), proven slower for 10 % (fibre) and undecided for 30 % (cable); on average over the traffic the median load takes 6 % less time and the 95th percentile takes 6 % less time; the risk: 5 % longer than the best in page 3 over fibre; in page 2 over cable up to 10 % longer cannot be ruled out yet; nothing is known of 3g.',
  );
});

test('the 95th percentile may gain more than the median', () => {
  const slowTail: Times = [...Array.from({ length: 18 }, () => 1000), 3000, 3000];
  const { gain } = adviceOn([['4g', { h2: slowTail, h3: 800 }]], undefined, ['h2', 'h3']);
  expect(gain).toEqual({ medianPercent: expect.closeTo(20, 9), p95Percent: expect.closeTo(100 * (1 - 800 / 3000), 9) });
});

describe('in words', () => {
  test.each<[string, Rows, string]>([
    ['all tie', [['4g', equal]], 'Serve h2, h1 or h3, whichever is easiest: they tie for all of this traffic.'],
    [
      'something is undecided',
      [
        ['4g', equal],
        ['fibre', open],
      ],
      'No reason to change what is served: nothing is proven faster than h2 for any of this traffic, and for 50 % of it something is undecided; in page 1 over fibre up to 11 % longer cannot be ruled out yet.',
    ],
    [
      'two are as good',
      [['4g', h3Loses]],
      'Serve h2 or h1, which tie, rather than h3: h2 is proven faster for 100 % of the traffic (4g); on average over the traffic the median load takes 4.8 % less time and the 95th percentile takes 4.8 % less time.',
    ],
    ['one arm alone', [['4g', { h2: 1000 }]], 'Serve h2: nothing else was measured.'],
    [
      'the others beat each other, and nothing is known of what is common',
      [
        ['4g', { h1: 1000, h2: unclear, h3: 1100 }],
        ['fibre', { h1: 1100, h2: unclear, h3: 1000 }],
      ],
      'No reason to change what is served: nothing is proven faster than h2 for any of this traffic, and for 100 % of it something is undecided; in page 0 over 4g up to 10 % longer cannot be ruled out yet.',
    ],
    [
      'many links: they are counted', // Of seven links five and a half: 0.8 in 79 %.
      [...['a', 'b', 'c', 'd', 'e', 'f'].map((link): Rows[number] => [link, h3Wins]), ['g', equal], ['a', equal]],
      'Serve h3 rather than h2: h3 is proven faster for 79 % of the traffic (6 of 7 links) and as fast for 21 % (g, a); on average over the traffic the median load takes 16 % less time and the 95th percentile takes 16 % less time.',
    ],
    [
      'loads that fail',
      [['4g', { h2: 'failed', h3: 1000 }]],
      'Serve h3 rather than h2: h3 is proven faster for 100 % of the traffic (4g); on average over the traffic the median load takes 100 % less time and the 95th percentile takes 100 % less time.',
    ],
  ])('%s', (_, rows, text) => {
    const arms = Object.keys(rows[0]![1]);
    expect(adviceOn(rows, undefined, arms).text).toBe(text);
  });
});

test('no advice on what was not measured', () => {
  expect(advise({ conditions: [], arms: ['h2'], rule: RULES.default })).toBeUndefined();
  expect(adviceOn([['4g', equal]], { fibre: 1 })).toBeUndefined();
});

import { describe, expect, test } from '@jest/globals';
import { conclude } from '../../harness/findings/conclusions.ts';
import type { Gain } from '../../harness/model/answer.ts';
import type { Features, Leaf, Tree } from '../../harness/model/tree.ts';
import { packNumbers } from '../../harness/report/page-packing.ts';
import { seededRandom } from '../../harness/stats/random.ts';
import { follow } from '../../harness/tree/tree-search.ts';
import { gainInterval, gainInWords, tellCondition } from '../../reports/answer-words.ts';
import { endOf, pairRows } from '../../reports/condition/pair-rows.ts';
import { nearestTo, pathOf, splitAsQuestion } from '../../reports/question.ts';
import { openReport } from '../../reports/report.ts';
import { completed, readState, writeState } from '../../reports/state.ts';
import { bytes, chance, change, interval, percent, rate, ratio, time, trialInWords } from '../../reports/wording.ts';
import { smallPage } from './pages.ts';

const ASKED: Features = completed({
  rateKbps: 9000,
  rttMs: 170,
  lossPercent: 0.5,
  objects: 50,
  totalBytes: 1_500_000,
  bytesPerObject: 0,
  queuePackets: 0,
  visit: 'cold',
});

test('an axis of blocks ends after the last block that loaded both arms, however many did not', () => {
  const { page } = smallPage();
  const { conditions } = openReport(page);
  const [first] = conditions;
  const rows = () => first!.rows().flatMap((row) => (row.index < 3 || row.index === 13 ? [row] : []));
  const pair = first!.comparisons[0]!;
  const shown = pairRows(openReport(page), { ...first!, rows }, pair);
  expect([shown.length, endOf(shown), endOf([])]).toEqual([4, 15, 2]);
});

describe('the address', () => {
  test.each([
    [{ asked: ASKED }],
    [{ asked: completed({ ...ASKED, queuePackets: 7 }, true), condition: 'a&b=c|4g|nginx|cold' }],
    [
      {
        asked: { ...ASKED, rateKbps: Number.POSITIVE_INFINITY, queuePackets: 10 },
        mix: { '4g': 60, 'rate=2mbit,rtt=9ms': 40 },
      },
    ],
  ])('keeps what was asked', (state) => {
    expect(readState(writeState(state), { asked: completed({ ...ASKED, rttMs: 1 }) })).toEqual(state);
  });

  test.each(['', '#', '#rate=fast&rtt=-1&loss=101&objects=0', '#mix=,:,a:-1', '#%E0%A4%A', '#queue=NaN'])(
    'that says nothing to the point changes nothing: %s',
    (fragment) => {
      expect(readState(fragment, { asked: ASKED })).toEqual({ asked: ASKED });
    },
  );
});

const leaf = (name: string): Leaf => ({
  serve: name,
  asGood: [],
  sureness: 'sure',
  conditions: [name],
  regretPercent: 0,
  interval: [0, 1],
  gain: { over: 'h2', percent: 0, interval: [0, 0] },
  worstPercent: 0,
  worstCondition: name,
});
const TREE: Tree<Leaf> = {
  feature: 'rttMs',
  below: 90,
  yes: leaf('h2'),
  no: {
    feature: 'lossPercent',
    below: 1,
    yes: leaf('h3'),
    no: { feature: 'visit', is: 'repeat', yes: leaf('h1'), no: leaf('h3') },
  },
};

test('the way through a tree ends where the tree ends', () => {
  const random = seededRandom(2);
  for (let each = 0; each < 200; each += 1) {
    const asked = {
      ...ASKED,
      rttMs: 200 * random(),
      lossPercent: 2 * random(),
      visit: random() < 0.5 ? 'cold' : 'repeat',
    };
    expect(pathOf(TREE, asked).leaf).toBe(follow(TREE, asked));
  }
  expect(pathOf(TREE, ASKED).steps.map(({ split, yes }) => `${splitAsQuestion(split)} ${yes}`)).toEqual([
    'RTT below 90\u00a0ms? false',
    'Loss below 1\u00a0%? true',
  ]);
});

test('the nearest that was measured has the most in common', () => {
  const place = (name: string, features: Partial<Features>, blocks = 5) => ({
    name,
    blocks,
    features: { ...ASKED, ...features },
  });
  const places = [place('slow', { rateKbps: 1000 }), place('near', { rateKbps: 10_000 }), place('unmeasured', {}, 0)];
  expect(nearestTo(ASKED, places)).toMatchObject({ name: 'near' });
  expect(nearestTo({ ...ASKED, rateKbps: Number.POSITIVE_INFINITY }, places)).toMatchObject({ name: 'near' });
  expect(nearestTo(ASKED, [])).toBeUndefined();
});

function gain(low: number, high: number): Gain {
  return { over: 'h2', percent: (low + high) / 2, interval: [low, high] };
}

test.each([
  [time(712.44), '712 ms'],
  [time(9.04), '9.0 ms'],
  [time(1234), '1.23 s'],
  [time(64_000), '64.0 s'],
  [time(undefined), '–'],
  [time(Number.POSITIVE_INFINITY), 'never'],
  [trialInWords({ arm: 'h3', status: 'ok', pltMs: 20 }), 'h3 20 ms'],
  [trialInWords({ arm: 'h3', status: 'ok', pltMs: 20, uploadMs: 64_000 }), 'h3 64.0 s'],
  [trialInWords({ arm: 'h3', status: 'failed', reason: 'timeout', says: 'too slow' }), 'h3 failed'],
  [percent(3.14), '3.1 %'],
  [percent(Number.POSITIVE_INFINITY), '∞'],
  [percent(Number.NaN), '–'],
  [chance(0.125), '13 %'],
  [chance(0.995), 'over 99 %'],
  [chance(0), 'below 1 %'],
  [change(-12), '−12 %'],
  [gainInWords(12.34), '12 % faster'],
  [gainInWords(-3.3), '3.3 % slower'],
  [gainInWords(0.04), 'as fast'],
  [gainInterval(gain(8, 15)), '8 to 15 % faster'],
  [gainInterval(gain(-15, -8)), '8 to 15 % slower'],
  [gainInterval(gain(-2, 5)), '2 % slower to 5 % faster'],
  [change(0.01), '±0 %'],
  [rate(9000), '9 Mbit/s'],
  [rate(Number.POSITIVE_INFINITY), 'unlimited'],
  [bytes(1_440_360), '1.4 MB'],
  [bytes(385), '385 B'],
  [ratio(0.714), '0.71'],
  [ratio(Number.POSITIVE_INFINITY), '∞'],
  [ratio(Number.NaN), '–'],
  [interval([0.7, 0.72]), '0.70 to 0.72'],
  [interval([0.7, Number.POSITIVE_INFINITY]), '0.70 to ∞'],
  [interval([0, Number.POSITIVE_INFINITY]), 'too few blocks for an interval'],
])('%s', (text, said) => {
  expect(text.replaceAll('\u00a0', ' ')).toBe(said);
});

describe('the page decides as the program did', () => {
  const { page, summary } = smallPage();
  const report = openReport(page);

  test('in each condition, out of packed blocks', () => {
    const decisions = report.decisions();
    expect(decisions).toHaveLength(summary.conditions.length);
    for (const [index, { answer }] of summary.conditions.entries())
      expect(decisions[index]!.answer).toMatchObject({
        serve: answer!.serve,
        asGood: answer!.asGood,
        sureness: answer!.sureness,
        settled: answer!.settled,
        blocks: answer!.blocks,
        regretPercent: expect.closeTo(answer!.regretPercent, 1),
      });
  });

  test('where the loads of an arm count for another one, which was not loaded', () => {
    const inFirst = <Each>(each: Each, index: number, change: (own: Each) => Each) =>
      index === 0 ? change(each) : each;
    const shared = openReport({
      ...page,
      summary: {
        ...page.summary,
        conditions: page.summary.conditions.map((each, index) =>
          inFirst(each, index, (own) => ({ ...own, arms: { ...own.arms, h1: { ...own.arms.h1!, loadedAs: 'h2' } } })),
        ),
      },
      conditions: page.conditions.map((each, index) =>
        inFirst(each, index, (own) => {
          const leftOut = { ...own.blocks.leftOut, h1: packNumbers(report.conditions[0]!.rows().map((_, row) => row)) };
          return { ...own, blocks: { ...own.blocks, leftOut } };
        }),
      ),
    });
    const { arms } = shared.decisions()[0]!.answer;
    expect(arms.h1).toEqual(arms.h2);
    expect(shared.concludeFor({ fibre: 1, '4g': 2, cable: 3 }).advice!.serve).toBe('h3');
  });

  test('for the study’s own traffic, and for none', () => {
    expect(report.concludeFor(undefined)).toBe(page.summary);
    expect(report.concludeFor({ fibre: 0 })).toBe(page.summary);
    expect(report.concludeFor({ elsewhere: 1 })).toBe(page.summary);
    const even = { fibre: 33, '4g': 33, cable: 33 };
    const { advice, tree, regret } = report.concludeFor(even);
    expect(advice!.text).toBe(summary.advice!.text);
    expect(JSON.stringify(tree, rounded)).toBe(JSON.stringify(summary.tree, rounded));
    expect(regret!['always h1']!.meanPercent).toBeCloseTo(summary.regret!['always h1']!.meanPercent, 1);
    expect(report.concludeFor(even)).toBe(report.concludeFor(even));
  });

  test('for any other traffic as the program would', () => {
    const mix = { fibre: 0, '4g': 0, cable: 5 };
    const { advice, tree } = report.concludeFor(mix);
    const concluded = report.conditions.map((each) => ({ ...each, profile: `${each.link.name}` }));
    const asked = {
      conditions: concluded,
      arms: page.arms,
      rule: summary.rule,
      served: 'h2',
      metric: 'plt',
      mix,
    } as const;
    const expected = conclude(asked, report.decisions());
    expect(advice).toEqual(expected.advice);
    expect(tree).toEqual(expected.tree!.tree);
    expect(advice!.serve).toBe('h2');
  });
});

/** What is packed is rounded to microseconds. */
function rounded(_: string, value: unknown): unknown {
  return typeof value === 'number' ? Number(value.toFixed(1)) : value;
}

describe('a condition in words', () => {
  const report = openReport(smallPage({ unmeasured: 1, blocks: 5 }).page);
  test.each([
    [0, /^Serve HTTP\/3\. Pages load 50 % faster than with HTTP\/2 \(95 % interval .*\)\. That is \w+\.$/],
    [1, /^Serve HTTP\/3, HTTP\/1.1 or HTTP\/2\. .* HTTP\/1.1 and HTTP\/2 are within 3 % of the best too\./],
    [2, /^Keep HTTP\/2\. HTTP\/3 is within 3 % of the best too\. With HTTP\/1.1 pages take 100 % longer\./],
    [5, /^Serve HTTP\/3\. Pages load .* than with HTTP\/2\. It was not measured: the tree predicts it\.$/],
  ])('%i', (index, says) => {
    expect(tellCondition(report, report.conditions[index]!).replaceAll('\u00a0', ' ')).toMatch(says);
  });
  test('what is kept stands beside the arm that is advised for everything, be it the next best or not', () => {
    const { page } = smallPage();
    const rivals = (['h1', 'h3'] as const).map((serve) => {
      const summary = { ...page.summary, advice: { ...page.summary.advice!, serve } };
      const advised = openReport({ ...page, summary });
      return tellCondition(advised, advised.conditions[5]!).replaceAll('\u00a0', ' ');
    });
    expect(rivals).toEqual([
      'Keep HTTP/2. With HTTP/1.1, as advised for everything, pages load 28 % slower than with HTTP/2. That is proven.',
      'Keep HTTP/2. With HTTP/3, as advised for everything, pages load 25 % slower than with HTTP/2. That is proven.',
    ]);
  });
  test.each([
    [0, 'Not measured yet.'],
    [1, 'One block only, which is too few to say.'],
    [7, 'No load finished.'],
  ])('without an answer: %i blocks', (blocks, says) => {
    expect(tellCondition(report, { lead: undefined, blocks })).toBe(says);
  });
});

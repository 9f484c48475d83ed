import { describe, expect, test } from '@jest/globals';
import { judgeGate } from '../../harness/gate/judge-gate.ts';
import type { Check, GateCondition, GateLimits } from '../../harness/model/gate.ts';
import type { Times } from '../comparison/blocks.ts';
import { gateCondition, gateStudy } from './gate-studies.ts';

const NEVER = Number.POSITIVE_INFINITY;
const NONE: GateLimits = { maxPlt: [] };
const judge = (conditions: readonly GateCondition[], limits: Partial<GateLimits>, strict = false) =>
  judgeGate({ study: gateStudy(conditions), served: 'h2', limits: { ...NONE, ...limits }, strict });
/** Half of the blocks one time, half the other: the interval holds both. */
const between = (low: number, high: number): Times => [low, high];

describe('regret: how much longer the arm that is served takes than the fastest', () => {
  test.each<[string, number, Record<string, Times>, Partial<GateCondition>, Partial<Check>]>([
    ['the fastest has none', 20, { h2: 900, h3: 1000 }, {}, { outcome: 'held', estimate: 0, low: 0, high: 0 }],
    ['as much as is allowed', 20, { h2: 1050, h3: 1000 }, {}, { outcome: 'held', estimate: 5, high: 5 }],
    ['more than is allowed', 20, { h2: 1060, h3: 1000 }, {}, { outcome: 'broken', estimate: 6, low: 6 }],
    ['the limit lies within', 20, { h2: between(1000, 1100), h3: 1000 }, {}, { outcome: 'unknown', low: 0, high: 10 }],
    ['of several the fastest counts', 20, { h1: 1000, h2: 1060, h3: 800 }, {}, { outcome: 'broken', against: 'h3' }],
    ['five blocks are enough where they were asked for', 5, { h2: 1060, h3: 1000 }, {}, { outcome: 'broken' }],
    ['four are not', 4, { h2: 1060, h3: 1000 }, {}, { outcome: 'unknown', low: 0, high: NEVER }],
    [
      'nor are six where one may have stopped for them',
      6,
      { h2: 1060, h3: 1000 },
      { isFixed: false },
      { outcome: 'unknown' },
    ],
    ['seven are', 7, { h2: 1060, h3: 1000 }, { isFixed: false }, { outcome: 'broken' }],
    ['an arm that fails', 20, { h2: 'failed', h3: 1000 }, {}, { outcome: 'broken', low: NEVER, failed: 20 }],
    ['another that fails is not ahead', 20, { h2: 1000, h3: 'failed' }, {}, { outcome: 'held', high: 0 }],
    [
      'where both fail nobody knows',
      20,
      { h2: 'failed', h3: 'failed' },
      {},
      { outcome: 'unknown', low: 0, high: NEVER },
    ],
    [
      'where only one of two others is to be compared with, that one is',
      20,
      { h2: 'failed', h1: 'failed', h3: 1000 },
      {},
      { outcome: 'broken', against: 'h3', estimate: NEVER, low: NEVER },
    ],
    [
      'nothing rests on too many void trials',
      20,
      { h2: 1060, h3: 1000 },
      { unfit: 'void' },
      { outcome: 'unknown', unfit: 'void' },
    ],
  ])('%s', (_, count, times, more, expected) => {
    const { checks } = judge([gateCondition('4g', count, times, more)], { maxRegret: 0.05 });
    const close = Object.entries(expected).map(([key, value]) => [
      key,
      typeof value === 'number' && Number.isFinite(value) ? expect.closeTo(value, 6) : value,
    ]);
    expect(checks).toEqual([expect.objectContaining({ kind: 'max-regret', arm: 'h2', ...Object.fromEntries(close) })]);
  });

  describe('a verdict of the study tells too, but rings no alarm', () => {
    const few = { h2: 1060, h3: 1000 };
    test.each([
      ['it is faster', { a: 'h3', b: 'h2', verdict: 'b' }, 0.05, 'held'],
      ['they tie', { a: 'h3', b: 'h2', verdict: 'tie' }, 0.05, 'held'],
      [
        'they tie, and less is allowed than what is called a tie',
        { a: 'h3', b: 'h2', verdict: 'tie' },
        0.03,
        'unknown',
      ],
      ['it is slower', { a: 'h3', b: 'h2', verdict: 'a' }, 0, 'unknown'],
      ['nothing', { a: 'h3', b: 'h2', verdict: 'undecided' }, 0.05, 'unknown'],
    ] as const)('%s', (_, verdict, maxRegret, outcome) => {
      const condition = gateCondition('4g', 4, few, { isFixed: false, verdicts: [verdict] });
      expect(judge([condition], { maxRegret }).outcome).toBe(outcome);
    });
  });

  test('over the traffic it is the mean, by the parts that conditions have of it', () => {
    const conditions = [
      gateCondition('4g', 20, { h2: 1100, h3: 1000 }, { weight: 3 }),
      gateCondition('cable', 20, { h2: 1000, h3: 1100 }, { weight: 5 }),
      gateCondition('train', 20, { h2: 1020, h3: 1000 }, { weight: 2 }),
      gateCondition('fibre', 20, { h2: 5000, h3: 1000 }, { weight: 0 }),
    ];
    const { checks } = judge(conditions, { maxMixRegret: 0.03 });
    const mean = expect.closeTo(0.3 * 10 + 0.2 * 2, 6);
    expect(checks).toEqual([
      expect.objectContaining({ kind: 'max-mix-regret', low: mean, estimate: mean, high: mean, outcome: 'broken' }),
    ]);
    expect(judge(conditions, { maxMixRegret: 0.035 }).outcome).toBe('held');
    const [first, ...others] = conditions;
    const [check] = judge([{ ...first!, unfit: 'not measured' }, ...others], { maxMixRegret: 0.035 }).checks;
    expect(check).toMatchObject({ outcome: 'unknown', high: NEVER, unfit: 'nothing is known of 4g' });
  });
});

describe('load time', () => {
  const limit = { asked: '', arm: 'h3', ms: 1000 };
  test.each<[string, number, Times, Partial<Check>]>([
    ['as long as is allowed', 20, 1000, { outcome: 'held', high: 1000 }],
    ['longer', 20, 1001, { outcome: 'broken', low: 1001 }],
    ['the limit lies within', 20, between(900, 1200), { outcome: 'unknown', low: 900, estimate: 1050, high: 1200 }],
    ['too few', 4, 2000, { outcome: 'unknown', low: 0, high: NEVER }],
    [
      'most loads fail',
      20,
      ['failed', 'failed', 'failed', 'failed', 900],
      { outcome: 'broken', low: NEVER, failed: 16 },
    ],
    ['few loads fail', 20, [...Array.from({ length: 19 }, () => 900), 'failed'], { outcome: 'held', failed: 1 }],
  ])('%s', (_, count, h3, expected) => {
    const { checks } = judge([gateCondition('4g', count, { h2: 1, h3 })], { maxPlt: [limit] });
    expect(checks).toEqual([expect.objectContaining({ kind: 'max-plt', arm: 'h3', limit: 1000, ...expected })]);
  });

  test('is the page load time, whatever it is that decides', () => {
    const condition = gateCondition('4g', 20, { h2: 1, h3: 500 });
    const plts = gateCondition('4g', 20, { h2: 1, h3: 2000 }).blocks;
    expect(judge([{ ...condition, plts }], { maxPlt: [limit] }).outcome).toBe('broken');
  });

  test.each([
    [{}, ['a 4g', 'a cable', 'b 4g']],
    [{ link: '4g' }, ['a 4g', 'b 4g']],
    [{ site: 'a' }, ['a 4g', 'a cable']],
    [{ link: '4g', site: 'b' }, ['b 4g']],
  ])('of %j: %j', (which, titles) => {
    const conditions = titlesOf(['a 4g', 'a cable', 'b 4g']);
    const { checks } = judge(conditions, { maxPlt: [{ ...limit, ...which }] });
    expect(checks.map(({ title }) => title)).toEqual(titles);
  });

  function titlesOf(titles: readonly string[]) {
    return titles.map((title) => {
      const [site, link] = title.split(' ') as [string, string];
      return { ...gateCondition(title, 20, { h2: 1, h3: 1 }), site, link };
    });
  }
});

describe('the whole traffic', () => {
  const conditions = [
    gateCondition('4g', 20, { h2: 1100, h3: 1000 }),
    gateCondition('cable', 20, { h2: 1000, h3: 1000 }),
  ];
  const hold = (maxMixRegret: number, unmeasured: readonly string[], share = 1) => {
    const study = gateStudy(conditions);
    const weighed = study.conditions.map((each) => ({ ...each, weight: share * each.weight }));
    const request = { served: 'h2', limits: { ...NONE, maxMixRegret }, strict: false };
    return judgeGate({ ...request, study: { ...study, conditions: weighed, unmeasured } }).checks[0]!;
  };
  test('is what was measured, where all of it was', () => {
    expect(hold(0.06, [])).toMatchObject({ outcome: 'held', estimate: expect.closeTo(5) });
  });
  test('what was not measured of it may be anything', () => {
    expect(hold(0.06, ['3g'], 0.9)).toMatchObject({ outcome: 'unknown', unfit: 'nothing is known of 3g', high: NEVER });
  });
  test('but never makes up for the rest', () => {
    expect(hold(0.04, ['3g'], 0.9)).toMatchObject({ outcome: 'broken', low: expect.closeTo(4.5) });
  });
});

test('an arm that was chosen for what was measured might have been any of them', () => {
  const study = gateStudy([
    gateCondition('4g', 20, { h1: 1, h2: 1, h3: 1 }),
    gateCondition('cable', 20, { h1: 1, h2: 1, h3: 1 }),
  ]);
  const request = { study, served: 'h2', limits: { ...NONE, maxRegret: 0.05 }, strict: false };
  expect(judgeGate(request).comparisons).toBe(4);
  expect(judgeGate({ ...request, chosen: true }).comparisons).toBe(12);
});

describe('no slower than an earlier study, by more than the rule asks of a winner', () => {
  const hold = (before: GateCondition, now: GateCondition, arms = ['h2']) =>
    judgeGate({
      study: gateStudy([now]),
      served: 'h2',
      limits: NONE,
      strict: false,
      baseline: { study: gateStudy([before]), arms },
    }).checks;

  test.each<[string, Times, Times, Partial<GateCondition>, Partial<Check>]>([
    ['as fast', 1000, 1000, {}, { outcome: 'held', estimate: 0 }],
    ['faster', 1000, 500, {}, { outcome: 'held', estimate: -50, high: -50 }],
    ['slower by what is allowed', 1000, 1030, {}, { outcome: 'held', estimate: 3 }],
    ['slower by more', 1000, 1031, {}, { outcome: 'broken', estimate: 3.1, low: 3.1 }],
    ['slower now and then', 1000, between(1000, 1100), {}, { outcome: 'unknown', low: 0, high: 10 }],
    ['one failed then, one now', ['failed', 1000, 1000, 1000], [1000, 1000, 1000, 'failed'], {}, { outcome: 'held' }],
    ['fails now', 1000, 'failed', {}, { outcome: 'broken', low: NEVER, failed: 20 }],
    ['failed then', 'failed', 1000, {}, { outcome: 'held', high: -100 }],
    ['fails as it did', 'failed', 'failed', {}, { outcome: 'held', estimate: 0 }],
    ['void too often then', 1000, 2000, { unfit: 'void' }, { outcome: 'unknown', unfit: 'then: void' }],
  ])('%s', (_, then, now, more, expected) => {
    const close = Object.entries(expected).map(([key, value]) => [
      key,
      typeof value === 'number' && Number.isFinite(value) ? expect.closeTo(value, 6) : value,
    ]);
    const checks = hold(
      gateCondition('4g', 20, { h2: then, h3: 1 }, more),
      gateCondition('4g', 20, { h2: now, h3: 1 }),
    );
    expect(checks).toEqual([expect.objectContaining({ kind: 'no-slower-than', ...Object.fromEntries(close) })]);
  });

  test('conditions are found by what they are, not by where they stand', () => {
    const [fast, slow] = [gateCondition('fibre', 20, { h2: 100, h3: 1 }), gateCondition('4g', 20, { h2: 900, h3: 1 })];
    const { outcome } = judgeGate({
      study: gateStudy([fast, slow]),
      served: 'h2',
      limits: NONE,
      strict: false,
      baseline: { study: gateStudy([slow, fast]), arms: ['h2', 'h3'] },
    });
    expect(outcome).toBe('held');
  });

  test('a study that stopped when it knew rests on fewer of the differences', () => {
    const [then, now] = [gateCondition('4g', 8, { h2: 1000 }), gateCondition('4g', 8, { h2: 1100 })];
    expect(hold(then, now)[0]!.outcome).toBe('broken');
    const few = (condition: GateCondition) => ({ ...condition, blocks: condition.blocks.slice(0, 6) });
    expect(hold(few(then), few(now))[0]!.outcome).toBe('broken');
    expect(hold(few(then), { ...few(now), isFixed: false })[0]!.outcome).toBe('unknown');
  });
});

describe('as a whole', () => {
  const kept = gateCondition('kept', 20, { h2: 1000, h3: 1000 });
  const unclear = gateCondition('unclear', 20, { h2: between(1000, 1200), h3: 1000 });
  const lost = gateCondition('lost', 20, { h2: 1200, h3: 1000 });
  test.each([
    [[kept], false, 'held', true],
    [[kept], true, 'held', true],
    [[kept, unclear], false, 'unknown', true],
    [[kept, unclear], true, 'unknown', false],
    [[kept, unclear, lost], false, 'broken', false],
  ] as const)('%#', (conditions, strict, outcome, passed) => {
    expect(judge(conditions, { maxRegret: 0.05 }, strict)).toMatchObject({ outcome, passed });
  });

  test('the more is asked, the wider each interval: what alone is proven may not be among others', () => {
    const alone = gateCondition('4g', 6, { h1: 2000, h2: 1060, h3: 1000 });
    expect(judge([alone], { maxRegret: 0.05 })).toMatchObject({ comparisons: 2, outcome: 'broken' });
    const maxPlt = ['h1', 'h2', 'h3'].map((arm) => ({ asked: '', arm, ms: 9000 }));
    const among = judge([alone], { maxRegret: 0.05, maxMixRegret: 0.05, maxPlt });
    expect(among).toMatchObject({ comparisons: 5, outcome: 'unknown' });
    // However many conditions were never measured: their number is known beforehand.
    expect(judge([alone, { ...alone, unfit: 'not measured' }], { maxRegret: 0.05 }).comparisons).toBe(4);
  });
});

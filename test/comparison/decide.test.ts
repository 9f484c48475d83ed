import { describe, expect, test } from '@jest/globals';
import { gainOf, marginOf, surenessOf } from '../../harness/comparison/decide.ts';
import { RULES } from '../../harness/comparison/rules.ts';
import { around, decideOn } from './decisions.ts';

const SEEDS = Array.from({ length: 10 }, (_, seed) => seed);

describe('a clear winner', () => {
  test.each(SEEDS)('is sure after three blocks with noise of 1 %%: seed %i', (seed) => {
    const times = {
      h1: around(1200, 0.01, 3 * seed),
      h2: around(1000, 0.01, 3 * seed + 1),
      h3: around(800, 0.01, 3 * seed + 2),
    };
    const { answer } = decideOn(times, { blocks: 3, seed })!;
    expect(answer).toMatchObject({ condition: 'c', serve: 'h3', asGood: [], sureness: 'sure', blocks: 3 });
    expect(answer.arms.h3).toEqual({ regretPercent: 0, bestChance: 1, withinChance: 1 });
    expect(answer.regretPercent).toBe(0);
    expect(answer.chanceAboveMargin).toBe(0);
    // A quarter more and half as much again, give or take the noise of three blocks.
    expect(Math.abs(answer.arms.h2!.regretPercent - 25)).toBeLessThan(4);
    expect(Math.abs(answer.arms.h1!.regretPercent - 50)).toBeLessThan(6);
    expect(answer.arms.h2!.withinChance).toBe(0);
  });

  test('is told by its whole gain, where the other never loads and it fails now and then', () => {
    const times = { h2: 'failed', h3: [1000, 1010, 'failed'] } as const;
    const { answer } = decideOn(times, { blocks: 30 })!;
    expect(answer).toMatchObject({ serve: 'h3', sureness: 'sure' });
    // A failed load takes the timeout, of which at most 95 % can be gained.
    expect(answer.gain.percent).toBeCloseTo(95, 0);
  });

  test('two blocks are never sure', () => {
    const times = { h2: 1000, h3: 500 };
    expect(decideOn(times, { blocks: 2 })!.answer).toMatchObject({ serve: 'h3', sureness: 'likely', blocks: 2 });
    expect(decideOn(times, { blocks: 3 })!.answer.sureness).toBe('sure');
  });

  test('its draws say by how much', () => {
    const { slowdowns, answer } = decideOn({ h2: 1000, h3: 800 }, { blocks: 12 })!;
    expect(Math.min(...slowdowns.h3!, ...slowdowns.h2!)).toBe(1);
    expect([...slowdowns.h2!].every((slowdown) => Math.abs(slowdown - 1.25) < 0.05)).toBe(true);
    const mean = slowdowns.h2!.reduce((sum, slowdown) => sum + slowdown, 0) / slowdowns.h2!.length;
    expect(answer.arms.h2!.regretPercent).toBeCloseTo(100 * (mean - 1), 9);
  });
});

describe('where the times of an arm are scattered', () => {
  // So far every load of h2 lost a packet. Those that lose none may take a ninth of that.
  const times = { h2: 9000, h3: 1200 };
  const answerAfter = (blocks: number, spread: number) => decideOn(times, { blocks, spread })!;

  test.each([
    [3, 0.36, 'likely'],
    [9, 0.36, 'likely'],
    [10, 0.36, 'sure'],
    [3, 0.34, 'sure'],
  ])('an answer after %i blocks, with a spread of %d, is %s', (blocks, spread, sureness) => {
    const { answer } = answerAfter(blocks, spread);
    expect(answer).toMatchObject({ serve: 'h3', sureness, blocks });
    expect(answer.chanceAboveMargin).toBeLessThan(0.05);
  });

  test('how many blocks it takes is known from the first answer on', () => {
    expect([answerAfter(2, 0.34), answerAfter(2, 0.36)].map(({ fewestBlocks }) => fewestBlocks)).toEqual([3, 10]);
  });

  test.each([[[0.36, 0.01]], [[0.01, 0.36]]])('one of the arms is enough: %j', (spreads) => {
    expect(decideOn(times, { blocks: 5, spreads })!.answer.sureness).toBe('likely');
  });
});

describe('as good', () => {
  test.each(SEEDS)('are arms that take the same: seed %i', (seed) => {
    const { answer } = decideOn(
      { h2: around(1000, 0.01, 2 * seed), h3: around(1000, 0.01, 2 * seed + 1) },
      { blocks: 12, seed },
    )!;
    expect([answer.serve, ...answer.asGood].sort()).toEqual(['h2', 'h3']);
    expect(answer.sureness).toBe('sure');
    expect(answer.regretPercent).toBeLessThan(1);
  });

  test.each<[string, number, readonly string[]]>([
    ['2 % slower is', 1020, ['h2']],
    ['4 % slower is not', 1040, []],
  ])('%s', (_, h2, asGood) => {
    expect(decideOn({ h2, h3: 1000 }, { blocks: 20, spread: 0.002 })!.answer).toMatchObject({ serve: 'h3', asGood });
  });

  test('the rule of 2015 allows 10 %', () => {
    const answerBy = (rule: keyof typeof RULES, h2: number) =>
      decideOn({ h2, h3: 1000 }, { blocks: 20, spread: 0.002, rule: RULES[rule] })!.answer;
    expect(answerBy('kramer2015', 1080).asGood).toEqual(['h2']);
    expect(answerBy('kramer2015', 1120).asGood).toEqual([]);
    expect(answerBy('default', 1080).asGood).toEqual([]);
    expect(marginOf(RULES.kramer2015)).toBe(1.1);
  });
});

test('where little is known nothing is sure, and what it may cost is said', () => {
  const { answer } = decideOn({ h2: around(1000, 0.5, 1), h3: around(1000, 0.5, 2) }, { blocks: 4, spread: 0.5 })!;
  expect(answer.sureness).toBe('open');
  expect(answer.regretPercent).toBeGreaterThan(3);
  expect(answer.chanceAboveMargin).toBeGreaterThan(0.2);
  const { regretPercent, bestChance, withinChance } = answer.arms[answer.serve]!;
  expect(regretPercent).toBe(answer.regretPercent);
  expect(withinChance).toBeCloseTo(1 - answer.chanceAboveMargin!, 12);
  expect(bestChance).toBeLessThanOrEqual(withinChance);
});

describe('loads that fail', () => {
  const oneOf18 = [...Array.from({ length: 17 }, () => 1000), 'failed' as const];

  test('one in eighteen makes an arm worse than another that is as fast', () => {
    const { answer } = decideOn({ h2: 1000, h3: oneOf18 }, { blocks: 18, timeoutMs: 120_000 })!;
    expect(answer).toMatchObject({ serve: 'h2', asGood: [] });
    expect(answer.arms.h3!.failedLoads).toBe(1);
    expect(answer.arms.h2!.failedLoads).toBeUndefined();
  });

  test('an arm that is somewhat faster, too', () => {
    const faster = oneOf18.map((time) => (time === 'failed' ? time : 900));
    expect(decideOn({ h2: 1000, h3: faster }, { blocks: 18 })!.answer).toMatchObject({ serve: 'h2', asGood: [] });
  });

  test('where all arms fail alike none is the worse for it', () => {
    const { answer } = decideOn(
      { h2: oneOf18, h3: oneOf18.map((time) => (time === 1000 ? 800 : time)) },
      { blocks: 36 },
    )!;
    expect(answer.serve).toBe('h3');
    expect(answer.arms.h2!.failedLoads).toBeUndefined();
    expect(answer.arms.h3!.failedLoads).toBeUndefined();
  });

  test('no more often than one in fifty is not said to fail', () => {
    const oneOf60 = [...Array.from({ length: 59 }, () => 1000), 'failed' as const];
    expect(decideOn({ h2: 1000, h3: oneOf60 }, { blocks: 60 })!.answer.arms.h3!.failedLoads).toBeUndefined();
  });

  test.each([
    ['slow', 50_000],
    ['quick', 100],
  ])('an arm that always fails is never served, beside one that is %s', (_, ms) => {
    const { answer, slowdowns } = decideOn({ h2: 'failed', h3: ms }, { blocks: 3 })!;
    expect(answer).toMatchObject({ serve: 'h3', asGood: [], sureness: 'sure' });
    expect(answer.arms.h2).toMatchObject({ failedLoads: 3, withinChance: 0, bestChance: 0 });
    expect([...slowdowns.h2!].every(Number.isFinite)).toBe(true);
  });

  test('where every load of every arm failed nothing is decided', () => {
    expect(decideOn({ h2: 'failed', h3: 'failed' })).toBeUndefined();
    const once = ['failed', 'failed', 'failed', 1000] as const;
    expect(decideOn({ h2: 'failed', h3: once })!.answer.serve).toBe('h3');
  });
});

describe('the gain over what is served today', () => {
  test.each<[string, string, number]>([
    ['h2', 'h3', 20],
    ['h1', 'h3', 33.3],
  ])('over %s', (served, serve, percent) => {
    const { answer } = decideOn({ h1: 1200, h2: 1000, h3: 800 }, { served, blocks: 20 })!;
    expect(answer).toMatchObject({ serve, gain: { over: served } });
    expect(Math.abs(answer.gain.percent - percent)).toBeLessThan(1);
    const [low, high] = answer.gain.interval;
    expect(low).toBeLessThanOrEqual(answer.gain.percent);
    expect(high).toBeGreaterThanOrEqual(answer.gain.percent);
    expect(high - low).toBeLessThan(4);
    expect(low).toBeLessThan(percent);
    expect(high).toBeGreaterThan(percent);
  });

  test('is nothing where that is served already, and no negative zero', () => {
    const { gain } = decideOn({ h2: 800, h3: 1000 })!.answer;
    expect(gain).toEqual({ over: 'h2', percent: 0, interval: [0, 0] });
    expect([gain.percent, ...gain.interval].map((each) => Object.is(each, 0))).toEqual([true, true, true]);
  });

  test('its interval holds 95 % of the draws', () => {
    const draws = Float64Array.from({ length: 1000 }, (_, draw) => 1 - draw / 1000);
    const { percent, interval } = gainOf(draws, new Float64Array(1000).fill(1), 'h2');
    expect(percent).toBeCloseTo(50, 0);
    expect(interval[0]).toBeCloseTo(2.5, 0);
    expect(interval[1]).toBeCloseTo(97.5, 0);
  });
});

describe('whatever there is', () => {
  test.each([0, 1])('%i blocks decide nothing', (blocks) => {
    expect(decideOn({ h2: 1000, h3: 900 }, { blocks })).toBeUndefined();
  });

  test('an arm alone is served', () => {
    expect(decideOn({ h2: around(1000, 0.5, 1) })!.answer).toMatchObject({
      serve: 'h2',
      asGood: [],
      sureness: 'sure',
      regretPercent: 0,
      chanceAboveMargin: 0,
      arms: { h2: { regretPercent: 0, bestChance: 1, withinChance: 1 } },
    });
  });

  test('of seven arms the best', () => {
    const times = Object.fromEntries(
      Array.from({ length: 7 }, (_, arm) => [`arm ${arm}`, around(1000 + 100 * ((arm + 4) % 7), 0.01, arm)]),
    );
    const { answer } = decideOn(times, { served: 'arm 0' })!;
    expect(answer).toMatchObject({ serve: 'arm 3', asGood: [], sureness: 'sure' });
    expect(Object.keys(answer.arms)).toEqual(Object.keys(times));
  });

  test('the same seed draws the same, and another condition something else', () => {
    const times = { h2: around(1000, 0.2, 1), h3: around(1000, 0.2, 2) };
    const draws = (seed: number, condition: string) => [...decideOn(times, { seed, condition })!.slowdowns.h2!];
    expect(draws(1, 'c')).toEqual(draws(1, 'c'));
    expect(draws(1, 'c')).not.toEqual(draws(2, 'c'));
    expect(draws(1, 'c')).not.toEqual(draws(1, 'd'));
  });

  test('all numbers are finite, whatever the times', () => {
    const wild = [1, 100_000, 'failed', 3, 59_999] as const;
    const { answer, slowdowns } = decideOn({ h1: wild, h2: [...wild].reverse(), h3: 'failed' }, { spread: 3 })!;
    for (const draws of Object.values(slowdowns))
      expect([...draws].every((each) => each >= 1 && each < 1e12)).toBe(true);
    for (const { regretPercent } of Object.values(answer.arms)) expect(Number.isFinite(regretPercent)).toBe(true);
  });
});

test.each<[number, boolean, string]>([
  [0, true, 'sure'],
  [0.0499, true, 'sure'],
  [0.05, true, 'likely'],
  [0, false, 'likely'],
  [0.1999, true, 'likely'],
  [0.1999, false, 'likely'],
  [0.2, true, 'open'],
  [1, true, 'open'],
  [0.2, false, 'open'],
])('a chance of %d to be beyond the margin, with blocks enough (%j): %s', (chance, areEnough, sureness) => {
  expect(surenessOf(chance, areEnough)).toBe(sureness);
});

import { describe, expect, test } from '@jest/globals';
import { combineDecisions, gainOver } from '../../harness/comparison/combine.ts';
import { RULES } from '../../harness/comparison/rules.ts';
import type { Decision } from '../../harness/model/answer.ts';
import { decisionOf, knownDecision } from './decisions.ts';

const ASKED = { arms: ['h1', 'h2', 'h3'], rule: RULES.default, served: 'h2' } as const;

const combine = (...weighted: readonly (readonly [decision: Decision, weight: number])[]) =>
  combineDecisions(
    weighted.map(([decision, weight]) => ({ decision, weight })),
    ASKED,
  );

const h3Wins = knownDecision('a', { h1: 1.5, h2: 1.25, h3: 1 });
const h3Loses = knownDecision('b', { h1: 1.1, h2: 1, h3: 1.1 });

describe('what is served to several conditions alike', () => {
  test('is what costs least on average', () => {
    const both = combine([h3Wins, 1], [h3Loses, 1]);
    expect(both).toMatchObject({ serve: 'h3', asGood: [], sureness: 'sure' });
    expect(both.regretPercent).toBeCloseTo(5, 9);
    expect(both.interval).toEqual([expect.closeTo(5, 9), expect.closeTo(5, 9)]);
    // 1.05 over 1.125.
    expect(both.gain).toEqual({ over: 'h2', percent: expect.closeTo(6.667, 2), interval: expect.anything() });
  });

  test('in this traffic', () => {
    // h3 costs 0.1 of nine parts, h2 0.25 of one.
    const { serve, regretPercent, gain } = combine([h3Wins, 1], [h3Loses, 9]);
    expect([serve, gain.percent]).toEqual(['h2', 0]);
    expect(regretPercent).toBeCloseTo(2.5, 9);
    // Weights are of any unit.
    expect(combine([h3Wins, 100], [h3Loses, 900]).regretPercent).toBeCloseTo(2.5, 9);
  });

  test('or what was asked for', () => {
    const asked = combineDecisions([{ decision: h3Loses, weight: 1 }], ASKED, 'h3');
    expect(asked).toMatchObject({ serve: 'h3', asGood: [], sureness: 'open' });
    expect(asked.regretPercent).toBeCloseTo(10, 9);
    expect(asked.gain.percent).toBeCloseTo(-10, 9);
  });

  test('of one condition is what that one says', () => {
    const decision = decisionOf('c', { h1: [1.2, 1], h2: [1, 1, 1, 1, 1.02], h3: [1.04, 1, 1.01, 1, 1] });
    const { serve, asGood, regretPercent, sureness } = combine([decision, 3]);
    const { answer } = decision;
    expect({ serve, asGood, sureness }).toEqual({ serve: answer.serve, asGood: ['h3'], sureness: 'sure' });
    expect(regretPercent).toBeCloseTo(answer.regretPercent, 9);
  });
});

test('times count over each condition’s own, so that slow pages do not drown quick ones', () => {
  const decisions = [1, 1000].map((factor) => knownDecision(`${factor}`, { h1: 2, h2: 1, h3: 1.4 }));
  expect(combine([decisions[0]!, 1], [decisions[1]!, 1]).gain.percent).toBe(0);
});

describe('as good', () => {
  test('is what is within the margin over all of it, though not in each', () => {
    const here = knownDecision('here', { h1: 1.3, h2: 1, h3: 1.05 });
    const there = knownDecision('there', { h1: 1.3, h2: 1.05, h3: 1 });
    // 0.4 % apart on average.
    expect(combine([here, 1], [there, 1.2])).toMatchObject({ serve: 'h3', asGood: ['h2'] });
    expect(combine([here, 1], [there, 9])).toMatchObject({ serve: 'h3', asGood: [] });
  });

  test('takes a chance of 80 %', () => {
    const within = (share: number) =>
      decisionOf('c', {
        h1: [1.5],
        h2: [1],
        h3: Array.from({ length: 100 }, (_, draw) => (draw < share ? 1.02 : 1.2)),
      });
    expect(combine([within(80), 1]).asGood).toEqual(['h3']);
    expect(combine([within(79), 1]).asGood).toEqual([]);
  });
});

describe('how sure', () => {
  const doubtful = (chance: number) =>
    decisionOf('c', {
      h1: [1.9],
      h2: Array.from({ length: 100 }, (_, draw) => (draw < chance ? 1.1 : 1)),
      h3: Array.from({ length: 100 }, (_, draw) => (draw < chance ? 1 : 1.4)),
    });
  test.each([
    [4, 'sure'],
    [5, 'likely'],
    [19, 'likely'],
    [21, 'open'],
  ])('where the chance to be beyond the margin is %i %%: %s', (chance, sureness) => {
    expect(combine([doubtful(chance), 1])).toMatchObject({ serve: 'h2', sureness });
  });

  test('proven where it is so everywhere, of this arm', () => {
    const proven = (condition: string, best: 'h2' | 'h3') =>
      knownDecision(
        condition,
        { h1: 1.5, h2: best === 'h2' ? 1 : 1.01, h3: best === 'h3' ? 1 : 1.2 },
        { sureness: 'proven' },
      );
    expect(combine([proven('a', 'h2'), 1], [proven('b', 'h2'), 1]).sureness).toBe('proven');
    expect(combine([proven('a', 'h2'), 1], [proven('b', 'h3'), 1])).toMatchObject({ serve: 'h2', sureness: 'sure' });
    expect(combine([proven('a', 'h2'), 1], [knownDecision('b', { h1: 1.5, h2: 1, h3: 1.2 }), 1]).sureness).toBe('sure');
  });

  test.each([
    [2, 3],
    [9, 10],
  ])('never where more than a fifth rests on %i blocks, and is sure from %i blocks on', (blocks, fewestBlocks) => {
    const early = (less: number) => ({
      ...knownDecision('c', { h1: 2, h2: 1, h3: 2 }, { blocks }),
      fewestBlocks: fewestBlocks - less,
    });
    const surenessWith = (less: number, weight: number) => combine([early(less), weight], [h3Loses, 4]).sureness;
    expect([surenessWith(0, 1.01), surenessWith(1, 1.01)]).toEqual(['likely', 'sure']);
    expect(surenessWith(0, 1)).toBe('sure');
  });
});

test('draws of different conditions even out', () => {
  const random = (condition: string, shift: number) =>
    decisionOf(condition, {
      h1: [2],
      h2: [1],
      h3: Array.from({ length: 100 }, (_, draw) => 1 + ((draw * 37 + shift) % 100) / 100),
    });
  const widthOf = (count: number) => {
    const [low, high] = combineDecisions(
      Array.from({ length: count }, (_, place) => ({ decision: random(`${place}`, place * place * 13), weight: 1 })),
      ASKED,
      'h3',
    ).interval;
    return high - low;
  };
  expect(widthOf(1)).toBeGreaterThan(90);
  expect(widthOf(16)).toBeLessThan(60);
});

describe('the gain of any arm over what is served today', () => {
  const weighted = [
    { decision: h3Wins, weight: 1 },
    { decision: h3Loses, weight: 1 },
  ];
  test.each([
    ['h3', 100 * (1 - 1.05 / 1.125)],
    ['h2', 0],
    ['h1', 100 * (1 - 1.3 / 1.125)],
  ])('%s', (arm, percent) => {
    expect(gainOver(weighted, arm, ASKED)).toEqual({
      over: 'h2',
      percent: expect.closeTo(percent, 9),
      interval: [expect.closeTo(percent, 9), expect.closeTo(percent, 9)],
    });
  });
});

import { describe, expect, test } from '@jest/globals';
import { advisedInstead, deedInWords, isEven, type Lead, leadOf, meaningOf } from '../../harness/findings/lead.ts';
import type { AnswerSummary, ConditionSummary } from '../../harness/findings/summary.ts';
import { SURENESS } from '../../harness/model/answer.ts';

const outlook = (regretPercent: number) => ({ regretPercent, bestChance: 0, withinChance: 0 });
const ARMS = { h1: {}, h2: {}, h3: {} } as unknown as ConditionSummary['arms'];

function answer(change: Partial<AnswerSummary>): AnswerSummary {
  return {
    serve: 'h3',
    asGood: [],
    sureness: 'sure',
    regretPercent: 0,
    chanceAboveMargin: 0.01,
    settled: true,
    blocks: 5,
    gain: { over: 'h2', percent: 10, interval: [8, 12] },
    arms: { h1: outlook(32), h2: outlook(12), h3: outlook(0) },
    ...change,
  };
}

test.each<[string, Partial<AnswerSummary>, Partial<Lead>]>([
  ['one arm', {}, { serve: 'h3', arms: ['h3'], keeps: false, predicted: false, next: nextArm('h2', 12) }],
  [
    'arms that are as good, in the order of the study',
    { asGood: ['h1'] },
    { serve: 'h3', asGood: ['h1'], arms: ['h1', 'h3'], next: nextArm('h2', 12) },
  ],
  [
    'what is served today',
    { serve: 'h2', arms: { h1: outlook(32), h2: outlook(10), h3: outlook(65) } },
    { keeps: true, next: nextArm('h1', 20) },
  ],
])('%s', (_, change, lead) => {
  expect(leadOf({ answer: answer(change), arms: ARMS })).toMatchObject(lead);
});

function nextArm(arm: string, slowerPercent: number): NonNullable<Lead['next']> {
  return { arm, slowerPercent: expect.closeTo(slowerPercent) as unknown as number };
}

test.each<[string, Partial<AnswerSummary>, boolean]>([
  ['all arms are as good', { asGood: ['h1', 'h2'] }, false],
  ['it is predicted', { predicted: true, arms: {} }, true],
])('there is no next arm where %s', (_, change, predicted) => {
  const lead = leadOf({ answer: answer(change), arms: ARMS })!;
  expect(lead.next).toBeUndefined();
  expect(lead.predicted).toBe(predicted);
});

describe('what the advised arm does in a condition', () => {
  const instead = (advised: string | undefined, change: Partial<AnswerSummary> = {}) => {
    const own = answer({ serve: 'h1', arms: { h1: outlook(0), h2: outlook(25), h3: outlook(10) }, ...change });
    const lead = leadOf({ answer: own, arms: ARMS });
    return advisedInstead({ lead, answer: own }, advised);
  };
  test('is told beside what is served today where others are better', () => {
    expect(instead('h3')).toEqual({ arm: 'h3', gainPercent: expect.closeTo(100 * (1 - 1.1 / 1.25), 9) });
    expect(instead('h3', { serve: 'h2', arms: { h2: outlook(0), h3: outlook(20) } })!.gainPercent).toBeCloseTo(-20, 9);
  });
  test.each<[string, string | undefined, Partial<AnswerSummary>]>([
    ['no arm is advised', undefined, {}],
    ['what is served today is advised', 'h2', {}],
    ['the advised arm is best', 'h1', {}],
    ['it is as good', 'h3', { asGood: ['h3'] }],
    ['it was not measured', 'h3', { arms: { h1: outlook(0), h2: outlook(25) } }],
    ['nothing was measured', 'h3', { predicted: true, arms: {} }],
  ])('and nothing where %s', (_, advised, change) => {
    expect(instead(advised, change)).toBeUndefined();
  });
});

test('without an answer nothing leads', () => {
  expect(leadOf({ arms: ARMS })).toBeUndefined();
});

test.each([
  ['Serve HTTP/3', { serve: 'h3', asGood: [] }],
  ['Serve HTTP/3 or HTTP/1', { serve: 'h3', asGood: ['h1'] }],
  ['Serve HTTP/3, HTTP/1 or HTTP/2', { serve: 'h3', asGood: ['h1', 'h2'] }],
  ['Keep HTTP/2', { serve: 'h2', asGood: [] }],
  ['Keep HTTP/2', { serve: 'h2', asGood: ['h1', 'h3'] }],
])('%s', (says, choice) => {
  const gain = { over: 'h2', percent: 0, interval: [0, 0] } as const;
  expect(deedInWords({ ...choice, gain }, (arm) => arm.replace('h', 'HTTP/'))).toBe(says);
});

describe('what a word for sureness means', () => {
  test.each(SURENESS)('%s: a sentence', (sureness) => {
    expect(meaningOf(sureness, { advantage: 0.03 })).toMatch(/^[A-Z].*\.$/);
  });
  test('names the margin of the study’s rule', () => {
    expect(meaningOf('sure', { advantage: 0.03 })).toContain('more than 3 %');
    expect(meaningOf('likely', { advantage: 0.1 })).toContain('more than 10 %');
  });
});

test.each<[string, Partial<AnswerSummary>, string, boolean]>([
  ['the best arm, which is advised, gains less than the margin', { gain: gain(2) }, 'h3', true],
  ['the best arm gains more', { gain: gain(4) }, 'h3', false],
  ['what is served is the best, and the advised arm within the margin', keeping(2), 'h3', true],
  ['what is served is the best, and the advised arm is not', keeping(4), 'h3', false],
  ['one arm is served, advised and the best', keeping(50), 'h2', false],
  ['what is served is as good', { asGood: ['h2'], gain: gain(2) }, 'h3', true],
  [
    'the best arm and the advised one lie on either side',
    { serve: 'h1', gain: gain(2), ...outlooks(0, 2, 4) },
    'h3',
    false,
  ],
  ['one arm is served, advised and the best, and another as good', { ...keeping(50), asGood: ['h1'] }, 'h2', false],
  ['it is open', { sureness: 'open', gain: gain(2) }, 'h3', false],
  ['it is predicted', { predicted: true, gain: gain(2) }, 'h3', false],
])('whether it matters what is served, where %s', (_, change, advised, even) => {
  const own = answer(change);
  const lead = leadOf({ answer: own, arms: ARMS })!;
  expect(isEven(lead, advisedInstead({ lead, answer: own }, advised), { advised, rule: { advantage: 0.03 } })).toBe(
    even,
  );
});

function gain(percent: number): AnswerSummary['gain'] {
  return { over: 'h2', percent, interval: [percent - 1, percent + 1] };
}

function outlooks(h1: number, h2: number, h3: number): Pick<AnswerSummary, 'arms'> {
  return { arms: { h1: outlook(h1), h2: outlook(h2), h3: outlook(h3) } };
}

/** An answer that keeps what is served, with an advised arm that is slower by some percents. */
function keeping(percent: number): Partial<AnswerSummary> {
  return { serve: 'h2', gain: gain(0), ...outlooks(60, 0, percent) };
}

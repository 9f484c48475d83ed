import { describe, expect, test } from '@jest/globals';
import { deedInWords, type Lead, leadOf, meaningOf, slowerWith } from '../../harness/findings/lead.ts';
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

test('how much longer pages take with an arm than with the one to serve, where both were measured', () => {
  const own = answer({ serve: 'h2', arms: { h1: outlook(32), h2: outlook(10) } });
  expect(slowerWith('h1', own)).toEqual(nextArm('h1', 20));
  expect(slowerWith('h3', own)).toBeUndefined();
});

function nextArm(arm: string, slowerPercent: number): NonNullable<Lead['next']> {
  return { arm, slowerPercent: expect.closeTo(slowerPercent) as unknown as number };
}

test.each<[string, Partial<AnswerSummary>, boolean]>([
  ['all arms are as good', { asGood: ['h1', 'h2'] }, false],
  ['it is predicted', { predicted: true, arms: {} }, true],
])('there is no next arm where %s', (_, change, predicted) => {
  const lead = leadOf({ answer: answer(change), arms: ARMS })!;
  expect(lead).not.toHaveProperty('next');
  expect(lead.predicted).toBe(predicted);
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

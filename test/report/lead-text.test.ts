import { describe, expect, test } from '@jest/globals';
import type { Answer } from '../../harness/model/answer.ts';
import { describeCell, describePage } from '../../harness/report/lead-text.ts';

/** A condition in which HTTP/2 is kept, and HTTP/3 takes this much longer. */
function keeping(slowerPercent: number, asGood: readonly string[] = []) {
  const outlook = (regretPercent: number) => ({ regretPercent, bestChance: 0, withinChance: 0 });
  const answer: Answer = {
    condition: 'c',
    serve: 'h2',
    asGood,
    sureness: 'sure',
    regretPercent: 0,
    gain: { over: 'h2', percent: 0, interval: [0, 0] },
    settled: true,
    blocks: 3,
    arms: { h2: outlook(0), h3: outlook(slowerPercent) },
  };
  const arms = { h2: { ok: 3, failed: 0, void: 0 }, h3: { ok: 3, failed: 0, void: 0 } };
  return { answer, arms } as unknown as Parameters<typeof describeCell>[0];
}

/** A condition in which HTTP/1.1 is best, 20 % faster than HTTP/2, and HTTP/3 takes this much longer than HTTP/1.1. */
function another(slowerPercent: number) {
  const { answer, arms } = keeping(slowerPercent);
  const gain = { over: 'h2', percent: 20, interval: [15, 25] } as const;
  const h1 = { regretPercent: 0, bestChance: 1, withinChance: 1 };
  return {
    answer: { ...answer!, serve: 'h1', gain, arms: { h1, h2: { ...h1, regretPercent: 25 }, h3: answer!.arms.h3! } },
    arms: { h1: arms.h2!, ...arms },
  };
}

describe('a cell in which the advised arm is not among the best', () => {
  test.each([
    ['less than what is kept', keeping(28), 'h2* h3−28%'],
    ['as much, in whole percents, as what is kept', keeping(0.4), 'h2* h3±0%'],
    ['more than what is served today, if less than the best', another(10), 'h1* +20% h3+12%'],
    ['less than what is served today, which is not the best', another(50), 'h1* +20% h3−20%'],
  ])('says that it gains %s', (_, condition, cell) => {
    expect(describeCell(condition, 'h3')).toBe(cell);
  });
});

describe('a cell says what the best arm gains, or nothing,', () => {
  test.each([
    ['where the advised arm is as good', keeping(2, ['h3']), 'h3', 'h2=h3*'],
    ['where that arm is the one that is kept', keeping(28), 'h2', 'h2*'],
    ['where what is served today is advised', another(10), 'h2', 'h1* +20%'],
    ['where no arm is advised', another(10), undefined, 'h1* +20%'],
  ])('%s', (_, condition, advised, cell) => {
    expect(describeCell(condition, advised)).toBe(cell);
  });
});

test('a page over all links has the same form', () => {
  const { answer } = another(10);
  expect(describePage({ site: 'shop', ...answer }, ['h1', 'h2', 'h3'], 'h3')).toBe('h1* +20% h3+12%');
});

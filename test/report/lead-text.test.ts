import { describe, expect, test } from '@jest/globals';
import type { Answer } from '../../harness/model/answer.ts';
import { describeCell } from '../../harness/report/lead-text.ts';

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

describe('a cell in which what is served today is kept', () => {
  test('says what the advised arm costs there', () => {
    expect(describeCell(keeping(28), 'h3')).toBe('h2* h3−28%');
  });

  test.each([
    ['nothing in whole percents', keeping(0.4), 'h3', 'h2*'],
    ['that arm is as good', keeping(2, ['h3']), 'h3', 'h2=h3*'],
    ['that arm is the one that is kept', keeping(28), 'h2', 'h2*'],
    ['no arm is advised', keeping(28), undefined, 'h2*'],
  ])('and nothing where it is %s', (_, condition, advised, cell) => {
    expect(describeCell(condition, advised)).toBe(cell);
  });
});

import { expect, test } from '@jest/globals';
import { beat, outcomeRatio } from '../../harness/comparison/outcome.ts';

test.each([
  [970, 1000, 0.03, true],
  [970.1, 1000, 0.03, false],
  [1000, 1000, 0.03, false],
  [900, 1000, 0.1, true],
  [901, 1000, 0.1, false],
  [60_000, 'failed', 0.1, true],
  ['failed', 1, 0.03, false],
  ['failed', 'failed', 0.03, false],
] as const)('%s against %s with an advantage of %d: %s', (a, b, advantage, beats) => {
  expect(beat(a, b, advantage)).toBe(beats);
});

test.each([
  [500, 1000, 0.5],
  ['failed', 1000, Number.POSITIVE_INFINITY],
  [1000, 'failed', 0],
  ['failed', 'failed', 1],
] as const)('%s over %s is %d', (a, b, ratio) => {
  expect(outcomeRatio(a, b)).toBe(ratio);
});

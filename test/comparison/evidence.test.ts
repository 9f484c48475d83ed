import { describe, expect, test } from '@jest/globals';
import { fewestBlocks, isWithinReachable, withinEvidence } from '../../harness/comparison/evidence.ts';
import { FALSE_DISCOVERY_RATE, RULES } from '../../harness/comparison/rules.ts';
import { logEvidence } from '../../harness/stats/evidence.ts';

test.each([
  ['default', 8],
  // An arm that loses 70 % of the blocks is still not beaten by it.
  ['kramer2015', 4],
] as const)('that no other arm beats one takes %2$i blocks at least by the rule %1$s', (rule, blocks) => {
  expect(fewestBlocks(RULES[rule], FALSE_DISCOVERY_RATE)).toBe(blocks);
});

describe('that no other arm beats one', () => {
  const pairs = [
    { a: 'h2', b: 'h1', blocks: 20, aWon: 4, bWon: 7 },
    { a: 'h3', b: 'h1', blocks: 20, aWon: 0, bWon: 18 },
    { a: 'h3', b: 'h2', blocks: 20, aWon: 1, bWon: 12, bothFailed: 3 },
  ];

  test.each<[string, number]>([
    ['h1', 16],
    ['h2', 13],
    ['h3', 2],
  ])('the evidence for %s is of the %i blocks in which its worst rival did not beat it', (arm, notBeaten) => {
    expect(withinEvidence(arm, pairs, RULES.default)).toBe(logEvidence(20, notBeaten, 0.5));
    expect(withinEvidence(arm, pairs, RULES.kramer2015)).toBe(logEvidence(20, notBeaten, 1 - 0.7));
  });

  test('blocks in which both failed do not count for it', () => {
    const pair = { a: 'h2', b: 'h1', blocks: 20, aWon: 0, bWon: 0, bothFailed: 20 };
    expect(withinEvidence('h1', [pair], RULES.default)).toBe(logEvidence(20, 0, 0.5));
  });

  test.each<[string, number, readonly [blocks: number, notBeaten: number], boolean]>([
    ['h2', 20, [20, 13], true],
    ['h2', 20, [20, 14], false],
    ['h2', 30, [30, 23], true],
    ['h2', 30, [30, 24], false],
    ['h1', 30, [30, 26], true],
    ['h3', 60, [60, 42], true],
    ['h3', 60, [60, 43], false],
  ])('%s could still be proven by %i blocks, where %j are needed: %p', (arm, cap, [blocks, notBeaten], reachable) => {
    const logThreshold = logEvidence(blocks, notBeaten, 0.5);
    expect(isWithinReachable(arm, pairs, { rule: RULES.default, cap, logThreshold })).toBe(reachable);
  });
});

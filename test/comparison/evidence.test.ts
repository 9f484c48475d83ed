import { expect, test } from '@jest/globals';
import { fewestBlocks } from '../../harness/comparison/evidence.ts';
import { FALSE_DISCOVERY_RATE, RULES } from '../../harness/comparison/rules.ts';

// As the specification says: at least 9 unanimous blocks with the default, and 17 with the rule of 2015.
test.each([
  ['default', 9],
  ['kramer2015', 17],
] as const)('any verdict by the rule %s takes %i blocks', (rule, blocks) => {
  expect(fewestBlocks(RULES[rule], FALSE_DISCOVERY_RATE)).toBe(blocks);
});

import type { Rule } from '../model/comparison.ts';

export const RULE_NAMES = ['default', 'kramer2015'] as const;

export type RuleName = (typeof RULE_NAMES)[number];

/**
 * The rules by name. `default`: faster by 3 % in more than half of all blocks, so that A beats B where the median
 * ratio is below 0.97, and a tie is a median ratio within (0.97, 1/0.97). `kramer2015`: Krämer, Megyesi, Molnár 2015,
 * faster by 10 % in more than 70 % of the cases.
 */
export const RULES: Readonly<Record<RuleName, Rule>> = {
  default: { advantage: 0.03, share: 0.5 },
  kramer2015: { advantage: 0.1, share: 0.7 },
};

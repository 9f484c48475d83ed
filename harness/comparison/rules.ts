import type { Rule, Stopping } from '../model/comparison.ts';

/** The mean share of false verdicts among all verdicts of a study is at most this. */
export const FALSE_DISCOVERY_RATE = 0.05;
/** A launch of the browsers is itself a source of variance: no verdict rests on fewer. */
export const MIN_LAUNCHES = 3;
/** Above this share of void trials in any arm no verdict is given. */
export const MAX_VOID_SHARE = 0.05;
/** A block that was void this often will be so again: its condition gets no more. */
export const MAX_VOIDS_OF_BLOCK = 10;
/**
 * The fewest blocks for any answer, and for one that may be called sure: more where an arm's times are scattered, since a
 * few loads may all be of the rarer kind where some wait for a lost packet and others do not.
 */
export const LEAST_BLOCKS = { answer: 2, sure: 3, sureIfScattered: 10 } as const;
/** Times are scattered where the standard deviation of their logarithm is above this: half as long again is nothing rare. */
export const SCATTERED_ABOVE = 0.35;
/** What is said of several conditions together may be sure while this part of their traffic has blocks enough. */
export const SHARE_WITH_ENOUGH = 0.8;
/** An arm is as good as the one to serve where it is within the margin of the best with this chance or more. */
export const AS_GOOD_FROM = 0.8;
/** Later blocks leave out an arm whose chance to be within the margin of the best is below this. */
export const LEFT_OUT_BELOW = 0.01;
/** A settled answer rests on at least this many launches of the browsers. */
export const SETTLED_LAUNCHES = 2;
/** An arm whose loads fail more often than another's by more than this is not as good as that one. */
export const FAILURE_TOLERANCE = 0.02;
/** The confidence of the intervals that are shown beside the verdicts. */
export const CONFIDENCE = 0.95;

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

/** How many launches what a study waits for has to rest on. */
export function launchesRequired(stopping: Stopping): number {
  return stopping.kind === 'early' && stopping.until === 'settled' ? SETTLED_LAUNCHES : MIN_LAUNCHES;
}

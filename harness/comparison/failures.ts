import type { BlockOutcomes } from '../model/comparison.ts';
import { gammaDeviate } from '../stats/gamma.ts';
import type { Random } from '../stats/random.ts';
import { outcomeOf } from './outcome.ts';
import { FAILURE_TOLERANCE } from './rules.ts';

/** How many of each arm's loads failed, in the order of the arms. */
export function countFailures(blocks: readonly BlockOutcomes[], arms: readonly string[]): readonly number[] {
  return arms.map((arm) => blocks.filter((block) => outcomeOf(block, arm) === 'failed').length);
}

/**
 * Draws the share of its loads that fail, of each arm. One that never failed is taken to have no failures: a share of 0
 * cannot be told from 2 % in a few blocks, and nearly all arms have none. Of one that failed k times in n the share is a
 * draw of Beta(k, n - k + 1).
 */
export function drawFailureShares(failures: readonly number[], blocks: number, random: Random): readonly number[] {
  return failures.map((count) => {
    if (count === 0) return 0;
    const [failed, finished] = [gammaDeviate(count, random), gammaDeviate(blocks - count + 1, random)];
    return failed / (failed + finished);
  });
}

/**
 * What serving each arm costs where some fail: its time, but always more than what every arm costs that fails less often
 * by more than the tolerance, by the margin and by as much as it fails more often. So it is never as good as those.
 */
export function costsWithFailures(
  times: readonly number[],
  shares: readonly number[],
  margin: number,
): readonly number[] {
  const costs = [...times];
  const mostReliableFirst = [...times.keys()].sort((x, y) => shares[x]! - shares[y]!);
  for (const arm of mostReliableFirst)
    for (const other of mostReliableFirst) {
      const excess = shares[arm]! - shares[other]!;
      if (excess > FAILURE_TOLERANCE) costs[arm] = Math.max(costs[arm]!, costs[other]! * (margin + excess));
    }
  return costs;
}

import type { BlockOutcomes } from '../model/comparison.ts';
import { gammaDeviate } from '../stats/gamma.ts';
import type { Random } from '../stats/random.ts';
import { outcomesOf } from './outcome.ts';
import { FAILURE_TOLERANCE } from './rules.ts';

/** An arm's loads in the blocks of a condition. */
export interface LoadCount {
  readonly loads: number;
  readonly failed: number;
}

/** Counts each arm's loads, in the order of the arms. */
export function countLoads(blocks: readonly BlockOutcomes[], arms: readonly string[]): readonly LoadCount[] {
  return arms.map((arm) => {
    const outcomes = outcomesOf(blocks, arm);
    return { loads: outcomes.length, failed: outcomes.filter((outcome) => outcome === 'failed').length };
  });
}

/** Whether none of the loads that there were came to their end, with any arm. */
export function failsAlways(counts: readonly LoadCount[]): boolean {
  return counts.every(({ loads, failed }) => failed === loads);
}

/** The share of an arm's loads that failed; 0 where there is none. */
export function failedShare({ loads, failed }: LoadCount): number {
  return loads === 0 ? 0 : failed / loads;
}

/**
 * Draws the share of its loads that fail, of each arm. One that never failed is taken to have no failures: a share of 0
 * cannot be told from 2 % in a few blocks, and nearly all arms have none. Of one that failed k times in n the share is a
 * draw of Beta(k, n - k + 1).
 */
export function drawFailureShares(counts: readonly LoadCount[], random: Random): readonly number[] {
  return counts.map(({ loads, failed }) => {
    if (failed === 0) return 0;
    const [drawnFailed, drawnFinished] = [gammaDeviate(failed, random), gammaDeviate(loads - failed + 1, random)];
    return drawnFailed / (drawnFailed + drawnFinished);
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

import type { Check, CheckOutcome, GateCondition } from '../model/gate.ts';
import type { Estimate } from '../stats/signed-rank.ts';

/**
 * False alarms: of all gates with every limit kept, at most this share fails, however many limits and conditions there
 * are. As many at most say that all limits are proven to be kept where one is broken.
 */
export const FALSE_ALARM_RATE = 0.05;

/** The estimate where nothing is known. */
export const NOTHING: Estimate = {
  estimate: Number.NaN,
  low: Number.NEGATIVE_INFINITY,
  high: Number.POSITIVE_INFINITY,
};

/** What an interval says of a limit that it is held against. */
export function holdAgainst({ low, high }: Pick<Estimate, 'low' | 'high'>, limit: number): CheckOutcome {
  if (low > limit) return 'broken';
  return high <= limit ? 'held' : 'unknown';
}

/** The logarithm of a ratio as percent that are added, rounded so that what is exactly a limit does not exceed it. */
export function addedPercent(logRatio: number): number {
  return Math.round(1e11 * Math.expm1(logRatio)) / 1e9;
}

/** How many of an arm's loads in a condition failed. */
export function failuresOf({ blocks }: GateCondition, arm: string): number {
  return blocks.filter(({ outcomes }) => outcomes[arm] === 'failed').length;
}

/** What every check of a condition says of it. */
export function aboutCondition(
  condition: GateCondition,
  arm: string,
): Pick<Check, 'title' | 'condition' | 'arm' | 'blocks' | 'failed' | 'unfit'> {
  const { id, title, blocks, unfit } = condition;
  return {
    title,
    condition: id,
    arm,
    blocks: blocks.length,
    failed: failuresOf(condition, arm),
    unfit,
  };
}

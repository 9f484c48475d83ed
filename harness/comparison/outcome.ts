import type { BlockOutcomes, Outcome } from '../model/comparison.ts';

/** Whether a beat b by at least `advantage`. A failure loses against every time, and beats nothing. */
export function beat(a: Outcome, b: Outcome, advantage: number): boolean {
  if (a === 'failed') return false;
  return b === 'failed' || a <= b * (1 - advantage);
}

/** a's time over b's: Infinity where only a failed, 0 where only b did, 1 where both did. */
export function outcomeRatio(a: Outcome, b: Outcome): number {
  if (a === 'failed') return b === 'failed' ? 1 : Number.POSITIVE_INFINITY;
  return b === 'failed' ? 0 : a / b;
}

/** What an arm came to in a block; throws where the block has no such arm. */
export function outcomeOf(block: BlockOutcomes, arm: string): Outcome {
  const outcome = block.outcomes[arm];
  if (outcome === undefined) throw new Error(`block ${block.index} has no outcome of arm '${arm}'`);
  return outcome;
}

/** An arm's times, block by block; a failure takes longer than any. */
export function timesOf(blocks: readonly BlockOutcomes[], arm: string): number[] {
  return blocks.map((block) => {
    const outcome = outcomeOf(block, arm);
    return outcome === 'failed' ? Number.POSITIVE_INFINITY : outcome;
  });
}

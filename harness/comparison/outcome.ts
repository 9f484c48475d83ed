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

/** The logarithm of a time; a load that failed is taken to have lasted as long as it may. */
export function logOf(outcome: Outcome, timeoutMs: number): number {
  return Math.log(outcome === 'failed' ? timeoutMs : outcome);
}

/** What the blocks that loaded an arm came to with it, in their order. */
export function outcomesOf(blocks: readonly BlockOutcomes[], arm: string): readonly Outcome[] {
  return blocks.flatMap(({ outcomes }) => outcomes[arm] ?? []);
}

/** What the blocks that loaded both of two arms came to with them, in their order. */
export function outcomesOfBoth<B extends BlockOutcomes>(
  blocks: readonly B[],
  a: string,
  b: string,
): readonly { readonly block: B; readonly a: Outcome; readonly b: Outcome }[] {
  return blocks.flatMap((block) => {
    const [ofA, ofB] = [block.outcomes[a], block.outcomes[b]];
    return ofA === undefined || ofB === undefined ? [] : [{ block, a: ofA, b: ofB }];
  });
}

/** An arm's times, block by block; a failure takes longer than any. */
export function timesOf(blocks: readonly BlockOutcomes[], arm: string): number[] {
  return outcomesOf(blocks, arm).map((outcome) => (outcome === 'failed' ? Number.POSITIVE_INFINITY : outcome));
}

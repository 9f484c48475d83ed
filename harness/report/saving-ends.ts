import type { Saving } from '../model/advice.ts';

/** The ends of a saving's interval that there are; in JSON one that there is not is null. */
export function savingEndsOf(saving: Saving | undefined): { readonly low?: number; readonly high?: number } {
  const [low, high] = (saving?.interval ?? [null, null]) as readonly (number | null)[];
  // So much time as there is can be saved by no arm that finishes.
  return { ...(isEnd(low) && { low }), ...(isEnd(high) && high < 100 && { high }) };
}

function isEnd(end: number | null | undefined): end is number {
  return Number.isFinite(end);
}

import type { Decision } from '../model/answer.ts';
import { LEAST_BLOCKS, LEFT_OUT_BELOW } from './rules.ts';

/**
 * The arms that the next block of a condition loads: all of them, until it is clear of some that they cannot matter. At
 * least two remain, since a block compares.
 */
export function armsInPlay(names: readonly string[], decision: Decision | undefined): readonly string[] {
  if (!decision || decision.answer.blocks < LEAST_BLOCKS.sure) return names;
  const { serve, arms } = decision.answer;
  const chanceOf = (name: string) => (name === serve ? 1 : (arms[name]?.withinChance ?? 1));
  const regretOf = (name: string) => arms[name]?.regretPercent ?? 0;
  // Of two that have no chance the nearer one remains, which is the quicker one to load, too.
  const ranked = names.toSorted((a, b) => chanceOf(b) - chanceOf(a) || regretOf(a) - regretOf(b));
  const kept = new Set(ranked.filter((name, rank) => rank < 2 || chanceOf(name) >= LEFT_OUT_BELOW));
  return names.filter((name) => kept.has(name));
}

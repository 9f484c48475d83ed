import type { BlockOutcomes } from '../model/comparison.ts';
import { doubtsByMachine, withoutSpeeds } from './machines.ts';
import { fitPriors, type LikeRecord, spreadsOf } from './spreads.ts';

/** What a condition's outcomes are drawn from: the blocks, and how far chance and machines move them. */
export interface Scatter {
  /** Its blocks as if its machines were equally fast. */
  readonly blocks: readonly BlockOutcomes[];
  /** The standard deviation of the logarithm of each of these arms' outcomes. */
  readonly spreadsOf: (arms: readonly string[]) => readonly number[];
  /** The standard deviation of what machines add to an arm; 0 on one machine. */
  readonly doubt: number;
}

/** The scatter of each condition, by its name: all conditions together tell how much the outcomes of each vary. */
export function scattersOf(records: readonly LikeRecord[], arms: readonly string[]): ReadonlyMap<string, Scatter> {
  const even = records.map(({ likeness, record }) => ({
    likeness,
    record: { ...record, blocks: withoutSpeeds(record.blocks) },
  }));
  const priorOf = fitPriors(even, arms);
  const doubts = doubtsByMachine(even.map(({ record }) => record));
  return new Map(
    even.map(({ likeness, record: { condition, blocks } }) => [
      condition,
      {
        blocks,
        spreadsOf: (own) => spreadsOf(blocks, own, priorOf(likeness)),
        doubt: doubts.get(condition) ?? 0,
      },
    ]),
  );
}

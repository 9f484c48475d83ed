import type { Answer, Sureness } from '../../model/answer.ts';
import { sumOf } from '../../stats/order.ts';

/** What became of answers that were held against the truth. */
export interface Tally {
  /** Answers that were called so, at any look, and how many of them cost more than the margin in truth. */
  readonly looks: Readonly<Record<Sureness, { answers: number; wrong: number }>>;
  /** The true regret of each answer at the moment when it was settled. */
  readonly settledRegrets: number[];
  /** By condition that was settled: the blocks that it took. */
  readonly settledAfter: number[];
  /** By condition that was not settled: the blocks that there were. */
  readonly unsettledAfter: number[];
  /** How many of the settled answers cost more than the margin in truth. */
  settledWrong: number;
}

export function newTally(): Tally {
  const none = () => ({ answers: 0, wrong: 0 });
  return {
    looks: { proven: none(), sure: none(), likely: none(), open: none() },
    settledRegrets: [],
    settledAfter: [],
    unsettledAfter: [],
    settledWrong: 0,
  };
}

/** Counts an answer that was given at a look; a truth is each arm's regret, as a fraction. */
export function countLook(
  tally: Tally,
  { serve, sureness }: Answer,
  truth: Readonly<Record<string, number>>,
  margin: number,
): void {
  const counts = tally.looks[sureness];
  counts.answers += 1;
  if (truth[serve]! > margin) counts.wrong += 1;
}

/** Counts the answer with which a condition was settled. */
export function countSettled(
  tally: Tally,
  { serve, blocks }: Answer,
  truth: Readonly<Record<string, number>>,
  margin: number,
): void {
  tally.settledRegrets.push(truth[serve]!);
  tally.settledAfter.push(blocks);
  if (truth[serve]! > margin) tally.settledWrong += 1;
}

/** A tally in figures: shares and regrets are fractions. */
export interface Calibration {
  readonly settled: number;
  readonly conditions: number;
  /** The mean blocks of all conditions; one that was not settled counts with all blocks that it had. */
  readonly meanBlocks: number;
  readonly medianBlocks: number;
  readonly p90Blocks: number;
  readonly meanRegret: number;
  readonly settledWrong: number;
  readonly likelyWrong: number;
}

export function calibrationOf(tally: Tally): Calibration {
  const blocks = [...tally.settledAfter, ...tally.unsettledAfter].sort((a, b) => a - b);
  const settled = tally.settledAfter.length;
  const at = (share: number) => blocks[Math.min(blocks.length - 1, Math.floor(share * blocks.length))]!;
  const { likely } = tally.looks;
  return {
    settled,
    conditions: blocks.length,
    meanBlocks: sumOf(blocks) / blocks.length,
    medianBlocks: at(0.5),
    p90Blocks: at(0.9),
    meanRegret: sumOf(tally.settledRegrets) / Math.max(1, settled),
    settledWrong: tally.settledWrong / Math.max(1, settled),
    likelyWrong: likely.wrong / Math.max(1, likely.answers),
  };
}

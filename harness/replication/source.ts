import type { PaperFigure, PaperPlace } from '../model/paper.ts';
import type { Estimate } from '../stats/signed-rank.ts';

/** Somewhere that figures are known of: a condition with one of its servers, or a place that a paper's table names. */
export interface Spot {
  /** All that is known of it. */
  readonly place: PaperPlace;
  /** The id of our condition, if it is ours. */
  readonly condition?: string | undefined;
  /** What its page consists of. */
  readonly objects: number;
  readonly bytes: number;
}

/** Figures by place, arm and block: our measurements, or what a paper printed; arms are called as the paper's. */
export interface Source {
  readonly spots: readonly Spot[];
  /** Whether an arm is anywhere at all. */
  has(arm: string): boolean;
  /** What our arm is called that stands for an arm of the paper. */
  nameOf(spot: Spot, arm: string): string | undefined;
  blocksOf(spot: Spot): number;
  /** Infinity where a time has no end because the load failed; undefined where there is no such figure. */
  valueOf(spot: Spot, arm: string, figure: PaperFigure, block: number): number | undefined;
  /** What the study's verdict calls an arm in comparison with another, if it judges so. */
  verdictOf(spot: Spot, arm: string, other: string): PairStanding | undefined;
  /** Whether all of these spots have as many blocks as were asked for beforehand. */
  isFixed(spots: readonly Spot[]): boolean;
  /** The middle of what the blocks of some spots say. */
  estimate(values: readonly number[], confidence: number, spots: readonly Spot[]): Estimate;
}

/** How an arm stands against another. */
export type PairStanding = 'faster' | 'slower' | 'tie' | 'undecided';

/** Figures that are times: a load that failed has one without an end. */
export const TIMES: ReadonlySet<PaperFigure> = new Set(['pltMs', 'uploadMs']);

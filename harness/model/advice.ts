import type { BlockOutcomes, Comparison } from './comparison.ts';

/** A condition as those who advise see it. */
export interface AdviceCondition {
  readonly id: string;
  /** As people call it. */
  readonly title: string;
  /** The link that visitors of this kind have, by its name. */
  readonly profile: string;
  readonly comparisons: readonly Comparison[];
  readonly blocks: readonly BlockOutcomes[];
}

/** A condition of which it is known besides how its blocks came to be so many. */
export interface SampledCondition extends AdviceCondition {
  /** Whether there are as many as were asked for beforehand: if not, their number may depend on what was in them. */
  readonly isFixed: boolean;
}

/** Shares of the traffic by link profile, in any unit. */
export type Mix = Readonly<Record<string, number>>;

/**
 * Time saved by serving one arm in place of another, in percent, as the traffic's mean of ratios; below 0 where it is
 * lost, and not a number where loads that fail leave none.
 */
export interface Gain {
  readonly medianPercent: number;
  readonly p95Percent: number;
}

/**
 * Time saved by serving one arm in place of another, in percent, as it was measured, whatever the verdicts say: the mean
 * of the conditions' median ratios, as logarithms, and what holds the true one with 95 % confidence. Not a number, or
 * infinite, where loads that fail or too few blocks leave none.
 */
export interface Saving {
  readonly percent: number;
  readonly interval: readonly [low: number, high: number];
}

/** Parts of the traffic, which add up to 1, by what the verdicts say of one arm against another there. */
export interface TrafficShares {
  readonly faster: number;
  readonly slower: number;
  readonly tie: number;
  readonly undecided: number;
}

/** A condition where something else is better than what is served. */
export interface Risk {
  readonly condition: string;
  /** How much longer loads take there than with what is better. */
  readonly percent: number;
}

/** What to serve to a mix of visitors, and what that is worth. */
export interface Advice {
  /** Shares of the traffic that was measured; they add up to 1. */
  readonly mix: Mix;
  /** Profiles of the mix that no condition has. */
  readonly unmeasured: readonly string[];
  /** What to serve, and whatever the verdicts do not tell from it. */
  readonly serve: readonly string[];
  /** What it is held against; absent where the verdicts tell nothing apart. */
  readonly against?: string;
  readonly shares?: TrafficShares;
  readonly gain?: Gain;
  readonly saving?: Saving;
  /** The worst loss that a verdict proves; absent where there is none. */
  readonly risk?: Risk;
  /** The worst that an undecided comparison leaves possible, where that is worse. */
  readonly possibleRisk?: Risk;
  readonly byProfile: readonly ProfileAdvice[];
  readonly text: string;
}

/** The same for the visitors of one profile. */
export interface ProfileAdvice {
  readonly profile: string;
  readonly share: number;
  /** What these visitors alone would be advised. */
  readonly serve: readonly string[];
  /** What the advice for the whole mix does to them. */
  readonly against?: string;
  readonly shares?: TrafficShares;
  readonly gain?: Gain;
  readonly saving?: Saving;
}

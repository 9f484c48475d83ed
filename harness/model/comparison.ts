/** What a trial came to: the time that decides, in milliseconds (less is better), or that it failed. */
export type Outcome = number | 'failed';

/** A whole block as judging needs it: no trial of it is void. */
export interface BlockOutcomes {
  /** From 0, without a gap in its condition. */
  readonly index: number;
  /** The launch of the browsers that served it. */
  readonly launch: number;
  /** The machine that ran it, by its worker's name; absent where the study's own machine did. */
  readonly machine?: string | undefined;
  /** Its place among all blocks of the study, in the order of time. */
  readonly at: number;
  /** By the arm's name; an arm that was left out of the block is absent. */
  readonly outcomes: Readonly<Record<string, Outcome>>;
}

/** A trial that does not count, and for which its block was run again. */
export interface VoidTrial {
  readonly block: number;
  readonly arm: string;
  /** Its place in the order of time, among the same places as those of blocks. */
  readonly at: number;
}

/** All that was measured in one condition. */
export interface ConditionRecord {
  readonly condition: string;
  readonly blocks: readonly BlockOutcomes[];
  readonly voids: readonly VoidTrial[];
}

/**
 * What "better" means. In a block A beat B where its time is lower by at least `advantage` of B's; A beats B where the
 * true share of such blocks is above `share`. Where neither beats the other is a tie.
 */
export interface Rule {
  readonly advantage: number;
  readonly share: number;
}

/**
 * When a condition has blocks enough: after a number that was fixed beforehand, or at a cap, or before it once its answer
 * is `settled` (sure, and from two launches) or `proven`.
 */
export type Stopping =
  | { readonly kind: 'early'; readonly until: Until; readonly cap: number }
  | { readonly kind: 'exactly'; readonly blocks: number };

export const UNTIL = ['settled', 'proven'] as const;

/** What a condition must come to before it gets no more blocks. */
export type Until = (typeof UNTIL)[number];

/** The parts of a plan that judging needs. */
export interface JudgingPlan {
  readonly conditions: readonly { readonly id: string }[];
  readonly arms: readonly { readonly name: string }[];
  readonly rule: Rule;
  readonly stopping: Stopping;
  /** Whether claims are made of pairs alone, as for a study's control. */
  readonly onlyPairs?: true;
  /** The one claim that is asked about each pair, where no other one is of interest. */
  readonly onlyClaim?: Claim | undefined;
  /** The launches that a proof has to rest on; absent: as many as a study's proofs. */
  readonly leastLaunches?: number | undefined;
}

/** What a comparison says: a beats b, b beats a, neither beats the other, or nothing yet. */
export type Verdict = 'a' | 'b' | 'tie' | 'undecided';

/** What a comparison that says something says. */
export type Claim = Exclude<Verdict, 'undecided'>;

/** Two arms of a condition, held against each other in every block that was judged. */
export interface PairJudgement {
  readonly a: string;
  readonly b: string;
  readonly verdict: Verdict;
  /** The evidence for the verdict when it was given; where there is none, for the verdict that is nearest. */
  readonly logEValue: number;
  /** Blocks in which a beat b, in which b beat a, and all that loaded both. */
  readonly aWon: number;
  readonly bWon: number;
  readonly blocks: number;
  /** Blocks in which both failed, which speak for nothing; absent where there is none. */
  readonly bothFailed?: number | undefined;
  /** Blocks at the moment of the verdict; absent where there is none. */
  readonly decidedAfter?: number;
}

/** One arm of a condition, and whether it is proven that no other arm beats it. */
export interface WithinJudgement {
  readonly arm: string;
  readonly proven: boolean;
  /** The evidence at the moment of the proof; where there is no proof, the evidence so far. */
  readonly logEValue: number;
  /** Blocks at the moment of the proof; absent where there is none. */
  readonly decidedAfter?: number;
}

/** What is proven in a condition. */
export interface ConditionJudgement {
  readonly condition: string;
  readonly pairs: readonly PairJudgement[];
  /** One for each arm; none where there is but one, or where nothing is claimed but of pairs. */
  readonly within: readonly WithinJudgement[];
  readonly blocks: number;
  readonly launches: number;
  /** Void trials of all trials, by arm. */
  readonly voidShares: Readonly<Record<string, number>>;
  /** Whether too many trials are void for anything more to be proven. */
  readonly tooManyVoid: boolean;
  /** Whether its next block was void so often that it gets no more. */
  readonly broken: boolean;
}

/** What is proven in a whole study. */
export interface Judgement {
  readonly conditions: readonly ConditionJudgement[];
  /** The hypotheses of the plan among which false discoveries are held: three for each pair, and one for each arm. */
  readonly hypotheses: number;
}

/**
 * Why a condition gets no more blocks, or that it does:
 *
 *     open       it gets more
 *     broken     its next block was void too often
 *     settled    its answer is sure, where the study goes on until then
 *     proven     its answer is proven, where the study goes on until then
 *     hopeless   the blocks up to the cap could not prove its answer, where the study goes on until then
 *     full       it has all the blocks it may have
 */
export type ConditionState = 'open' | 'broken' | 'settled' | 'proven' | 'hopeless' | 'full';

/** A comparison with its estimates, for people and programs. */
export interface Comparison extends Omit<PairJudgement, 'logEValue'> {
  readonly condition: string;
  /** a's time over b's, from blocks in which one of them finished: 0 or Infinity where failures leave no number, NaN where there is nothing. */
  readonly ratio: number;
  /** Holds the true ratio with 95 % confidence; its ends may be 0 and Infinity. */
  readonly interval: readonly [low: number, high: number];
  /** The median holds whenever one stops, Hodges and Lehmann's estimate once all blocks are there that were asked for beforehand. */
  readonly method: 'median' | 'hodges-lehmann';
  /** The share of blocks that agree with the verdict; where there is no verdict, the larger of a's and b's share. */
  readonly share: number;
  /** Never above the largest number there is. */
  readonly eValue: number;
}

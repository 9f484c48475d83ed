import type { Answer } from './answer.ts';
import type { BlockOutcomes, PairJudgement, Rule } from './comparison.ts';

/** What a gate is to check; shares are of one: 0.05 is five percent. */
export interface GateLimits {
  /** How much longer the arm that is served may take than the fastest one, in each condition. */
  readonly maxRegret?: number | undefined;
  /** How much longer the arm that is served may take than the fastest ones, on average over the traffic. */
  readonly maxMixRegret?: number | undefined;
  /** How long an arm's median load may take. */
  readonly maxPlt: readonly PltLimit[];
}

/** The longest that an arm's median load may take, in some conditions. */
export interface PltLimit {
  /** The limit as the user wrote it. */
  readonly asked: string;
  readonly arm: string;
  /** A link of the study, by its name; absent: every link. */
  readonly link?: string | undefined;
  /** A site of the study; absent: every site. */
  readonly site?: string | undefined;
  readonly ms: number;
}

/** A condition as a gate sees it. */
export interface GateCondition {
  readonly id: string;
  readonly title: string;
  readonly site: string;
  /** The link's name. */
  readonly link: string;
  /** Its part of the traffic; all of them, and what was not measured, add up to 1. */
  readonly weight: number;
  /** The blocks that were judged, in order. */
  readonly blocks: readonly BlockOutcomes[];
  /** What the study itself says of every two arms. */
  readonly verdicts: readonly Pick<PairJudgement, 'a' | 'b' | 'verdict'>[];
  /** The arms of which the study has proven that no other arm beats them; absent: none. */
  readonly within?: readonly string[];
  /** The judged blocks with their page load times, even where another metric decides. */
  readonly plts: readonly BlockOutcomes[];
  /** Whether there are as many blocks as asked for beforehand: if not, their number may depend on what was in them. */
  readonly isFixed: boolean;
  /** Why nothing may rest on its blocks; absent where something may. */
  readonly unfit?: string | undefined;
  /** What the study would serve there; absent where too little was measured. */
  readonly answer?: Answer | undefined;
}

/** A study as a gate sees it. */
export interface GateStudy {
  readonly conditions: readonly GateCondition[];
  /** Links that part of the traffic comes over, and that were not measured. */
  readonly unmeasured: readonly string[];
  readonly arms: readonly string[];
  readonly rule: Rule;
}

/** What a check says: the limit is proven to be kept, or proven to be broken, or neither. */
export type CheckOutcome = 'held' | 'broken' | 'unknown';

export type CheckKind = 'max-regret' | 'max-mix-regret' | 'max-plt' | 'no-slower-than';

/** One limit, held against one condition or against all of them together. */
export interface Check {
  readonly kind: CheckKind;
  /** What it is about, as people call it: a condition, or the traffic. */
  readonly title: string;
  /** Absent where it is about the traffic. */
  readonly condition?: string | undefined;
  readonly arm: string;
  /** The arm that it is held against: the one that is ahead by most. */
  readonly against?: string;
  readonly unit: '%' | 'ms';
  readonly limit: number;
  /** Not a number where nothing is known. */
  readonly estimate: number;
  /** Above the truth in none of all checks, with a chance of 95 %. */
  readonly low: number;
  /** Below the truth in none of all checks, with a chance of 95 %. */
  readonly high: number;
  readonly outcome: CheckOutcome;
  /** Blocks that it rests on. */
  readonly blocks: number;
  /** The arm's loads in them that failed. */
  readonly failed: number;
  /** Why nothing may be said; absent where all that is missing is blocks. */
  readonly unfit?: string | undefined;
  /** What the study would serve there; absent where the check is proven either way, or is about no regret there. */
  readonly answer?: CheckAnswer | undefined;
}

/** What a study says of a condition in which a limit is proven neither to be kept nor to be broken. */
export interface CheckAnswer extends Pick<Answer, 'serve' | 'asGood' | 'sureness'> {
  /** How far from the best arm another may be and still count as good as that. */
  readonly marginPercent: number;
  /** How much longer loads are expected to take with the arm of the check than with the best one. */
  readonly regretPercent: number;
}

/** What a gate found. */
export interface GateFindings {
  readonly outcome: CheckOutcome;
  /** Whether it lets the study through. */
  readonly passed: boolean;
  readonly checks: readonly Check[];
  /** How many intervals hold at once. */
  readonly comparisons: number;
}

/** Both of two studies that are held against each other, or what is known of either. */
export interface BeforeAndNow<T> {
  readonly before: T;
  readonly now: T;
}

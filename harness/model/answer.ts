/** How sure an answer is, from the surest on. */
export const SURENESS = ['proven', 'sure', 'likely', 'open'] as const;

/**
 * How sure an answer is:
 *
 *     proven   it is proven that no arm beats the one to serve: at most 5 % of a study's proofs are false
 *     sure     the chance that the arm to serve is slower than the best by more than the margin is below 5 %
 *     likely   that chance is below 20 %
 *     open     that chance is larger
 */
export type Sureness = (typeof SURENESS)[number];

/** Whether an answer is sure at least. */
export function isSure(sureness: Sureness | undefined): boolean {
  return sureness === 'sure' || sureness === 'proven';
}

/** An answer is sure, or likely, where the chance that the arm to serve is beyond the margin is below these. */
export const SURE_BELOW = 0.05;
export const LIKELY_BELOW = 0.2;

/** How much less time loads take with one arm than with another, in percent; below 0 where they take more. */
export interface Gain {
  /** The arm that is served today. */
  readonly over: string;
  readonly percent: number;
  /** It holds the true gain with 95 % confidence. */
  readonly interval: readonly [low: number, high: number];
}

/** What is to be expected of one arm. */
export interface ArmOutlook {
  /** How much longer loads take with it than with the best arm, on average over what the blocks leave possible. */
  readonly regretPercent: number;
  /** The chance that it is the best arm. */
  readonly bestChance: number;
  /** The chance that it is within the margin of the best arm. */
  readonly withinChance: number;
  /** How many of its loads failed, where that makes it less reliable than another arm; absent elsewhere. */
  readonly failedLoads?: number | undefined;
}

/** By arm, how much longer loads take with it than with the best one. */
export type ArmRegrets = Readonly<Record<string, Pick<ArmOutlook, 'regretPercent'>>>;

/** What should be served in a condition, how sure that is, and what it costs if it is wrong. */
export interface Answer {
  readonly condition: string;
  /** The arm with the least expected regret. */
  readonly serve: string;
  /** The other arms that are within the margin of the best with a chance of 80 % or more. */
  readonly asGood: readonly string[];
  readonly sureness: Sureness;
  /** The expected regret of the arm to serve. */
  readonly regretPercent: number;
  /** The chance that the arm to serve is slower than the best arm by more than the margin; absent where it is predicted. */
  readonly chanceAboveMargin?: number | undefined;
  /** What serving it gains over what is served today; 0 where that is the same arm. */
  readonly gain: Gain;
  /** Whether it is sure, and rests on two launches of the browsers or more. */
  readonly settled: boolean;
  /** Blocks that it rests on; 0 where it is predicted. */
  readonly blocks: number;
  /** The outlook of each arm, by its name; empty where it is predicted. */
  readonly arms: Readonly<Record<string, ArmOutlook>>;
  /** Whether the condition was not measured, so that the answer is the tree's. */
  readonly predicted?: true;
}

/** Whether an answer names an arm: as the one to serve, or as one that is as good. */
export function namesArm({ serve, asGood }: Pick<Answer, 'serve' | 'asGood'>, arm: string): boolean {
  return arm === serve || asGood.includes(arm);
}

/** How much longer loads take with one arm than with another, in percent; undefined where one of them was not measured. */
export function slowerPercent(arms: ArmRegrets, arm: string, than: string): number | undefined {
  const [own, other] = [arms[arm]?.regretPercent, arms[than]?.regretPercent];
  return own === undefined || other === undefined ? undefined : 100 * ((100 + own) / (100 + other) - 1);
}

/** An answer with the possible truths that it was drawn from. */
export interface Decision {
  readonly answer: Answer;
  /** The answer may be called sure from this many blocks on. */
  readonly fewestBlocks: number;
  /** By arm, then by draw: its typical load time over that of the best arm. At least 1; draws count alike. */
  readonly slowdowns: Readonly<Record<string, Float64Array>>;
}

/** What to serve in several conditions alike, and what that costs. */
export interface CombinedDecision {
  /** The arm that costs least over them. */
  readonly serve: string;
  /** The other arms that are within the margin of the best over all of them, with a chance of 80 % or more. */
  readonly asGood: readonly string[];
  readonly sureness: Sureness;
  /** How much longer loads take with the arm to serve than with each condition's best one, on average, in percent. */
  readonly regretPercent: number;
  /** It holds the true mean with 95 % confidence. */
  readonly interval: readonly [low: number, high: number];
  /** The gain over what is served today. */
  readonly gain: Gain;
}

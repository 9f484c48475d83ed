import type { Sureness } from './answer.ts';
import type { PaperName, Range } from './paper.ts';

/**
 * What became of a claim:
 *
 *     holds           what it asks is so
 *     reversed        the opposite is so
 *     no longer       it is not so, nor is the opposite
 *     not comparable  what it asks about was not measured here, or too little of it to tell
 */
export type ClaimStanding = 'holds' | 'reversed' | 'no longer' | 'not comparable';

/**
 * How sure a standing is:
 *
 *     proven   by intervals that hold with 95 % confidence, however often one looked
 *     sure     the chance that it is otherwise is below 5 %
 *     likely   that chance is below 20 %
 */
export type ClaimSureness = Exclude<Sureness, 'open'>;

/** A paper and our measurements, side by side. */
export interface ThenAndNow {
  readonly paper: PaperName;
  readonly short: string;
  readonly citation: string;
  readonly task: string;
  readonly claims: readonly ClaimFinding[];
  readonly tables: readonly TableFinding[];
  readonly tree?: TreeFinding | undefined;
  readonly notes: readonly string[];
}

/** A claim, and what our measurements say of it. */
export interface ClaimFinding {
  readonly id: string;
  readonly says: string;
  readonly where: string;
  /** The question in full, as it was asked. */
  readonly asks: string;
  readonly published: string;
  readonly measured: string;
  readonly standing: ClaimStanding;
  /** How sure its standing is; absent where it is not comparable. */
  readonly sureness?: ClaimSureness;
  /** What keeps it from being compared; absent where it is. */
  readonly lacks?: string | undefined;
  /** The range that each of its numbers is claimed to be in, where it is about numbers. */
  readonly claimed?: Range;
  readonly cases: readonly CaseFinding[];
  /** What the claim asks about and was not measured: how many cases, and what there is nothing of. */
  readonly missingCases: number;
  readonly missing: readonly string[];
  /** Where it is about times: in how many of its cases this machine's processor takes more than a third of them. */
  readonly cpuBoundCases: number;
  /** What the paper's own tables say of the claim, where they say anything, and in how many places something else. */
  readonly ownFigures?: { readonly agree: boolean; readonly exceptions: number; readonly says: string } | undefined;
  readonly notes: readonly string[];
}

/** Whether it is so in one place: `opposite` is more than not so, `open` is too little to tell. */
export type CaseAnswer = 'so' | 'not so' | 'opposite' | 'open';

/** What a claim asks, in one place. */
export interface CaseFinding {
  readonly title: string;
  readonly conditions: readonly string[];
  readonly answer: CaseAnswer;
  readonly numbers: readonly CaseNumber[];
}

/** A number that a claim is about. */
export interface CaseNumber {
  readonly says: string;
  readonly unit: 'ratio' | 'difference' | 'verdict' | 'share';
  /** The number itself; absent where the claim is about a verdict. */
  readonly value?: number;
  /** Holds the true one with 95 % confidence; its ends may be infinite. */
  readonly interval?: readonly [low: number, high: number] | undefined;
  readonly verdict?: 'faster' | 'slower' | 'tie' | 'undecided';
  readonly blocks: number;
}

/** A printed table beside what we measured. */
export interface TableFinding {
  readonly title: string;
  readonly where: string;
  readonly labels: readonly string[];
  readonly columns: readonly { readonly title: string; readonly decimals: number }[];
  readonly rows: readonly RowFinding[];
}

export interface RowFinding {
  readonly labels: readonly string[];
  /** Our condition, and the arm; absent where we have none. */
  readonly condition?: string | undefined;
  readonly arm?: string | undefined;
  /** One for each column, in the paper's units. */
  readonly cells: readonly CellFinding[];
}

export interface CellFinding {
  readonly published: number;
  /** The median of our loads; absent where there is none. */
  readonly measured?: number;
  /** Absent where loads are too few for one. */
  readonly interval?: readonly [low: number, high: number] | undefined;
  readonly loads?: number;
}

/** What a printed tree says, beside what ours says of the same places. */
export interface TreeFinding {
  readonly where: string;
  readonly says: readonly string[];
  readonly leaves: readonly {
    readonly says: string;
    readonly published: readonly string[];
    /** The leaves that our tree has for these places, by the names of our arms; none where they were not measured. */
    readonly measured: readonly (readonly string[])[];
    readonly conditions: readonly string[];
  }[];
}

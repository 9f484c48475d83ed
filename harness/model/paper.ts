import type { Protocol } from './arm.ts';
import type { Rule } from './comparison.ts';
import type { SiteFacts } from './site.ts';

/** The published studies that a study of ours may repeat. */
export const PAPER_NAMES = ['kramer2015', 'dncs2020', 'valle2023', 'goncalves2015', 'oliveira2020'] as const;

export type PaperName = (typeof PAPER_NAMES)[number];

/** A published study: what it printed, what it says of that, and what each of its claims asks of our measurements. */
export interface Paper {
  readonly name: PaperName;
  /** The paper's short name: `Krämer 2015`. */
  readonly short: string;
  readonly citation: string;
  readonly task: string;
  /** What it compared, by the names that its claims use. */
  readonly arms: Readonly<Record<string, PaperArm>>;
  /** What its pages weighed, where a claim is about that. */
  readonly sites?: Readonly<Record<string, Pick<SiteFacts, 'objects' | 'bytes'>>>;
  /** Two figures that differ by less are alike: 0.1 is ten percent. */
  readonly margin: number;
  /** What it calls better, where it says so. */
  readonly rule?: Rule;
  readonly claims: readonly PaperClaim[];
  readonly tables: readonly PublishedTable[];
  readonly tree?: PublishedTree;
  /** Where it contradicts itself, or differs from what is measured here. */
  readonly notes: readonly string[];
}

/** An arm of a paper: an arm of ours stands for it that is alike in all of this, whatever either is called. */
export interface PaperArm {
  /** In the paper: `SPDY`. */
  readonly called: string;
  readonly protocol: Protocol;
  /** Absent: whatever is the default. */
  readonly congestion?: string;
  readonly beside?: { readonly protocol: Protocol; readonly congestion?: string };
}

/** Where something was measured, as far as that is told; what is absent may be anything. */
export interface PaperPlace {
  readonly site?: string;
  /** The rate of both directions; Infinity where it is unlimited. */
  readonly rateKbps?: number;
  readonly rttMs?: number;
  /** The share of packets that is lost in each direction. */
  readonly lossPercent?: number;
  readonly server?: string;
  /** The tabs that each client of a crowd opens at once. */
  readonly tabs?: number | undefined;
}

export type Dimension = keyof PaperPlace;

/** Every combination of these; what is absent may be anything. */
export type PaperPlaces = { readonly [Key in Dimension]?: readonly NonNullable<PaperPlace[Key]>[] };

/** What papers print, and our loads have too; times in ms, a ratio of two is without a unit. */
export type PaperFigure =
  | 'pltMs'
  | 'uploadMs'
  | 'connections'
  | 'bytes'
  | 'packets'
  /** All that came down the wire, frames and all, until the last byte; and what of it was more than the files. */
  | 'wireDownKbps'
  | 'overheadDownPercent'
  | 'fairness'
  | 'loadedRttMs'
  | 'lighthouse';

/** What a paper says, and what that asks of our measurements. */
export interface PaperClaim {
  readonly id: string;
  /** The paper's words, in English. */
  readonly says: string;
  /** Where in the paper. */
  readonly where: string;
  /** The number, or the direction, that the paper gives. */
  readonly published: string;
  /** What its vaguer words are taken for here. */
  readonly reads?: string;
  readonly question: Question;
  readonly notes?: readonly string[];
}

/** Something that is so or not in each place, and in how many of them it must be. */
export interface Question {
  readonly where: readonly PaperPlaces[];
  readonly asks: Asked;
  readonly holdsIn: HoldsIn;
}

/** `not each`: in at least one of the places it is not so. */
export type HoldsIn = 'each' | 'not each' | { readonly moreThan: number };

/**
 * What is asked in a place. All but the last two are about a number that each block gives, of which the study has an
 * estimate with an interval:
 *
 *     ratio      the figure of an arm over that of each other
 *     growth     the figure of an arm, over itself where one thing about the place is otherwise
 *     outgrows   how an arm grows so, over how each other does
 *     sum        the figure of an arm over another's, each added up over all places: these are one case together
 *     follows    how far the figure's correlation with the objects of a page is above that with its bytes, over all places
 *     beats      whether the study's own verdicts call an arm faster than each other
 *     completes  whether an arm comes to its end more often than not where another does not
 */
export type Asked =
  | {
      readonly kind: 'ratio';
      readonly figure: PaperFigure;
      /** Each is a case by itself. */
      readonly pairs: readonly { readonly of: PaperCell; readonly to: readonly PaperCell[] }[];
      readonly range: Range;
    }
  | ({
      readonly kind: 'growth';
      readonly figure: PaperFigure;
      /** Each is a case by itself. */
      readonly arms: readonly string[];
      readonly range: Range;
    } & Varying)
  | ({
      readonly kind: 'outgrows';
      readonly figure: PaperFigure;
      readonly arm: string;
      readonly others: readonly string[];
      readonly range: Range;
    } & Varying)
  | {
      readonly kind: 'sum';
      readonly figure: PaperFigure;
      readonly of: string;
      readonly to: string;
      readonly range: Range;
    }
  | { readonly kind: 'follows'; readonly figure: PaperFigure; readonly arms: readonly string[] }
  | { readonly kind: 'beats'; readonly arm: string; readonly others: readonly string[] }
  | { readonly kind: 'completes'; readonly arm: string; readonly other: string };

/** An arm in the place that is asked about, or in one that differs from it in what is said. */
export interface PaperCell {
  readonly arm: string;
  readonly at?: PaperPlace;
}

/** What is otherwise in the second place than in the first. */
export interface Varying {
  readonly dimension: 'rateKbps' | 'rttMs' | 'lossPercent';
  readonly from: number;
  readonly to: number;
}

/** What a ratio is claimed to be; an end that is absent is open. */
export interface Range {
  readonly above?: number;
  readonly below?: number;
}

/** Figures as they were printed. */
export interface PublishedTable {
  readonly title: string;
  readonly where: string;
  /** What tells its rows apart. */
  readonly labels: readonly string[];
  readonly columns: readonly PublishedColumn[];
  readonly rows: readonly PublishedRow[];
}

export interface PublishedColumn {
  readonly figure: PaperFigure;
  readonly title: string;
  /** How many of our units one of the paper's is. */
  readonly unit: number;
  readonly decimals: number;
}

export interface PublishedRow {
  /** One for each label of the table. */
  readonly labels: readonly string[];
  readonly place: PaperPlace;
  readonly arm: string;
  /** In the order of the columns, in the paper's units. */
  readonly figures: readonly number[];
}

/** A decision tree that was printed, as far as its text tells what its leaves say. */
export interface PublishedTree {
  readonly where: string;
  readonly says: readonly string[];
  readonly leaves: readonly {
    readonly says: string;
    readonly where: readonly PaperPlaces[];
    /** Arms of the paper; all of them is a tie. */
    readonly leaf: readonly string[];
  }[];
}

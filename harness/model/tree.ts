import type { BlockOutcomes, Label } from './comparison.ts';

/** What a developer can know of a page and its visitors beforehand. */
export interface Features {
  /** From the server to the visitor; Infinity where it is unlimited. */
  readonly rateKbps: number;
  readonly rttMs: number;
  readonly lossPercent: number;
  readonly objects: number;
  readonly bytesPerObject: number;
  readonly totalBytes: number;
  readonly queuePackets: number;
  readonly visit: string;
}

export type NumericFeature = Exclude<keyof Features, 'visit'>;

/** A question with two answers. */
export type Split =
  | { readonly feature: NumericFeature; readonly below: number }
  | { readonly feature: 'visit'; readonly is: string };

/** A decision tree; `yes` is where the question's answer is yes. */
export type Tree<L> = L | (Split & { readonly yes: Tree<L>; readonly no: Tree<L> });

/** Whether a node of a tree asks a question. */
export function isSplit<L>(node: Tree<L>): node is Split & { readonly yes: Tree<L>; readonly no: Tree<L> } {
  return typeof node === 'object' && node !== null && 'yes' in node;
}

/** What a tree says of the conditions that end up there. */
export interface Leaf {
  /** The arms that are as good as any: all of them is a tie. */
  readonly leaf: readonly string[];
  /** Those of them that were not beaten, without a proof that nothing beats them, in most conditions. */
  readonly undecided: readonly string[];
  readonly conditions: readonly string[];
  /** Of the conditions, those whose verdicts say otherwise. */
  readonly wrong: readonly string[];
  /** How much longer loads take with whatever arm of the leaf than with the condition's best one, on average. */
  readonly regretPercent: number;
  /** The share of resampled studies in which the leaf would say the same. */
  readonly support: number;
}

/** A condition as a tree sees it. */
export interface TreeCondition {
  readonly id: string;
  readonly features: Features;
  readonly label: Label;
  /** Those that were judged. */
  readonly blocks: readonly BlockOutcomes[];
}

/** How much longer loads take than with each condition's best arm: on average, and in the worst condition. */
export interface Regret {
  readonly regretPercent: number;
  readonly worstPercent: number;
}

/** A tree and how much it is worth. */
export interface TreeFindings {
  readonly tree: Tree<Leaf>;
  /** Of whoever follows the tree. */
  readonly regret: Regret;
  /** Of whoever always takes one arm, by its name. */
  readonly baselines: Readonly<Record<string, Regret>>;
  /** Conditions that a tree grown without them is right about, of all whose verdicts say something. */
  readonly leaveOneOut: { readonly right: number; readonly of: number };
}

import type { CombinedDecision, Decision } from './answer.ts';

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

/** What a question is about: the page, the visitor's link, or whether the visitor was there before. */
export type TreeSubject = 'page' | 'link' | 'visit';

const SUBJECTS: Readonly<Record<keyof Features, TreeSubject>> = {
  rateKbps: 'link',
  rttMs: 'link',
  lossPercent: 'link',
  queuePackets: 'link',
  objects: 'page',
  bytesPerObject: 'page',
  totalBytes: 'page',
  visit: 'visit',
};

/** What a tree can ask about a page, or a link: where that is the same, the tree tells none from another. */
export function askable(features: Features, subject: TreeSubject): string {
  const asked = (Object.keys(SUBJECTS) as (keyof Features)[]).filter((feature) => SUBJECTS[feature] === subject);
  return asked.map((feature) => features[feature]).join();
}

/** What the questions of a tree are about, each named once; nothing where it asks none. */
export function subjectsOf<L>(tree: Tree<L>): readonly TreeSubject[] {
  const found = new Set<TreeSubject>();
  const look = (node: Tree<L>) => {
    if (!isSplit(node)) return;
    found.add(SUBJECTS[node.feature]);
    look(node.yes);
    look(node.no);
  };
  look(tree);
  return (['page', 'link', 'visit'] as const).filter((subject) => found.has(subject));
}

/** What a tree says of the conditions that end up there. */
export interface Leaf extends CombinedDecision {
  /** The largest of the conditions' expected regrets, and where that is. */
  readonly worstPercent: number;
  readonly worstCondition: string;
  readonly conditions: readonly string[];
  /** Its links, where all conditions of these links end up there; absent where one has conditions elsewhere, too. */
  readonly links?: readonly string[] | undefined;
}

/** A condition as a tree sees it. */
export interface TreeCondition {
  readonly id: string;
  readonly features: Features;
  readonly decision: Decision;
  /** Its part of the traffic. */
  readonly weight: number;
}

/** How much longer loads take than with each condition's best arm: on average over the traffic, and in the worst condition. */
export interface Regret {
  readonly meanPercent: number;
  readonly worstPercent: number;
}

/** What a tree costs: in the conditions that it was grown from, and in each where it was grown without that one. */
export interface TreeRegret extends Regret {
  /** Absent where there was but one condition. */
  readonly leftOutMeanPercent?: number | undefined;
  readonly leftOutWorstPercent?: number | undefined;
  /**
   * What it costs for each page where it was grown without that page; absent where it asks nothing, or there is one page. Pages
   * that a tree cannot tell apart are one.
   */
  readonly newPage?: Regret | undefined;
  /** What it costs over each link where it was grown without that link; absent where it asks nothing, or there is one link. */
  readonly newLink?: Regret | undefined;
}

/** A tree and how much it is worth. */
export interface TreeFindings {
  readonly tree: Tree<Leaf>;
  readonly regret: TreeRegret;
  /** The regret of always serving one arm, by its name. */
  readonly always: Readonly<Record<string, Regret>>;
}

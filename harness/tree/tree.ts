import { notBeaten } from '../comparison/label.ts';
import type { Label, Rule } from '../model/comparison.ts';
import type { Leaf, Tree, TreeCondition, TreeFindings } from '../model/tree.ts';
import { resampled } from '../stats/bootstrap.ts';
import { seededRandom } from '../stats/random.ts';
import { pluggedInLabel, winTable } from './plug-in.ts';
import { type ByHalf, halve, regretOf, regretOver } from './regret.ts';
import { bestAnswer, follow, mapLeaves, type SearchLeaf, treeSearch } from './tree-search.ts';

/** What a tree is grown from. */
export interface TreeRequest {
  readonly conditions: readonly TreeCondition[];
  /** In the order in which a leaf names them. */
  readonly arms: readonly string[];
  readonly rule: Rule;
  readonly seed: number;
  /** Questions from the root to any leaf, at most. */
  readonly depth?: number;
  /** Resampled studies that a leaf's support is a share of. */
  readonly resamples?: number;
}

/** Small enough to be remembered, and to be found exactly. */
const DEPTH = 3;
const RESAMPLES = 200;
/** With up to so many arms a leaf may be any set of them; with more, any that some condition has. */
const ARMS_FOR_ALL_SETS = 5;

/**
 * Grows the tree that tells from a page and its visitors which arms to serve, and says how good it is; undefined where
 * nothing was measured.
 *
 * As in Krämer, Megyesi, Molnár 2015 (figure 8) a leaf is a set of arms: those that are as good as any. It is wrong
 * about a condition where the verdicts there prove another set: where it names an arm that is beaten, or leaves out
 * one that nothing beats. What is undecided contradicts no leaf. The tree is wrong about as few conditions as one of
 * its depth can be; of those it has the fewest leaves, and of those the least regret. Regret does not come first: it
 * would have every leaf name one arm, and could not say that two are equal; and unlike verdicts it is measured with an
 * error that a search picks out.
 */
export function growTree(request: TreeRequest): TreeFindings | undefined {
  const conditions = request.conditions.filter((condition) => condition.blocks.length > 0);
  if (conditions.length === 0) return undefined;
  const study = prepare({ ...request, conditions });
  const everything = conditions.map((_, index) => index);
  const search = treeSearch(study);
  const tree = search(everything, study.depth);
  const choiceIn = (index: number) => choiceByHalf(study, follow(tree, study.features[index]!).cases);
  return {
    tree: mapLeaves(tree, (leaf) => describeLeaf(study, leaf)),
    regret: regretOver(everything.map((index) => regretOf(study.halves[index]!, choiceIn(index)))),
    baselines: Object.fromEntries(
      request.arms.map((arm) => [arm, regretOver(study.halves.map((halves) => regretOf(halves, [[arm], [arm]])))]),
    ),
    leaveOneOut: leaveOneOut(study, (cases) => search(cases, study.depth)),
  };
}

type Study = ReturnType<typeof prepare>;

function prepare({ conditions, arms, rule, seed, depth = DEPTH, resamples = RESAMPLES }: TreeRequest) {
  const wins = conditions.map((condition) => winTable(arms, condition.blocks, rule));
  const halves = conditions.map((condition, index) => halve(condition.blocks, wins[index]!, rule));
  const answers = answersFor(arms, conditions);
  const wrongAbout = (label: Label) => answers.map((answer) => isWrong(answer, label));
  return {
    ...{ conditions, arms, rule, seed, depth, resamples, wins, halves, answers, wrongAbout },
    features: conditions.map((condition) => condition.features),
    wrong: conditions.map((condition) => wrongAbout(condition.label)),
    regret: halves.map((half) => answers.map((answer) => regretOf(half, [answer, answer]))),
    wrongByHalf: [0, 1].map((which) => halves.map((half) => wrongAbout(half[which]!.label))),
  };
}

/** The sets of arms that a leaf may be, larger ones first: of answers that are equally often wrong it leaves out least. */
function answersFor(arms: readonly string[], conditions: readonly TreeCondition[]): readonly (readonly string[])[] {
  const sets =
    arms.length <= ARMS_FOR_ALL_SETS
      ? Array.from({ length: 2 ** arms.length - 1 }, (_, bits) =>
          arms.filter((_arm, index) => (bits + 1) & (1 << index)),
        )
      : [...arms.map((arm) => [arm]), ...conditions.map(({ label }) => notBeaten(arms, label))];
  const different = new Map(sets.map((set) => [set.join('\n'), set]));
  return [...different.values()].sort((a, b) => b.length - a.length);
}

function isWrong(answer: readonly string[], { unbeaten, beaten }: Label): boolean {
  return answer.some((arm) => beaten.includes(arm)) || unbeaten.some((arm) => !answer.includes(arm));
}

/** What each half of the blocks alone would have a leaf of these cases say. */
function choiceByHalf({ answers, wrongByHalf }: Study, cases: readonly number[]): ByHalf<readonly string[]> {
  const choice = (half: number) => answers[bestAnswer({ wrong: wrongByHalf[half]! }, cases)]!;
  return [choice(0), choice(1)];
}

function describeLeaf(study: Study, { answer, cases }: SearchLeaf): Leaf {
  const leaf = study.answers[answer]!;
  const chosen = choiceByHalf(study, cases);
  const ids = (indexes: readonly number[]) => indexes.map((index) => study.conditions[index]!.id);
  return {
    leaf,
    undecided: leaf.filter((arm) =>
      isMostlyOpen(
        arm,
        cases.map((index) => study.conditions[index]!.label),
      ),
    ),
    conditions: ids(cases),
    wrong: ids(cases.filter((index) => study.wrong[index]![answer])),
    regretPercent: regretOver(cases.map((index) => regretOf(study.halves[index]!, chosen))).regretPercent,
    support: supportOf(study, answer, cases),
  };
}

function isMostlyOpen(arm: string, labels: readonly Label[]): boolean {
  const open = labels.filter((label) => label.open.includes(arm)).length;
  return open > labels.filter((label) => label.unbeaten.includes(arm)).length;
}

/** The share of studies, each of blocks drawn from those measured in each condition, whose leaf would say the same. */
function supportOf(
  { seed, resamples, conditions, wins, rule, wrongAbout }: Study,
  answer: number,
  cases: readonly number[],
): number {
  const random = seededRandom(seed, `support ${cases}`);
  const labelAnew = (index: number) =>
    pluggedInLabel(wins[index]!, resampled([...conditions[index]!.blocks.keys()], random), rule);
  let same = 0;
  for (let study = 0; study < resamples; study += 1)
    if (bestAnswer({ wrong: cases.map((index) => wrongAbout(labelAnew(index))) }, [...cases.keys()]) === answer)
      same += 1;
  return same / resamples;
}

/** Leaves out whole conditions: loads of the same one are no news to a tree that has seen others of it. */
function leaveOneOut(
  { features, wrong, conditions }: Study,
  grow: (cases: readonly number[]) => Tree<SearchLeaf>,
): TreeFindings['leaveOneOut'] {
  const decided = [...conditions.keys()].filter((index) => {
    const { unbeaten, beaten } = conditions[index]!.label;
    return unbeaten.length + beaten.length > 0;
  });
  if (conditions.length === 1) return { right: 0, of: 0 };
  const right = decided.filter((index) => {
    const others = [...conditions.keys()].filter((each) => each !== index);
    return !wrong[index]![follow(grow(others), features[index]!).answer];
  });
  return { right: right.length, of: decided.length };
}

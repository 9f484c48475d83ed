import type { Tree } from '../model/tree.ts';
import { sumOf } from '../stats/order.ts';
import { type Costs, countingWeights, evenly, searchedWeights } from './costs.ts';
import { follow, type SearchLeaf, type SearchSpace, type TreeSearch, treeSearch } from './tree-search.ts';

/** What answers cost, as a fraction of the best there is: on average by the cases' weights, and in the worst case. */
export interface RegretFigures {
  readonly mean: number;
  readonly worst: number;
}

/** Which answer each case gets, and what that costs. */
export interface Answered {
  /** By case. */
  readonly answers: readonly number[];
  readonly regret: RegretFigures;
}

/** The best tree of at most `atMost` leaves. */
export interface TreeOfSize {
  readonly atMost: number;
  /** How many leaves it has: fewer where more are of no use. */
  readonly leaves: number;
  readonly tree: Tree<SearchLeaf>;
  /** In the cases that it was grown on. */
  readonly training: Answered;
  /** Each case answered by a tree that was grown without it; undefined where nothing is left to grow one on. */
  readonly leftOut: Answered | undefined;
}

/** The tree that was chosen, what it was chosen from, and what it is compared with. */
export interface ChosenTree extends TreeOfSize {
  /** From one leaf up. */
  readonly sizes: readonly TreeOfSize[];
  /** By answer: what it costs to give it everywhere. Nothing is grown, so that leaving cases out changes nothing. */
  readonly always: readonly RegretFigures[];
  /** By grouping: what a tree of this size costs where all cases of a group are left out; undefined where it asks nothing, or there is one group. */
  readonly leftOutTogether: readonly (RegretFigures | undefined)[];
}

type Grouping = readonly (string | number)[];

/** How a tree is chosen. */
export interface ChoiceOptions {
  /** Questions from the root to any leaf, at most. */
  readonly depth?: number;
  /** In each grouping by case its group. Cases of a group are left out together to see what that costs. */
  readonly groupings?: readonly Grouping[];
}

/** Small enough to be remembered, and to be found exactly. */
const DEPTH = 3;
/** How much more than the best tree a smaller one may cost in cases that it has not seen: a percentage point. */
const WORTH_LEAVES = 0.01;
/** With more groups than this, several are left out at once: one by one would take seconds and tell little more. */
const MOST_LEFT_OUT_ALONE = 100;
const FOLDS = 20;

/**
 * Grows the tree that costs least, for each number of leaves that it may have, and takes the smallest of them that costs
 * nearly as little as any in cases that it was grown without. A single leaf is one of them: where questions are not
 * worth asking, none is asked.
 */
export function chooseTree(space: SearchSpace, { depth = DEPTH, groupings = [] }: ChoiceOptions = {}): ChosenTree {
  const cases = [...space.features.keys()];
  const grow = treeSearch({ ...space, weights: searchedWeights(space.weights ?? evenly(space.cost.length)) });
  const withoutThese = (grouping: Grouping) =>
    answersLeftOut(space, foldsOf(grouping), (others) => grow(others, depth));
  const leftOut = withoutThese(cases);
  const sizes = grow(cases, depth).map(({ tree, leaves }, index): TreeOfSize => {
    const training = cases.map((each) => follow(tree, space.features[each]!).answer);
    return {
      atMost: index + 1,
      leaves,
      tree,
      training: answered(space, training),
      leftOut:
        leftOut &&
        answered(
          space,
          leftOut.map((bySize) => bySize[index]!),
        ),
    };
  });
  const always = space.cost[0]!.map((_, answer) =>
    regretOfAnswers(
      space,
      cases.map(() => answer),
    ),
  );
  const chosen = smallestGood(sizes);
  const answerOfSize = (bySize: readonly number[]) => bySize[chosen.atMost - 1]!;
  const leftOutTogether = groupings.map((grouping) => {
    // One arm always costs what it costs, whatever was left out.
    if (chosen.leaves === 1) return undefined;
    const answers = withoutThese(grouping)?.map(answerOfSize);
    return answers && regretOfAnswers(space, answers);
  });
  return { ...chosen, sizes, always, leftOutTogether };
}

/** What it costs to give these answers, by case: the mean is weighed, the worst is of the cases that count at all. */
export function regretOfAnswers(space: Costs, answers: readonly number[]): RegretFigures {
  const { cost } = space;
  const weights = countingWeights(space.weights ?? evenly(cost.length));
  const costs = answers.map((answer, index) => cost[index]![answer]!);
  const sum = costs.reduce((total, each, index) => total + each * weights[index]!, 0);
  const weight = sumOf(weights);
  return { mean: sum / weight, worst: Math.max(...costs.filter((_, index) => weights[index]! > 0)) };
}

function answered(space: SearchSpace, answers: readonly number[]): Answered {
  return { answers, regret: regretOfAnswers(space, answers) };
}

function smallestGood(sizes: readonly TreeOfSize[]): TreeOfSize {
  // One arm always costs what it costs, whatever was left out, and no tree may cost more.
  const mean = ({ leftOut, training, leaves }: TreeOfSize) =>
    (leaves === 1 ? training : (leftOut ?? training)).regret.mean;
  const least = Math.min(...sizes.map(mean));
  // Differences of numbers that are written in percent differ in their last digits.
  return sizes.find((size) => mean(size) <= least + WORTH_LEAVES + 1e-9) ?? sizes[0]!;
}

/** By case, then by size: what a tree says that was grown without the cases that are left out together with this one. */
function answersLeftOut(
  { features }: SearchSpace,
  folds: readonly number[],
  grow: (cases: readonly number[]) => ReturnType<TreeSearch>,
): readonly (readonly number[])[] | undefined {
  const different = [...new Set(folds)];
  if (different.length < 2) return undefined;
  const trees = new Map(
    different.map((fold) => [fold, grow([...folds.keys()].filter((each) => folds[each] !== fold))]),
  );
  return folds.map((fold, each) => trees.get(fold)!.map(({ tree }) => follow(tree, features[each]!).answer));
}

/** By case: with which others it is left out. Groups stay whole, and the same ones always go together. */
function foldsOf(groups: Grouping): readonly number[] {
  const numbers = new Map([...new Set(groups)].map((group, index) => [group, index]));
  const folds = numbers.size > MOST_LEFT_OUT_ALONE ? FOLDS : numbers.size;
  return groups.map((group) => numbers.get(group)! % folds);
}

import { type CombineRequest, combineDecisions } from '../comparison/combine.ts';
import { namesArm } from '../model/answer.ts';
import { askable, type Leaf, type TreeCondition, type TreeFindings } from '../model/tree.ts';
import { chooseTree, type RegretFigures } from './choose-tree.ts';
import { countingWeights } from './costs.ts';
import { mapLeaves, type SearchLeaf } from './tree-search.ts';

/** What a tree is grown from. */
export interface TreeRequest extends CombineRequest {
  /** Those that have a decision. */
  readonly conditions: readonly TreeCondition[];
}

/**
 * Grows the tree that tells from a page and its visitors which arm to serve, at the least expected regret, and says what
 * it costs; undefined where nothing was measured. Everything counts that has a decision, sure or not: what is unsure has
 * an expected regret that says so.
 */
export function growTree(request: TreeRequest): TreeFindings | undefined {
  const { conditions, arms } = request;
  if (conditions.length === 0) return undefined;
  const chosen = chooseTree(
    {
      features: conditions.map(({ features }) => features),
      cost: conditions.map(({ decision }) => arms.map((arm) => decision.answer.arms[arm]!.regretPercent / 100)),
      weights: conditions.map(({ weight }) => weight),
    },
    { groupings: (['page', 'link'] as const).map((each) => conditions.map(({ features }) => askable(features, each))) },
  );
  const { training, leftOut } = chosen;
  const [newPage, newLink] = chosen.leftOutTogether;
  return {
    tree: mapLeaves(chosen.tree, (leaf) => describeLeaf(leaf, request)),
    regret: {
      ...regretOf(training.regret),
      leftOutMeanPercent: leftOut && 100 * leftOut.regret.mean,
      leftOutWorstPercent: leftOut && 100 * leftOut.regret.worst,
      newPage: newPage && regretOf(newPage),
      newLink: newLink && regretOf(newLink),
    },
    always: Object.fromEntries(arms.map((arm, index) => [arm, regretOf(chosen.always[index]!)])),
  };
}

function regretOf({ mean, worst }: RegretFigures) {
  return { meanPercent: 100 * mean, worstPercent: 100 * worst };
}

function describeLeaf({ answer, cases }: SearchLeaf, { conditions, arms, ...request }: TreeRequest): Leaf {
  const own = cases.map((each) => conditions[each]!);
  const serve = arms[answer]!;
  // Where arms cost the same, sums in another order might name another one.
  const weights = countingWeights(own.map(({ weight }) => weight));
  const combined = combineDecisions(
    own.map(({ decision }, index) => ({ decision, weight: weights[index]! })),
    { arms, ...request },
    serve,
  );
  const regretOfCase = ({ decision }: TreeCondition) => decision.answer.arms[serve]!.regretPercent;
  const counted = own.filter((_, index) => weights[index]! > 0);
  const worst = counted.reduce((most, each) => (regretOfCase(each) > regretOfCase(most) ? each : most));
  return {
    ...combined,
    // Not on average alone: a reader who follows the tree may have one of the conditions alone.
    asGood: combined.asGood.filter((arm) => own.every(({ decision }) => namesArm(decision.answer, arm))),
    worstPercent: regretOfCase(worst),
    worstCondition: worst.id,
    conditions: own.map(({ id }) => id),
  };
}

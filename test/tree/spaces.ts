import { type Features, isSplit, type Tree } from '../../harness/model/tree.ts';
import { seededRandom } from '../../harness/stats/random.ts';
import type { SearchLeaf, SearchSpace } from '../../harness/tree/tree-search.ts';

const PLAIN: Features = {
  rateKbps: 10_000,
  rttMs: 50,
  lossPercent: 0,
  objects: 10,
  bytesPerObject: 1000,
  totalBytes: 10_000,
  queuePackets: 40,
  visit: 'cold',
};

/** Cases with what each answer costs there; all count alike, and what is not said of them is the same. */
export function spaceOf(cases: readonly (readonly [Partial<Features>, ...cost: number[]])[]): SearchSpace {
  return {
    features: cases.map(([features]) => ({ ...PLAIN, ...features })),
    cost: cases.map(([, ...cost]) => cost),
  };
}

/** Cases that a seed determines; where costs are whole numbers, many trees cost the same. */
export function randomSpace(seed: number, { cases = 14, whole = false, visits = ['cold', 'repeat', 'resumed'] } = {}) {
  const random = seededRandom(seed);
  const pick = <T>(items: readonly T[]) => items[Math.floor(random() * items.length)]!;
  const costs = () => Array.from({ length: 3 }, () => (whole ? Math.floor(3 * random()) : random()));
  const drawn = Array.from({ length: cases }, () => ({
    features: {
      ...PLAIN,
      rateKbps: pick([2000, 10_000, Number.POSITIVE_INFINITY]),
      rttMs: pick([18, 218]),
      objects: pick([5, 50, 500]),
      visit: pick(visits),
    },
    cost: costs(),
    weight: whole ? 1 : random(),
  }));
  const sum = drawn.reduce((total, { weight }) => total + weight, 0);
  return {
    features: drawn.map(({ features }) => features),
    cost: drawn.map(({ cost }) => cost),
    weights: drawn.map(({ weight }) => weight / sum),
  };
}

/** A tree with nothing but its questions and its answers. */
export function answersOnly(tree: Tree<SearchLeaf>): unknown {
  return isSplit(tree)
    ? { ...tree, yes: answersOnly(tree.yes), no: answersOnly(tree.no) }
    : (tree as SearchLeaf).answer;
}

/** How many leaves a tree has. */
export function leavesOf(tree: Tree<SearchLeaf>): number {
  return isSplit(tree) ? leavesOf(tree.yes) + leavesOf(tree.no) : 1;
}

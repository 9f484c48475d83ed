import { type Features, isSplit, type NumericFeature, type Split, type Tree } from '../model/tree.ts';
import { type Bits, bitsWhere, countOfBoth, difference, intersection, membersOf } from '../stats/bits.ts';

/** What a tree is searched over: cases with features, and what each of some answers does in each of them. */
export interface SearchSpace {
  readonly features: readonly Features[];
  /** By case, then by answer: whether it is wrong there. */
  readonly wrong: readonly (readonly boolean[])[];
  /** By case, then by answer: what following it costs there. */
  readonly regret: readonly (readonly number[])[];
}

/** A leaf of a searched tree: its cases, and the answer that is wrong in the fewest of them. */
export interface SearchLeaf {
  readonly answer: number;
  readonly cases: readonly number[];
}

/**
 * A search for the best of all trees up to a depth, found exactly: wrong about the fewest cases, of those with the fewest
 * leaves, of those with the least regret. Greedy trees miss what only two questions together can tell. As each of the
 * three is a sum over leaves, the best tree below a question is the best of either side (as in Aglin, Nijssen, Schaus
 * 2020, DL8.5). What was found for some cases is kept for further searches of the same space.
 */
export function treeSearch(space: SearchSpace): (cases: readonly number[], depth: number) => Tree<SearchLeaf> {
  const state = {
    space,
    wrong: space.wrong[0]!.map((_, answer) => bitsWhere(space.wrong.length, (each) => space.wrong[each]![answer]!)),
    questions: questionsOf(space.features),
    known: new Map<string, Found>(),
  };
  return (cases, depth) => {
    const asked = new Set(cases);
    const bits = bitsWhere(space.features.length, (each) => asked.has(each));
    return finish(search(state, bits, depth).tree, space.features);
  };
}

/** The leaf that a case of these features ends up in. */
export function follow<L>(tree: Tree<L>, features: Features): L {
  let node = tree;
  while (isSplit(node)) node = answersYes(node, features) ? node.yes : node.no;
  return node as L;
}

/** The same tree with other leaves. */
export function mapLeaves<From, To>(tree: Tree<From>, change: (leaf: From) => To): Tree<To> {
  return isSplit(tree)
    ? { ...tree, yes: mapLeaves(tree.yes, change), no: mapLeaves(tree.no, change) }
    : change(tree as From);
}

/** The answer that is wrong in the fewest cases; of several the first. */
export function bestAnswer({ wrong }: Pick<SearchSpace, 'wrong'>, cases: readonly number[]): number {
  const counts = wrong[cases[0]!]!.map((_, answer) => cases.filter((each) => wrong[each]![answer]).length);
  return counts.indexOf(Math.min(...counts));
}

interface Search {
  readonly space: SearchSpace;
  /** By answer: the cases that it is wrong about. */
  readonly wrong: readonly Bits[];
  readonly questions: readonly Question[];
  /** Every set of cases that was searched to a depth: the same questions in another order lead to the same set. */
  readonly known: Map<string, Found>;
}

/** A leaf while it is searched. */
interface BitLeaf {
  readonly answer: number;
  readonly cases: Bits;
}

interface Found {
  readonly wrong: number;
  readonly leaves: number;
  readonly tree: Tree<BitLeaf>;
}

function search(state: Search, cases: Bits, depth: number): Found {
  if (depth === 0) return leafOf(state, cases);
  const key = `${depth} ${cases}`;
  const found = state.known.get(key) ?? searchAnew(state, cases, depth);
  state.known.set(key, found);
  return found;
}

function searchAnew(state: Search, cases: Bits, depth: number): Found {
  let best = leafOf(state, cases);
  // A leaf that is never wrong has the fewest leaves too.
  if (best.wrong === 0) return best;
  for (const { split, yes } of state.questions) {
    const [inYes, inNo] = [intersection(cases, yes), difference(cases, yes)];
    if (isEmpty(inYes) || isEmpty(inNo)) continue;
    const ifYes = search(state, inYes, depth - 1);
    if (ifYes.wrong > best.wrong) continue;
    const ifNo = search(state, inNo, depth - 1);
    const found: Found = {
      wrong: ifYes.wrong + ifNo.wrong,
      leaves: ifYes.leaves + ifNo.leaves,
      tree: { ...split, yes: ifYes.tree, no: ifNo.tree },
    };
    if (isBetter(found, best, state.space)) best = found;
  }
  return best;
}

function leafOf({ wrong }: Search, cases: Bits): Found {
  const counts = wrong.map((wrongCases) => countOfBoth(cases, wrongCases));
  const least = Math.min(...counts);
  return { wrong: least, leaves: 1, tree: { answer: counts.indexOf(least), cases } };
}

function isBetter(a: Found, b: Found, space: SearchSpace): boolean {
  if (a.wrong !== b.wrong) return a.wrong < b.wrong;
  if (a.leaves !== b.leaves) return a.leaves < b.leaves;
  // Sums in another order differ in their last digits.
  return regretOf(a.tree, space) < regretOf(b.tree, space) - 1e-9;
}

function regretOf(tree: Tree<BitLeaf>, space: SearchSpace): number {
  if (isSplit(tree)) return regretOf(tree.yes, space) + regretOf(tree.no, space);
  const { answer, cases } = tree as BitLeaf;
  return membersOf(cases).reduce((sum, each) => sum + space.regret[each]![answer]!, 0);
}

function isEmpty(bits: Bits): boolean {
  return bits.every((word) => word === 0);
}

/** In the order in which a developer is likelier to know them: of two that part the cases alike the first is asked. */
const NUMERIC_FEATURES: readonly NumericFeature[] = [
  'rateKbps',
  'rttMs',
  'lossPercent',
  'objects',
  'bytesPerObject',
  'totalBytes',
  'queuePackets',
];

interface Question {
  readonly split: Split;
  readonly yes: Bits;
}

/** Every question that parts the cases, each way of parting them once. */
function questionsOf(features: readonly Features[]): readonly Question[] {
  const splits: Split[] = [
    ...NUMERIC_FEATURES.flatMap((feature) =>
      thresholds(features.map((each) => each[feature])).map((below) => ({ feature, below })),
    ),
    ...[...new Set(features.map((each) => each.visit))].map((is) => ({ feature: 'visit' as const, is })),
  ];
  const different = new Map<string, Question>();
  for (const split of splits) {
    const yes = bitsWhere(features.length, (each) => answersYes(split, features[each]!));
    const no = bitsWhere(features.length, (each) => !answersYes(split, features[each]!));
    if (!isEmpty(no) && !different.has(`${yes}`) && !different.has(`${no}`)) different.set(`${yes}`, { split, yes });
  }
  return [...different.values()];
}

function answersYes(split: Split, features: Features): boolean {
  return split.feature === 'visit' ? features.visit === split.is : features[split.feature] < split.below;
}

function thresholds(values: readonly number[]): readonly number[] {
  const ascending = [...new Set(values)].sort((a, b) => a - b);
  return ascending.slice(1).map((high, index) => roundNumberBetween(ascending[index]!, high));
}

/** Moves each threshold to where the cases that are asked it leave most room on either side. */
function finish(tree: Tree<BitLeaf>, features: readonly Features[]): Tree<SearchLeaf> {
  if (!isSplit(tree)) {
    const { answer, cases } = tree as BitLeaf;
    return { answer, cases: membersOf(cases) };
  }
  const [yes, no] = [finish(tree.yes, features), finish(tree.no, features)];
  if (tree.feature === 'visit') return { ...tree, yes, no };
  const { feature } = tree;
  const values = (side: Tree<SearchLeaf>) => casesOf(side).map((each) => features[each]![feature]);
  return { feature, below: roundNumberBetween(Math.max(...values(yes)), Math.min(...values(no))), yes, no };
}

function casesOf(tree: Tree<SearchLeaf>): readonly number[] {
  return isSplit(tree) ? [...casesOf(tree.yes), ...casesOf(tree.no)] : (tree as SearchLeaf).cases;
}

/** The number with the fewest digits that is above `low` and at most `high`, near their geometric mean. */
export function roundNumberBetween(low: number, high: number): number {
  if (high === Number.POSITIVE_INFINITY) return 2 * low;
  const middle = low > 0 ? Math.sqrt(low * high) : high / 2;
  for (let digits = 1; digits <= 15; digits += 1) {
    const rounded = Number(middle.toPrecision(digits));
    if (rounded > low && rounded <= high) return rounded;
  }
  return high;
}

import { describe, expect, test } from '@jest/globals';
import { type Features, isSplit, type Tree } from '../../harness/model/tree.ts';
import { seededRandom } from '../../harness/stats/random.ts';
import {
  follow,
  roundNumberBetween,
  type SearchLeaf,
  type SearchSpace,
  treeSearch,
} from '../../harness/tree/tree-search.ts';

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

/** Cases with one right answer each; regret is one for every wrong one. */
function spaceOf(cases: readonly (readonly [Partial<Features>, right: number])[], answers: number): SearchSpace {
  const wrong = cases.map(([, right]) => Array.from({ length: answers }, (_, answer) => answer !== right));
  return {
    features: cases.map(([features]) => ({ ...PLAIN, ...features })),
    wrong,
    regret: wrong.map((row) => row.map(Number)),
  };
}

const grow = (space: SearchSpace, depth: number) => treeSearch(space)([...space.features.keys()], depth);
const answersOnly = (tree: Tree<SearchLeaf>): unknown =>
  isSplit(tree) ? { ...tree, yes: answersOnly(tree.yes), no: answersOnly(tree.no) } : (tree as SearchLeaf).answer;
const wrongOf = (tree: Tree<SearchLeaf>, space: SearchSpace) =>
  space.features.filter((features, index) => space.wrong[index]![follow(tree, features).answer]).length;
const leavesOf = (tree: Tree<SearchLeaf>): number => (isSplit(tree) ? leavesOf(tree.yes) + leavesOf(tree.no) : 1);

test('a question that tells all is the whole tree', () => {
  const space = spaceOf(
    [
      [{ rttMs: 18 }, 0],
      [{ rttMs: 28 }, 0],
      [{ rttMs: 218 }, 1],
    ],
    2,
  );
  expect(answersOnly(grow(space, 3))).toEqual({ feature: 'rttMs', below: 80, yes: 0, no: 1 });
});

test('two questions that tell nothing alone are found together', () => {
  const corners = [0, 2].flatMap((lossPercent) => [5, 50].map((objects) => ({ lossPercent, objects })));
  const space = spaceOf(
    corners.flatMap((corner) =>
      [18, 218].map((rttMs) => [{ ...corner, rttMs }, Number(corner.lossPercent > 0 === corner.objects > 9)] as const),
    ),
    2,
  );
  expect(wrongOf(grow(space, 1), space)).toBe(4);
  expect(answersOnly(grow(space, 3))).toEqual({
    feature: 'lossPercent',
    below: 1,
    yes: { feature: 'objects', below: 20, yes: 1, no: 0 },
    no: { feature: 'objects', below: 20, yes: 0, no: 1 },
  });
});

test('visits are told apart by name', () => {
  const space = spaceOf(
    [
      [{ visit: 'cold' }, 0],
      [{ visit: 'resumed' }, 1],
      [{ visit: 'repeat' }, 0],
      [{ visit: 'discovered' }, 0],
    ],
    2,
  );
  expect(answersOnly(grow(space, 3))).toEqual({ feature: 'visit', is: 'resumed', yes: 1, no: 0 });
});

test('an unlimited rate is above any other', () => {
  const space = spaceOf(
    [
      [{ rateKbps: 50_000 }, 0],
      [{ rateKbps: Number.POSITIVE_INFINITY }, 1],
    ],
    2,
  );
  expect(answersOnly(grow(space, 1))).toEqual({ feature: 'rateKbps', below: 100_000, yes: 0, no: 1 });
});

test('of trees that are equally often wrong, the one with fewer leaves; of those, the one with less regret', () => {
  const cases = [
    [{ rttMs: 18 }, 0],
    [{ rttMs: 40 }, 1],
    [{ rttMs: 60 }, 0],
    [{ rttMs: 90 }, 1],
  ] as const;
  const space = spaceOf(cases, 2);
  const costly = {
    ...space,
    regret: space.regret.map((row, index) => row.map((regret) => (index === 2 ? 9 : 1) * regret)),
  };
  expect(answersOnly(grow(space, 1))).toEqual({ feature: 'rttMs', below: 30, yes: 0, no: 1 });
  expect(answersOnly(grow(costly, 1))).toEqual({ feature: 'rttMs', below: 70, yes: 0, no: 1 });
  expect(
    answersOnly(
      grow(
        spaceOf(
          [
            [{ rttMs: 1 }, 1],
            [{ rttMs: 2 }, 1],
          ],
          2,
        ),
        3,
      ),
    ),
  ).toBe(1);
});

describe('is as seldom wrong, in as few leaves, as the best of all trees tried one by one', () => {
  test.each(Array.from({ length: 20 }, (_, seed) => seed))('seed %i', (seed) => {
    const random = seededRandom(seed);
    const pick = <T>(items: readonly T[]) => items[Math.floor(random() * items.length)]!;
    const space = spaceOf(
      Array.from({ length: 14 }, () => [
        {
          rateKbps: pick([2000, 10_000, 50_000]),
          rttMs: pick([18, 218]),
          objects: pick([5, 50]),
          visit: pick(['cold', 'repeat', 'resumed']),
        },
        Math.floor(3 * random()),
      ]),
      3,
    );
    const tree = grow(space, 2);
    expect([wrongOf(tree, space), leavesOf(tree)]).toEqual(bruteForce(space, [...space.features.keys()], 2));
  });
});

/** The least number of wrong cases, and the least number of leaves with which it is had. */
function bruteForce({ features, wrong }: SearchSpace, cases: readonly number[], depth: number): [number, number] {
  const asLeaf = Math.min(...wrong[0]!.map((_, answer) => cases.filter((each) => wrong[each]![answer]).length));
  let best: [number, number] = [asLeaf, 1];
  if (depth === 0) return best;
  const questions: ((each: Features) => boolean)[] = [
    ...(['rateKbps', 'rttMs', 'objects'] as const).flatMap((feature) =>
      [10, 100, 5000, 20_000].map((limit) => (each: Features) => each[feature] < limit),
    ),
    ...['cold', 'repeat', 'resumed'].map((visit) => (each: Features) => each.visit === visit),
  ];
  for (const question of questions) {
    const sides = [true, false].map((answer) => cases.filter((each) => question(features[each]!) === answer));
    if (sides.some((side) => side.length === 0)) continue;
    const [yes, no] = sides.map((side) => bruteForce({ features, wrong, regret: [] }, side, depth - 1));
    const cost: [number, number] = [yes![0] + no![0], yes![1] + no![1]];
    if (cost[0] < best[0] || (cost[0] === best[0] && cost[1] < best[1])) best = cost;
  }
  return best;
}

test.each([
  [18, 218, 60],
  [28, 30, 30],
  [0, 2, 1],
  [0.5, 1, 0.7],
  [5, 50, 20],
  [2000, 10_000, 4000],
  [131_071, 131_072, 131_071.5],
])('between %d and %d lies %d', (low, high, number) => {
  expect(roundNumberBetween(low, high)).toBe(number);
});

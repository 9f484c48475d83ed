import { describe, expect, test } from '@jest/globals';
import { type Features, isSplit, type Tree } from '../../harness/model/tree.ts';
import { follow, type SearchLeaf, type SearchSpace, treeSearch } from '../../harness/tree/tree-search.ts';
import { answersOnly, leavesOf, randomSpace, spaceOf } from './spaces.ts';

const SEEDS = Array.from({ length: 20 }, (_, seed) => seed);

const grow = (space: SearchSpace, depth: number) => treeSearch(space)([...space.features.keys()], depth);
const largest = (space: SearchSpace, depth: number) => answersOnly(grow(space, depth).at(-1)!.tree);
const depthOf = (tree: Tree<SearchLeaf>): number =>
  isSplit(tree) ? 1 + Math.max(depthOf(tree.yes), depthOf(tree.no)) : 0;

test('a question that tells all is the whole tree', () => {
  const space = spaceOf([
    [{ rttMs: 18 }, 0, 1],
    [{ rttMs: 28 }, 0, 1],
    [{ rttMs: 218 }, 1, 0],
  ]);
  const [leaf, ...trees] = grow(space, 3);
  expect(answersOnly(leaf!.tree)).toBe(0);
  expect(leaf!.cost).toBeCloseTo(1 / 3);
  expect(trees).toHaveLength(7);
  for (const { tree, cost, leaves } of trees) {
    expect(answersOnly(tree)).toEqual({ feature: 'rttMs', below: 80, yes: 0, no: 1 });
    expect([cost, leaves]).toEqual([0, 2]);
  }
});

test('two questions that tell nothing alone are found together', () => {
  const space = spaceOf(
    [0, 2].flatMap((lossPercent) =>
      [5, 50].flatMap((objects) =>
        [18, 218].map((rttMs) => {
          const right = lossPercent > 0 === objects > 9;
          return [{ lossPercent, objects, rttMs }, Number(right), Number(!right)] as const;
        }),
      ),
    ),
  );
  const trees = grow(space, 3);
  expect(trees.map(({ cost }) => cost)).toEqual([0.5, 0.5, 0.25, 0, 0, 0, 0, 0]);
  expect(trees.map(({ leaves }) => leaves)).toEqual([1, 1, 3, 4, 4, 4, 4, 4]);
  expect(answersOnly(trees.at(-1)!.tree)).toEqual({
    feature: 'lossPercent',
    below: 1,
    yes: { feature: 'objects', below: 20, yes: 1, no: 0 },
    no: { feature: 'objects', below: 20, yes: 0, no: 1 },
  });
});

test('what costs most decides, not what is best most often', () => {
  const space = spaceOf([
    [{ rttMs: 18 }, 0, 0.1],
    [{ rttMs: 28 }, 0, 0.1],
    [{ rttMs: 38 }, 9, 0],
  ]);
  expect(answersOnly(grow(space, 0)[0]!.tree)).toBe(1);
  expect(answersOnly(treeSearch({ ...space, weights: [0.5, 0.495, 0.005] })([0, 1, 2], 0)[0]!.tree)).toBe(0);
});

test('visits are told apart by name', () => {
  const space = spaceOf([
    [{ visit: 'cold' }, 0, 1],
    [{ visit: 'resumed' }, 1, 0],
    [{ visit: 'repeat' }, 0, 1],
    [{ visit: 'discovered' }, 0, 1],
  ]);
  expect(largest(space, 3)).toEqual({ feature: 'visit', is: 'resumed', yes: 1, no: 0 });
});

test('an unlimited rate is above any other', () => {
  const space = spaceOf([
    [{ rateKbps: 50_000 }, 0, 1],
    [{ rateKbps: Number.POSITIVE_INFINITY }, 1, 0],
  ]);
  expect(largest(space, 1)).toEqual({ feature: 'rateKbps', below: 100_000, yes: 0, no: 1 });
});

test('of answers that cost the same the first, of questions the one with the widest gap, or else the first', () => {
  const alike = spaceOf([
    [{ rttMs: 1, objects: 1 }, 0.1 + 0.2, 0.3, 0],
    [{ rttMs: 2, objects: 2 }, 0.3, 0.1 + 0.2, 9],
  ]);
  expect(answersOnly(grow(alike, 0)[0]!.tree)).toBe(0);
  // Round trips and objects part these cases differently, and tell as much.
  const crossed = spaceOf([
    [{ rttMs: 10, objects: 10 }, 0, 1],
    [{ rttMs: 10, objects: 90 }, 1, 1],
    [{ rttMs: 90, objects: 90 }, 1, 0],
  ]);
  const wider = spaceOf([
    [{ rttMs: 28, objects: 5 }, 0, 1],
    [{ rttMs: 28, objects: 50 }, 1, 1],
    [{ rttMs: 30, objects: 50 }, 1, 0],
  ]);
  for (const depth of [1, 2, 3]) {
    expect(answersOnly(grow(crossed, depth)[1]!.tree)).toEqual({ feature: 'rttMs', below: 30, yes: 0, no: 1 });
    expect(answersOnly(grow(wider, depth)[1]!.tree)).toEqual({ feature: 'objects', below: 20, yes: 0, no: 1 });
  }
});

test('of trees that cost the same and have as many leaves, the one whose narrowest question is widest', () => {
  // Two links of 10 and 28 ms, one of 30 ms that loses packets, and two of 50 and 170 ms.
  const space = spaceOf([
    [{ rttMs: 10, lossPercent: 0 }, 0, 1, 1],
    [{ rttMs: 28, lossPercent: 0 }, 0, 1, 1],
    [{ rttMs: 30, lossPercent: 0.3 }, 1, 0, 1],
    [{ rttMs: 50, lossPercent: 0.1 }, 1, 1, 0],
    [{ rttMs: 170, lossPercent: 0 }, 1, 1, 0],
  ]);
  expect(answersOnly(grow(space, 2)[2]!.tree)).toEqual({
    feature: 'lossPercent',
    below: 0.2,
    yes: { feature: 'rttMs', below: 40, yes: 0, no: 2 },
    no: 1,
  });
});

test('of trees that cost the same, one with fewer leaves', () => {
  // Each of two pairs is told apart by the objects; the rest costs the same whatever is asked.
  const space = spaceOf([
    [{ rttMs: 18, objects: 5 }, 0, 1],
    [{ rttMs: 40, objects: 50 }, 1, 0],
    [{ rttMs: 60, objects: 5 }, 0, 1],
    [{ rttMs: 90, objects: 50 }, 1, 0],
    [{ rttMs: 120, objects: 50 }, 0.5, 0.5],
  ]);
  expect(largest(space, 3)).toEqual({ feature: 'objects', below: 20, yes: 0, no: 1 });
  expect(
    largest(
      spaceOf([
        [{ rttMs: 1 }, 1, 0],
        [{ rttMs: 2 }, 1, 0],
      ]),
      3,
    ),
  ).toBe(1);
});

test('a threshold stands in the middle of the cases that are asked it', () => {
  const space = spaceOf([
    [{ rttMs: 10 }, 0, 1],
    [{ rttMs: 40 }, 0, 1],
    [{ rttMs: 90 }, 1, 0],
  ]);
  expect(answersOnly(treeSearch(space)([0, 2], 3)[1]!.tree)).toEqual({ feature: 'rttMs', below: 30, yes: 0, no: 1 });
});

describe('costs as little, with as few leaves, as the best of all trees tried one by one', () => {
  const cases = SEEDS.flatMap((seed) =>
    [false, true].flatMap((whole) => [1, 2].map((depth) => ({ seed, whole, depth }))),
  );
  test.each(cases)('%o', ({ seed, whole, depth }) => {
    const space = randomSpace(seed, { whole });
    const everything = [...space.features.keys()];
    const all = everyTree(space, everything, depth);
    for (const [index, found] of grow(space, depth).entries()) {
      const possible = all.filter(({ leaves }) => leaves <= index + 1);
      const least = Math.min(...possible.map(({ cost }) => cost));
      expect(found.cost).toBeCloseTo(least, 12);
      expect(found.leaves).toBe(
        Math.min(...possible.filter(({ cost }) => cost <= least + 1e-12).map(({ leaves }) => leaves)),
      );
    }
  });
});

describe('what is said of a tree is true of it', () => {
  test.each(SEEDS)('seed %i', (seed) => {
    const space = randomSpace(seed, { cases: 70 });
    const trees = grow(space, 3);
    for (const [index, { tree, cost, leaves }] of trees.entries()) {
      const answers = space.features.map((features) => follow(tree, features).answer);
      const sum = answers.reduce((total, answer, each) => total + space.weights[each]! * space.cost[each]![answer]!, 0);
      expect(sum).toBeCloseTo(cost, 12);
      expect(leavesOf(tree)).toBe(leaves);
      expect(leaves).toBeLessThanOrEqual(index + 1);
      expect(depthOf(tree)).toBeLessThanOrEqual(3);
      expect(cost).toBeLessThanOrEqual((trees[index - 1]?.cost ?? cost) + 1e-12);
    }
  });
});

describe('what is kept of earlier searches changes nothing', () => {
  test.each(SEEDS)('seed %i', (seed) => {
    const space = randomSpace(seed, { cases: 40, whole: true });
    const search = treeSearch(space);
    const everything = [...space.features.keys()];
    search(everything, 3);
    for (const left of [0, 7, 33]) {
      const others = everything.filter((each) => each !== left);
      expect(search(others, 3)).toEqual(treeSearch(space)(others, 3));
    }
  });
});

/** What every tree costs that can be asked, with its number of leaves. */
function everyTree(
  space: Required<SearchSpace>,
  cases: readonly number[],
  depth: number,
): readonly { readonly cost: number; readonly leaves: number }[] {
  const { features, cost, weights } = space;
  const sum = (answer: number) => cases.reduce((total, each) => total + weights[each]! * cost[each]![answer]!, 0);
  const leaf = { cost: Math.min(sum(0), sum(1), sum(2)), leaves: 1 };
  if (depth === 0) return [leaf];
  const questions: ((each: Features) => boolean)[] = [
    ...[5000, 20_000].map((limit) => (each: Features) => each.rateKbps < limit),
    (each) => each.rttMs < 100,
    ...[10, 100].map((limit) => (each: Features) => each.objects < limit),
    ...['cold', 'repeat', 'resumed'].map((visit) => (each: Features) => each.visit === visit),
  ];
  return [
    leaf,
    ...questions.flatMap((question) => {
      const [yes, no] = [true, false].map((answer) => cases.filter((each) => question(features[each]!) === answer));
      if (yes!.length === 0 || no!.length === 0) return [];
      const ifNo = everyTree(space, no!, depth - 1);
      return everyTree(space, yes!, depth - 1).flatMap((one) =>
        ifNo.map((other) => ({ cost: one.cost + other.cost, leaves: one.leaves + other.leaves })),
      );
    }),
  ];
}

import { describe, expect, test } from '@jest/globals';
import { chooseTree } from '../../harness/tree/choose-tree.ts';
import { follow, type SearchSpace, treeSearch } from '../../harness/tree/tree-search.ts';
import { answersOnly, randomSpace, spaceOf } from './spaces.ts';

/** Four cases on either side of 80 ms: the other answer costs half as much again. */
const TOLD_APART = spaceOf(
  [10, 20, 30, 40, 160, 170, 180, 190].map((rttMs) => [{ rttMs }, ...(rttMs < 80 ? [0, 0.5] : [0.5, 0])]),
);

test('a question that tells all is asked', () => {
  const chosen = chooseTree(TOLD_APART);
  expect(answersOnly(chosen.tree)).toEqual({ feature: 'rttMs', below: 80, yes: 0, no: 1 });
  expect([chosen.atMost, chosen.leaves]).toEqual([2, 2]);
  expect(chosen.training).toEqual({ answers: [0, 0, 0, 0, 1, 1, 1, 1], regret: { mean: 0, worst: 0 } });
  expect(chosen.leftOut).toEqual(chosen.training);
  expect(chosen.always).toEqual([
    { mean: 0.25, worst: 0.5 },
    { mean: 0.25, worst: 0.5 },
  ]);
  expect(chosen.sizes.map(({ atMost }) => atMost)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
});

test('a question that saves less than a percentage point is not', () => {
  const cost = (saving: number) => TOLD_APART.cost.map((row) => row.map((each) => (each > 0 ? 2 * saving : 0)));
  const saved = (saving: number) => chooseTree({ ...TOLD_APART, cost: cost(saving) });
  expect(saved(0.0099).leaves).toBe(1);
  expect(saved(0.0101).leaves).toBe(2);
});

test('what holds for single cases only is not grown', () => {
  const space = spaceOf(
    [10, 20, 30, 40, 50, 60, 70, 80].map((rttMs, index) => [{ rttMs }, index % 2 ? 0.5 : 0, index % 2 ? 0 : 0.2]),
  );
  const chosen = chooseTree(space);
  expect(chosen.sizes.at(-1)!.training.regret.mean).toBe(0);
  expect(chosen.leaves).toBe(1);
  expect(chosen.leftOut!.regret).toEqual(chosen.always[1]);
});

test('the mean is weighed, and the worst case is one that counts', () => {
  const weights = [1, 1, 1, 0, 0, 0, 1, 0];
  const chosen = chooseTree({
    ...TOLD_APART,
    cost: TOLD_APART.cost.map(([h1, h2], index) => [h1!, index === 4 ? 9 : h2!]),
    weights,
  });
  expect(chosen.always[0]).toEqual({ mean: 0.125, worst: 0.5 });
  expect(chosen.always[1]).toEqual({ mean: 0.375, worst: 0.5 });
});

test('one case says nothing about others', () => {
  const chosen = chooseTree(spaceOf([[{}, 0.3, 0]]));
  expect(answersOnly(chosen.tree)).toBe(1);
  expect(chosen.leftOut).toBeUndefined();
  const groupings = [TOLD_APART.features.map(() => 'same')];
  expect(chooseTree(TOLD_APART, { groupings }).leftOutTogether).toEqual([undefined]);
});

test('groups are left out together', () => {
  // What tells the pages apart is learnt from one page alone: without it there is nothing to learn it from.
  const groups = [0, 0, 0, 0, 1, 1, 1, 1];
  const chosen = chooseTree(TOLD_APART, { groupings: [groups, [...TOLD_APART.features.keys()]] });
  expect(chosen.leftOutTogether).toEqual([{ mean: 0.5, worst: 0.5 }, chosen.leftOut!.regret]);
  expect(chosen.leftOut!.regret.mean).toBeLessThan(0.5);
});

test('an arm that always fails is never served', () => {
  const space = { ...TOLD_APART, cost: TOLD_APART.cost.map((row) => [1e9, ...row]) };
  const chosen = chooseTree(space);
  expect(answersOnly(chosen.tree)).toEqual({ feature: 'rttMs', below: 80, yes: 1, no: 2 });
  expect(chosen.always[0]!.worst).toBe(1e9);
});

describe('left out means left out', () => {
  test.each(Array.from({ length: 10 }, (_, seed) => seed))('seed %i', (seed) => {
    const space = randomSpace(seed, { cases: 25, visits: ['cold', 'repeat'] });
    const chosen = chooseTree(space);
    const means = chosen.sizes.map(({ leftOut }, size) => {
      const answers = space.features.map((features, left) => {
        const without = <T>(items: readonly T[]) => items.filter((_, index) => index !== left);
        const others: SearchSpace = {
          features: without(space.features),
          cost: without(space.cost),
          weights: without(space.weights),
        };
        const trees = treeSearch(others)([...others.features.keys()], 3);
        return follow(trees[size]!.tree, features).answer;
      });
      expect(leftOut!.answers).toEqual(answers);
      const costs = answers.map((answer, index) => space.cost[index]![answer]!);
      const mean = costs.reduce((sum, cost, index) => sum + space.weights[index]! * cost, 0);
      expect(leftOut!.regret.mean).toBeCloseTo(mean, 12);
      expect(leftOut!.regret.worst).toBe(Math.max(...costs));
      return mean;
    });
    // One arm always costs what it costs, whatever is left out.
    const judged = chosen.sizes.map(({ leaves, training }, size) =>
      leaves === 1 ? training.regret.mean : means[size]!,
    );
    expect(chosen.atMost - 1).toBe(judged.findIndex((mean) => mean <= Math.min(...judged) + 0.01));
    // So no tree is chosen that costs more than serving one arm always.
    const always = Math.min(...chosen.always.map(({ mean }) => mean));
    expect(judged[chosen.atMost - 1]!).toBeLessThanOrEqual(always + 1e-12);
  });
});

describe('never worse than always serving one arm', () => {
  // Each case left out makes the other answer look the better one: so a tree is wrong everywhere, a single leaf half the time.
  const misleading = spaceOf([10, 20, 30, 40].map((rttMs, index) => [{ rttMs }, ...(index % 2 ? [0, 0.4] : [0.4, 0])]));

  test('a single leaf is judged by what it costs, not by what left-out cases make of it', () => {
    const chosen = chooseTree(misleading);
    expect(chosen.leaves).toBe(1);
    expect(chosen.training.regret).toEqual({ mean: 0.2, worst: 0.4 });
    expect(chosen.leftOut!.regret.mean).toBe(0.4);
    for (const { leaves, leftOut } of chosen.sizes.slice(1))
      if (leaves > 1) expect(leftOut!.regret.mean).toBeGreaterThan(0.2);
  });

  test('nor where questions are worth asking', () => {
    expect(chooseTree(TOLD_APART).leftOut!.regret.mean).toBeLessThan(chooseTree(TOLD_APART).always[0]!.mean);
  });
});

test('many cases are left out several at a time, each once, by trees that were grown without it', () => {
  const space = randomSpace(1, { cases: 130 });
  const search = treeSearch(space);
  const everything = [...space.features.keys()];
  const answerWithout = (isLeftOut: (other: number) => boolean, each: number) =>
    follow(
      search(
        everything.filter((other) => !isLeftOut(other)),
        2,
      )[3]!.tree,
      space.features[each]!,
    ).answer;
  const together = everything.map((each) => answerWithout((other) => other % 20 === each % 20, each));
  expect(chooseTree(space, { depth: 2 }).sizes[3]!.leftOut!.answers).toEqual(together);
  expect(together).not.toEqual(everything.map((each) => answerWithout((other) => other === each, each)));
});

import { describe, expect, test } from '@jest/globals';
import { decideStudy } from '../../harness/comparison/answers.ts';
import { judgeStudy } from '../../harness/comparison/judge.ts';
import { RULES } from '../../harness/comparison/rules.ts';
import type { Decision } from '../../harness/model/answer.ts';
import { type Features, isSplit, type Leaf, type Tree, type TreeCondition } from '../../harness/model/tree.ts';
import { normalDeviate } from '../../harness/stats/normal.ts';
import { seededRandom } from '../../harness/stats/random.ts';
import { growTree } from '../../harness/tree/tree.ts';
import { follow } from '../../harness/tree/tree-search.ts';
import { earlyUntil, planFor, recordOf } from '../comparison/blocks.ts';
import { decisionOf, knownDecision } from '../comparison/decisions.ts';

const ARMS = ['h1', 'h2', 'h3'];

function featuresOf(
  rateKbps: number,
  rttMs: number,
  lossPercent: number,
  objects: number,
  bytesPerObject: number,
): Features {
  const queuePackets = Math.max(10, Math.ceil((rateKbps * rttMs) / (8 * 1514)));
  return {
    rateKbps,
    rttMs,
    lossPercent,
    objects,
    bytesPerObject,
    totalBytes: objects * bytesPerObject,
    queuePackets,
    visit: 'cold',
  };
}

/** A condition with the features that are given, the others as all conditions here have them. */
function conditionOf(decision: Decision, features: Partial<Features> = {}, weight = 1): TreeCondition {
  const { condition: id } = decision.answer;
  return { id, features: { ...featuresOf(10_000, 50, 0, 10, 1000), ...features }, decision, weight };
}

const grow = (conditions: readonly TreeCondition[], arms: readonly string[] = ARMS) =>
  growTree({ conditions, arms, rule: RULES.default, served: 'h2' })!;

/** The tree without what is known of its leaves but the arm to serve and those as good. */
function shape(tree: Tree<Leaf>): unknown {
  if (isSplit(tree)) return { ...tree, yes: shape(tree.yes), no: shape(tree.no) };
  const { serve, asGood } = tree as Leaf;
  return [serve, ...asGood];
}

describe("a truth like that of figure 8, on the paper's 48 conditions", () => {
  const truth = (features: Features): readonly string[] => {
    if (features.rttMs < 100) return features.lossPercent < 1 ? ['h1', 'h2', 'h3'] : ['h1', 'h3'];
    return features.objects < 20 ? ['h2', 'h3'] : ['h3'];
  };
  const random = seededRandom(48);
  const grid = [2000, 10_000, 50_000].flatMap((rate) =>
    [18, 218].flatMap((rtt) =>
      [0, 2].flatMap((loss) =>
        [5, 50].flatMap((objects) => [4000, 131_072].map((bytes) => featuresOf(rate, rtt, loss, objects, bytes))),
      ),
    ),
  );
  const records = grid.map((features, index) => {
    const timesOf = (arm: string) =>
      Array.from(
        { length: 8 },
        () => 1000 * (truth(features).includes(arm) ? 1 : 1.12) * Math.exp(0.015 * normalDeviate(random)),
      );
    return recordOf(`${index}`, 8, { h1: timesOf('h1'), h2: timesOf('h2'), h3: timesOf('h3') });
  });
  const plan = {
    ...planFor(records, { stopping: earlyUntil('settled', 8) }),
    conditions: grid.map(({ rateKbps, rttMs, lossPercent }, index) => ({
      id: `${index}`,
      timeoutMs: 60_000,
      lossy: lossPercent > 0,
      setting: `${rateKbps} ${rttMs} ${lossPercent}`,
    })),
    served: 'h2',
    seed: 1,
  };
  const found = grow(
    decideStudy(plan, records, judgeStudy(plan, records)).map((decision, index) =>
      conditionOf(decision!, grid[index]!),
    ),
  );

  test('takes no question at all, since one arm is right everywhere', () => {
    expect((found.tree as Leaf).serve).toBe('h3');
    expect(found.regret.meanPercent).toBeLessThan(1);
    expect(found.regret.leftOutMeanPercent!).toBeLessThan(1);
    // 12 of 48 conditions and 24 of 48 cost 12 %.
    expect(Math.abs(found.always.h1!.meanPercent - 6)).toBeLessThan(1);
    expect(Math.abs(found.always.h2!.meanPercent - 6)).toBeLessThan(1);
    expect(found.always.h3).toEqual({ meanPercent: found.regret.meanPercent, worstPercent: found.regret.worstPercent });
  });

  test('without that arm two questions tell the other two apart, in conditions that it has not seen, too', () => {
    const arms = ['h1', 'h2'];
    const without = { ...plan, arms: arms.map((name) => ({ name })) };
    const decisions = decideStudy(without, records, judgeStudy(without, records));
    const tree = grow(
      decisions.map((decision, index) => conditionOf(decision!, grid[index]!)),
      arms,
    );
    for (const [index, features] of grid.entries()) {
      const right = truth(features).filter((arm) => arms.includes(arm));
      if (right.length === 1) expect([index, follow(tree.tree, features).serve]).toEqual([index, right[0]]);
    }
    expect(tree.regret.leftOutMeanPercent!).toBeLessThan(2);
    expect(tree.always.h1!.meanPercent).toBeGreaterThan(2.5);
  });
});

describe('by hand', () => {
  //                  h1    h2     best   regret of h1, h2
  // near, short       1    1.1    h1          0 %   10 %
  // near, long        1    1.2    h1          0 %   20 %
  // far, short       1.5    1     h2         50 %    0 %
  // far, long        1.3    1     h2         30 %    0 %
  const table = [
    conditionOf(knownDecision('near, short', { h1: 1, h2: 1.1 }), { rttMs: 18, objects: 5 }),
    conditionOf(knownDecision('near, long', { h1: 1, h2: 1.2 }), { rttMs: 18, objects: 50 }),
    conditionOf(knownDecision('far, short', { h1: 1.5, h2: 1 }), { rttMs: 218, objects: 5 }),
    conditionOf(knownDecision('far, long', { h1: 1.3, h2: 1 }), { rttMs: 218, objects: 50 }),
  ];
  const found = grow(table, ['h1', 'h2']);

  test('what is served, and what the tree and each arm cost', () => {
    expect(shape(found.tree)).toEqual({ feature: 'rttMs', below: 60, yes: ['h1'], no: ['h2'] });
    const none = { meanPercent: 0, worstPercent: 0 };
    // Without the pages over one link, those over the other say the opposite: 10, 20, 50 and 30 %.
    const newLink = { meanPercent: expect.closeTo(110 / 4, 9), worstPercent: expect.closeTo(50, 9) };
    expect(found.regret).toEqual({
      meanPercent: 0,
      worstPercent: 0,
      leftOutMeanPercent: 0,
      leftOutWorstPercent: 0,
      newPage: none,
      newLink,
    });
    expect(found.always).toEqual({
      h1: { meanPercent: expect.closeTo(20, 9), worstPercent: expect.closeTo(50, 9) },
      h2: { meanPercent: expect.closeTo(7.5, 9), worstPercent: expect.closeTo(20, 9) },
    });
  });

  test('leaves say what they cost, how sure they are, and what they gain over what is served today', () => {
    const near = follow(found.tree, table[0]!.features);
    expect(near).toEqual({
      serve: 'h1',
      asGood: [],
      sureness: 'sure',
      regretPercent: 0,
      interval: [0, 0],
      gain: { over: 'h2', percent: expect.closeTo(100 * (1 - 1 / 1.15), 9), interval: expect.anything() },
      worstPercent: 0,
      worstCondition: 'near, short',
      conditions: ['near, short', 'near, long'],
    });
    expect(follow(found.tree, table[2]!.features).gain).toEqual({ over: 'h2', percent: 0, interval: [0, 0] });
  });

  test('no question is asked where trees are worse than one arm in conditions that they have not seen', () => {
    const odd = conditionOf(knownDecision('far, huge', { h1: 1, h2: 1.4 }), { rttMs: 218, objects: 500 });
    const { regret, tree, always } = grow([...table, odd], ['h1', 'h2']);
    expect(tree).toMatchObject({ serve: 'h2', worstCondition: 'far, huge', worstPercent: expect.closeTo(40, 9) });
    expect(regret).toMatchObject({ meanPercent: expect.closeTo(14, 9), worstPercent: expect.closeTo(40, 9) });
    expect(always.h2).toEqual({ meanPercent: expect.closeTo(14, 9), worstPercent: expect.closeTo(40, 9) });
    expect(regret.leftOutMeanPercent!).toBeGreaterThan(14);
  });

  test('what is not foreseen where a condition is left out costs more there', () => {
    // Either of them alone is told by the other one, which says the opposite.
    const pair = [table[0]!, table[2]!];
    const { regret } = grow(pair, ['h1', 'h2']);
    expect(regret.leftOutMeanPercent).toBeCloseTo((10 + 50) / 2, 9);
    expect(regret.leftOutWorstPercent).toBeCloseTo(50, 9);
    expect(regret.meanPercent).toBeCloseTo(5, 9);
  });

  test('the traffic decides what a question is worth', () => {
    const rareFar = table.map((condition, index) => ({ ...condition, weight: index < 2 ? 1 : 0.001 }));
    const { tree, regret } = grow(rareFar, ['h1', 'h2']);
    expect(shape(tree)).toEqual(['h1']);
    expect(regret.meanPercent).toBeCloseTo(100 * ((0.5 * 0.001 + 0.3 * 0.001) / 2.002), 6);
    expect(regret.worstPercent).toBeCloseTo(50, 9);
  });

  test('a leaf of several conditions has their mean, their worst, and where that is', () => {
    const alike = [
      conditionOf(knownDecision('x', { h1: 1, h2: 1.02 }), {}, 2),
      conditionOf(knownDecision('y', { h1: 1.01, h2: 1 })),
      conditionOf(knownDecision('z', { h1: 1, h2: 1 })),
    ];
    expect(grow(alike, ['h1', 'h2']).tree).toMatchObject({
      serve: 'h1',
      asGood: ['h2'],
      worstCondition: 'y',
      conditions: ['x', 'y', 'z'],
      regretPercent: expect.closeTo(0.25, 9),
      worstPercent: expect.closeTo(1, 9),
    });
  });

  test('what is unsure counts by what it may cost, and the leaf says how unsure it is', () => {
    // In one draw of four h3 takes three times as long; the rest of the time a tenth less.
    const risky = decisionOf('risky', { h2: [1.1, 1.1, 1.1, 1], h3: [1, 1, 1, 3] });
    const { tree } = grow([conditionOf(risky)], ['h2', 'h3']);
    expect(tree).toMatchObject({ serve: 'h2', sureness: 'open', regretPercent: expect.closeTo(7.5, 9) });
    const [low, high] = (tree as Leaf).interval;
    expect([low, high]).toEqual([expect.closeTo(0, 9), expect.closeTo(10, 9)]);
  });

  test('an undecided condition does not outvote one that is clear', () => {
    const clear = conditionOf(knownDecision('clear', { h1: 1.2, h2: 1.2, h3: 1 }), { rttMs: 18 });
    const open = conditionOf(
      decisionOf(
        'open',
        { h1: [1, 1.02, 1], h2: [1.02, 1, 1], h3: [1.01, 1, 1.01] },
        { sureness: 'open', settled: false },
      ),
      { rttMs: 218 },
    );
    expect(grow([clear, open]).tree).toMatchObject({ serve: 'h3', conditions: ['clear', 'open'] });
  });
});

describe('how sure a leaf is', () => {
  const proven = (id: string) => knownDecision(id, { h2: 1.2, h3: 1 }, { sureness: 'proven' });
  const sure = (id: string) => knownDecision(id, { h2: 1.2, h3: 1 });
  test.each<[string, readonly Decision[], string]>([
    ['proven where all of its conditions are', [proven('a'), proven('b')], 'proven'],
    ['sure where one of them is but that', [proven('a'), sure('b')], 'sure'],
    ['likely where one has two blocks', [proven('a'), knownDecision('b', { h2: 1.2, h3: 1 }, { blocks: 2 })], 'likely'],
  ])('%s', (_, decisions, sureness) => {
    const conditions = decisions.map((decision) => conditionOf(decision));
    expect(grow(conditions, ['h2', 'h3']).tree).toMatchObject({ serve: 'h3', sureness });
  });
});

describe('whatever there is', () => {
  test('nothing measured: no tree', () => {
    expect(growTree({ conditions: [], arms: ARMS, rule: RULES.default, served: 'h2' })).toBeUndefined();
  });

  test('one condition: one leaf, and nothing to leave out', () => {
    const found = grow([conditionOf(knownDecision('c', { h1: 1.2, h2: 1, h3: 1.01 }))]);
    expect(found.tree).toMatchObject({ serve: 'h2', asGood: ['h3'], regretPercent: 0, conditions: ['c'] });
    expect(found.regret).toEqual({ meanPercent: 0, worstPercent: 0 });
    expect(Object.keys(found.always)).toEqual(ARMS);
  });

  test('an arm as good on average alone is not named: the page of a reader may be the one where it is not', () => {
    const leafOf = (slower: readonly number[]) =>
      grow(slower.map((h2, place) => conditionOf(knownDecision(`${place}`, { h1: 2, h2, h3: 1 })))).tree;
    expect(leafOf([1.02, 1.02, 1.02])).toMatchObject({ serve: 'h3', asGood: ['h2'] });
    expect(leafOf([1.06, 1, 1])).toMatchObject({ serve: 'h3', asGood: [] });
  });

  test('one arm: one leaf', () => {
    const conditions = [18, 218].map((rttMs) => conditionOf(knownDecision(`${rttMs}`, { h2: 1 }), { rttMs }));
    expect(grow(conditions, ['h2']).tree).toMatchObject({
      serve: 'h2',
      asGood: [],
      regretPercent: 0,
      sureness: 'sure',
    });
  });

  test('all ties: one leaf of the first arm and the others, each named once', () => {
    // Sums in another order differ in their last digits: which arm costs least must not depend on it.
    const slowdowns = [1, 1.07, 1.13, 1.21, 1.4];
    const from = (first: number) => slowdowns.map((_, draw) => slowdowns[(first + draw) % slowdowns.length]!);
    for (let step = 0; step < 20; step += 1) {
      const conditions = [18, 28, 218].map((rttMs, place) => {
        const decision = decisionOf(`${rttMs}`, { h1: from(place), h2: from(place + 1), h3: from(place + 2) });
        return conditionOf(decision, { rttMs }, 0.1 + (place * step + 1) / 7);
      });
      const { serve, asGood, gain } = grow(conditions).tree as Leaf;
      expect(serve).toBe('h1');
      expect(asGood).not.toContain(serve);
      expect(gain.interval[0]).toBeLessThan(gain.interval[1]);
    }
    const equal = [18, 218].map((rttMs) => conditionOf(knownDecision(`${rttMs}`, { h1: 1, h2: 1, h3: 1 }), { rttMs }));
    expect(shape(grow(equal).tree)).toEqual(ARMS);
  });

  test('any names, and seven arms', () => {
    const arms = ['cubic', 'bbr', 'reno', 'vegas', 'dctcp', 'westwood', 'illinois'];
    const fast = (id: string, winner: string) =>
      knownDecision(id, Object.fromEntries(arms.map((arm) => [arm, arm === winner ? 1 : 1.3])));
    const conditions = [18, 28, 218, 300].map((rttMs) =>
      conditionOf(fast(`${rttMs}`, rttMs < 100 ? 'bbr' : 'reno'), { rttMs }),
    );
    expect(shape(grow(conditions, arms).tree)).toEqual({ feature: 'rttMs', below: 80, yes: ['bbr'], no: ['reno'] });
  });

  test('the same decisions grow the same tree', () => {
    const conditions = [18, 28, 218].map((rttMs) =>
      conditionOf(decisionOf(`${rttMs}`, { h1: [1, 1.1], h2: [1.2, 1], h3: [1.1, 1.05] }), { rttMs }),
    );
    expect(grow(conditions)).toEqual(grow(conditions));
  });
});

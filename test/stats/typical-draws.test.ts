import { describe, expect, test } from '@jest/globals';
import { normalDeviate } from '../../harness/stats/normal.ts';
import { median } from '../../harness/stats/order.ts';
import { type Random, seededRandom } from '../../harness/stats/random.ts';
import { type BlockedSeries, drawChance, drawTypical, takenTogether } from '../../harness/stats/typical-draws.ts';

const COUNT = 2000;

function drawAnew(series: BlockedSeries, draws: number, random: Random) {
  const chance = drawChance({ draws, blocks: series.values[0]!.length, series: series.values.length }, () => random);
  return drawTypical(series, chance, random);
}

const draw = (values: BlockedSeries['values'], spreads: readonly number[], seed = 1) =>
  drawAnew({ values, spreads }, COUNT, seededRandom(seed, 'draws'));

/** Normal values, or others of the same random source. */
function series(
  count: number,
  middle: number,
  spread: number,
  seed: number,
  deviate = normalDeviate,
): readonly number[] {
  const random = seededRandom(seed, 'series');
  return Array.from({ length: count }, () => middle + spread * deviate(random));
}

const meanOf = (draws: Iterable<number>) => {
  const all = [...draws];
  return all.reduce((sum, each) => sum + each, 0) / all.length;
};
const spreadOf = (draws: Iterable<number>) => {
  const [all, mean] = [[...draws], meanOf(draws)];
  return Math.sqrt(meanOf(all.map((each) => (each - mean) ** 2)));
};
const differences = ([a, b]: readonly Float64Array[]) => a!.map((each, index) => each - b![index]!);

describe('a series alone', () => {
  test.each([
    ['three blocks', 3],
    ['twenty blocks', 20],
    ['a hundred blocks', 100],
  ])('%s: draws centre on the median', (_, count) => {
    const values = series(count, 7, 0.1, 1);
    const [draws] = draw([values], [0.1]);
    expect(draws).toHaveLength(COUNT);
    expect(Math.abs(median([...draws!]) - median(values))).toBeLessThan(0.03);
  });

  test('its draws spread as much as medians do', () => {
    // The standard error of a median of normal values is 1.25 of that of their mean.
    for (const count of [5, 12, 40, 100]) {
      const spreads = Array.from({ length: 12 }, (_, seed) => spreadOf(draw([series(count, 0, 0.1, seed)], [0.1])[0]!));
      const expected = (1.25 * 0.1) / Math.sqrt(count);
      expect(meanOf(spreads) / expected).toBeGreaterThan(0.75);
      expect(meanOf(spreads) / expected).toBeLessThan(1.6);
    }
  });

  test.each<[string, (random: Random) => number]>([
    ['heavy tails', (random) => normalDeviate(random) / Math.sqrt(-2 * Math.log(1 - random()))],
    ['a long tail to one side', (random) => -Math.log(1 - random())],
    ['two modes', (random) => (random() < 0.35 ? 3 : 0) + 0.1 * normalDeviate(random)],
  ])('%s: a true median is within the middle 95 %% of the draws as often', (_, deviate) => {
    const truth = median(series(100_000, 0, 0.1, 99, deviate));
    const held = Array.from({ length: 200 }, (__, seed) => {
      const values = series(15, 0, 0.1, seed, deviate);
      const draws = [...drawAnew({ values: [values], spreads: [0.1] }, 400, seededRandom(seed))[0]!].sort(
        (a, b) => a - b,
      );
      return draws[10]! <= truth && truth <= draws[389]!;
    });
    // Three standard errors of a share of 200 are 4.6 %.
    expect(held.filter(Boolean).length / 200).toBeGreaterThan(0.9);
  });

  test('what is far out moves nothing', () => {
    const values = series(20, 0, 0.1, 5);
    const spoilt = values.map((value, index) => (index < 3 ? 10 : value));
    const [draws] = draw([spoilt], [0.1]);
    expect(median([...draws!])).toBeLessThan(0.15);
  });
});

describe('what is expected of the ratios', () => {
  const differenceOf = (count: number, variance?: number) => {
    const values = [series(count, 0, 0.3, 1), series(count, 0, 0.3, 2)];
    const expected = variance === undefined ? undefined : { ratios: [0.2, -0.2], variance };
    return meanOf(differences(drawAnew({ values, spreads: [0.3, 0.3], expected }, COUNT, seededRandom(1, 'expected'))));
  };

  test('moves what few values leave open, and the less the less sure it is', () => {
    const [known, doubted, none] = [differenceOf(6, 0), differenceOf(6, 1), differenceOf(6)];
    expect(known - none).toBeGreaterThan(0.1);
    expect(doubted).toBeLessThan(known);
  });

  test('hardly moves what many values tell', () => {
    expect(Math.abs(differenceOf(400, 0) - differenceOf(400))).toBeLessThan(0.03);
  });
});

describe('several series', () => {
  test('equal ones have equal draws, but for what so few blocks hide', () => {
    const values = series(60, 0, 0.2, 1);
    const alike = draw([values, values], [0.2, 0.2]);
    expect(spreadOf(differences(alike))).toBeLessThan(0.01);
  });

  test('the difference centres on that of the medians, and is known better with every block', () => {
    const widths = [4, 16, 64].map((count) => {
      const draws = draw([series(count, 0, 0.05, 1), series(count, 0.1, 0.05, 2)], [0.05, 0.05]);
      expect(Math.abs(meanOf(differences(draws)) + 0.1)).toBeLessThan(0.05);
      return spreadOf(differences(draws));
    });
    expect(widths[1]!).toBeLessThan(0.75 * widths[0]!);
    expect(widths[2]!).toBeLessThan(0.75 * widths[1]!);
  });

  /** Two series with noise of their own, and what a block does to both. */
  const moved = (shared: number) => {
    const blocks = series(20, 0, shared, 7);
    return [1, 2].map((seed) => series(20, 0, 0.02, seed).map((value, block) => value + blocks[block]!));
  };

  test('what a block does to all of them is taken out of their ratios', () => {
    const widthOf = (shared: number) => {
      const spread = Math.hypot(0.02, shared);
      return spreadOf(differences(draw(moved(shared), [spread, spread])));
    };
    expect(widthOf(0.2)).toBeLessThan(2.5 * widthOf(0));
    // Without that it would be ten times as much.
    expect(widthOf(0.2)).toBeLessThan(0.02);
  });

  test('noise that each has by itself is not taken out', () => {
    const widths = Array.from({ length: 12 }, (_, seed) => {
      const values = [series(20, 0, 0.2, 2 * seed), series(20, 0, 0.2, 2 * seed + 1)];
      return spreadOf(differences(draw(values, [0.2, 0.2])));
    });
    // A single median has an error of 1.25 · 0.2 / √20, a difference of two √2 times that.
    expect(meanOf(widths)).toBeGreaterThan(0.8 * 0.079);
    expect(meanOf(widths)).toBeLessThan(1.5 * 0.079);
  });

  test('series that move against each other share nothing', () => {
    const values = series(20, 0, 0.1, 3);
    const draws = draw([values, values.map((value) => -value)], [0.1, 0.1]);
    expect(spreadOf(differences(draws))).toBeGreaterThan(0.04);
  });

  test.each([
    ['several times', Math.log(6)],
    ['a hundred times', Math.log(100)],
  ])('a difference of %s is not shrunk away', (_, difference) => {
    const draws = draw([series(4, 0, 0.05, 1), series(4, difference, 0.05, 2)], [0.05, 0.05]);
    expect(Math.abs(meanOf(differences(draws)) + difference)).toBeLessThan(0.06);
  });

  test('what is hardly known is drawn towards each other', () => {
    const values = [series(3, 0, 1, 1), series(3, 1, 1, 2)];
    const [spreads, gap] = [[1, 1], median(values[1]!) - median(values[0]!)];
    const found = -meanOf(differences(draw(values, spreads)));
    expect(found).toBeGreaterThan(0);
    expect(found).toBeLessThan(0.9 * gap);
  });

  test('two blocks, seven series: all draws are numbers', () => {
    const values = Array.from({ length: 7 }, (_, arm) => series(2, arm / 10, 0.1, arm));
    const draws = draw(
      values,
      values.map(() => 0.1),
    );
    expect(draws.map(({ length }) => length)).toEqual(values.map(() => COUNT));
    for (const own of draws) expect([...own].every(Number.isFinite)).toBe(true);
  });
});

test('one block more leaves what was drawn for the others as it was', () => {
  const streamOf = (what: string) => seededRandom(3, what);
  const two = drawChance({ draws: 50, blocks: 2, series: 3 }, streamOf);
  const three = drawChance({ draws: 50, blocks: 3, series: 3 }, streamOf);
  expect(drawChance({ draws: 50, blocks: 3, series: 3 }, streamOf, two)).toEqual(three);
  expect(drawChance({ draws: 50, blocks: 2, series: 3 }, streamOf, three)).toEqual(two);
  expect(three.shares.slice(0, 2)).toEqual(two.shares);
  expect(three.shares[0]).not.toEqual(three.shares[1]);
  expect(three.deviates[0]).not.toEqual(three.deviates[1]);
});

test('the same seed draws the same, another something else', () => {
  const values = [series(9, 0, 0.1, 1), series(9, 0, 0.1, 2)];
  expect(draw(values, [0.1, 0.1])).toEqual(draw(values, [0.1, 0.1]));
  expect(draw(values, [0.1, 0.1], 2)).not.toEqual(draw(values, [0.1, 0.1]));
});

describe('very many blocks', () => {
  test('up to 500 stay as they are', () => {
    const own = { values: [series(500, 7, 0.1, 1)], spreads: [0.1] };
    expect(takenTogether(own)).toEqual(own);
  });

  test('of more, neighbours are taken together; what some of them lack is not counted', () => {
    const values = [1, 2, 9, undefined, undefined, undefined, ...Array.from({ length: 1_200 }, () => 5), 7];
    const [own] = takenTogether({ values: [values], spreads: [0.1] }).values;
    expect(own!.slice(0, 3)).toEqual([2, undefined, 5]);
    expect(own!.at(-1)).toBe(7);
    expect(own).toHaveLength(403);
  });

  test('draws centre on the same median, and spread as much as medians of all blocks do', () => {
    const count = 5_000;
    const found = Array.from({ length: 4 }, (_, seed) => {
      const values = series(count, 7, 0.1, seed);
      const { values: together, spreads } = takenTogether({ values: [values], spreads: [0.1] });
      const [draws] = draw(together, spreads, seed);
      return { off: median([...draws!]) - median(values), spread: spreadOf(draws!) };
    });
    const expected = (1.25 * 0.1) / Math.sqrt(count);
    expect(Math.abs(meanOf(found.map(({ off }) => off)))).toBeLessThan(expected);
    expect(meanOf(found.map(({ spread }) => spread)) / expected).toBeGreaterThan(0.75);
    expect(meanOf(found.map(({ spread }) => spread)) / expected).toBeLessThan(1.6);
  });
});

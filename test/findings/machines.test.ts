import { describe, expect, test } from '@jest/globals';
import { compareMachines, type MachineSummary } from '../../harness/findings/machines.ts';
import type { FoundStudy } from '../../harness/model/found-study.ts';
import type { Measurement } from '../../harness/model/measurement.ts';
import type { Session } from '../../harness/model/session.ts';
import { around } from '../comparison/decisions.ts';
import { MACHINE } from '../fakes/machine.ts';
import { measured, planOf } from '../study/plans.ts';

const plan = planOf({ sites: ['a'], links: ['fibre', '4g'] });

interface Rig {
  /** How many times as long all its loads take, those of `h3` alone, and those over a link without limits. */
  readonly slower?: number;
  readonly h3?: number;
  readonly floor?: number;
  readonly notes?: readonly string[];
}

/** A study whose blocks some machines ran in turn; each load lies by this noise around its typical time. */
function foundOn(rigs: Readonly<Record<string, Rig>>, { blocks = 30, noise = 0.02 } = {}): FoundStudy {
  const names = Object.keys(rigs);
  const times = around(1000, noise, 1, 6 * blocks);
  const blockOf = (condition: string, place: number, block: number): Measurement[] => {
    const machine = names[block % names.length]!;
    const { slower = 1, h3 = 1 } = rigs[machine]!;
    const time = (arm: number) => slower * (1 + place) * times[6 * block + 3 * place + arm]!;
    const arms = { h1: time(0), h2: time(1), h3: h3 * time(2) };
    return measured({ condition, block, launch: block + 1, arms }).map((each) => ({ ...each, machine }));
  };
  return {
    plan,
    measurements: plan.conditions.flatMap(({ id }, place) =>
      Array.from({ length: blocks }, (_, block) => blockOf(id, place, block)).flat(),
    ),
    sessions: names.map(
      (worker, index): Session => ({
        number: index + 2,
        beganMs: 0,
        lastMs: 0,
        machine: { ...MACHINE, worker, link: 'netem' },
        notes: rigs[worker]!.notes ?? [],
      }),
    ),
    references: names.map((name, index) => ({
      session: index + 2,
      page: 'a',
      arm: 'h2',
      watched: false,
      pltMs: 100 * (rigs[name]!.floor ?? 1),
    })),
    links: [],
    scores: [],
    warmUps: 0,
    disturbed: 0,
    films: 0,
  };
}

function on(name: string, found: FoundStudy): MachineSummary {
  return compareMachines(found).find((each) => each.name === name)!;
}

describe('the same arms on several machines', () => {
  test('are alike where the margin holds all that is likely, and nothing is said', () => {
    for (const { aa, loadTimes, says } of compareMachines(foundOn({ a: {}, b: {}, c: {} }))) {
      expect(aa).toBe('alike');
      expect(loadTimes!.interval![0]).toBeLessThan(1);
      expect(loadTimes!.interval![1]).toBeGreaterThan(1);
      expect(says).toEqual([]);
    }
  });

  test('differ where one is slower by more than the margin, which is named in percent', () => {
    const found = foundOn({ a: {}, b: { slower: 1.12 }, c: {} });
    const { aa, loadTimes, armRatios, says } = on('b', found);
    expect(aa).toBe('differs');
    expect(loadTimes!.ratio).toBeGreaterThan(1.1);
    expect(loadTimes!.ratio).toBeLessThan(1.14);
    expect(says.join()).toMatch(/^its pages take 1[1-3] % longer \((8\.\d|9\.\d|1\d) to 1\d\) than on the others$/);
    // It slows all arms alike.
    expect(armRatios!.ratio).toBeCloseTo(1, 1);
  });

  test('differ where one is quicker, too', () => {
    const found = foundOn({ a: {}, b: { slower: 0.8 } });
    expect(on('b', found).says.join()).toMatch(/^its pages take \d\d % shorter \(1\d to 2\d\) than on the others$/);
    expect(on('a', found).says.join()).toMatch(/^its pages take \d\d % longer \(2\d to 2\d\) than on the others$/);
  });

  test('are undecided where loads are too few, or too unlike each other', () => {
    const [few] = compareMachines(foundOn({ a: {}, b: { slower: 1.12 } }, { blocks: 4 }));
    expect(few).toMatchObject({ aa: 'undecided', says: [] });
    expect(few!.loadTimes!.interval).toBeUndefined();
    expect(on('a', foundOn({ a: {}, b: {} }, { noise: 0.4 }))).toMatchObject({ aa: 'undecided', says: [] });
    const [alone] = compareMachines(foundOn({ a: {} }));
    expect(alone).toMatchObject({ aa: 'undecided', says: [] });
    expect(alone!.loadTimes).toBeUndefined();
  });

  test('are held against each other condition by condition, however blocks are shared out', () => {
    const { measurements, ...found } = foundOn({ a: {}, b: {} }, { blocks: 60 });
    const [fast, slow] = plan.conditions.map(({ id }) => id);
    // One has most of the quick condition, the other most of the slow one, whose loads take twice as long.
    const shared = measurements.filter(
      ({ condition, block, machine }) => block % 6 < 2 || (machine === 'a' ? condition === fast : condition === slow),
    );
    expect(on('a', { ...found, measurements: shared })).toMatchObject({ aa: 'alike' });
  });
});

test('a machine on which arms compare otherwise is named, since only that could mislead an answer', () => {
  const { says, armRatios } = on('b', foundOn({ a: {}, b: { h3: 1.3 }, c: {} }));
  expect(armRatios!.ratio).toBeGreaterThan(1.05);
  expect(says.join()).toMatch(
    /next to h2, its other arms take 1\d % longer \(.+\) than on the others: look at its loads/,
  );
});

test.each([
  [1.25, /over a link without limits, its pages take 25 % longer than on the others/],
  [0.8, /over a link without limits, its pages take 20 % shorter than on the others/],
  [1.05, /^$/],
])('a machine whose floor is %d times that of the others is named above a tenth', (floor, says) => {
  const summary = on('b', foundOn({ a: {}, b: { floor }, c: {} }));
  expect(summary.floor).toBeCloseTo(floor, 6);
  expect(summary.says.join()).toMatch(says);
});

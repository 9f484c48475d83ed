import { describe, expect, test } from '@jest/globals';
import { judgePlan } from '../../harness/comparison/judge-plan.ts';
import type { Measurement } from '../../harness/model/measurement.ts';
import type { Plan } from '../../harness/model/study.ts';
import { nextBlocks } from '../../harness/study/next-blocks.ts';
import { measured, planOf } from './plans.ts';

const settled = { stopping: { kind: 'early', until: 'settled', cap: 40 } } as const;
const own = (plan: Plan, measurements: readonly Measurement[] = []) =>
  nextBlocks(plan, measurements).filter(({ condition }) => condition !== plan.control.id);
const idsOf = (plan: Plan, measurements: readonly Measurement[] = []) =>
  own(plan, measurements).map(({ condition }) => condition.split('|').slice(0, 2).join(' '));

type TimeOf = (condition: string, arm: string, block: number) => number;

/** So many blocks of each condition, by its place in the plan, from so many launches. */
function blocksOf(
  plan: Plan,
  counts: readonly number[],
  timeOf: TimeOf,
  launchOf = (block: number) => 1 + Math.floor(block / 2),
) {
  return plan.conditions.flatMap(({ id }, place) =>
    Array.from({ length: counts[place] ?? 0 }, (_, block) =>
      measured({
        ...{ condition: id, block, launch: launchOf(block) },
        arms: Object.fromEntries(plan.arms.map(({ name }) => [name, timeOf(id, name, block)])),
      }),
    ).flat(),
  );
}

const CLEAR: Readonly<Record<string, number>> = { h1: 300, h2: 200, h3: 100 };
/** Which arm is the best no number of blocks makes sure, and serving the wrong one costs a lot. */
const noisy: TimeOf = (_, arm, block) => [100, 60, 150][(block + ['h1', 'h2', 'h3'].indexOf(arm)) % 3]!;

describe('what is next', () => {
  const alike = planOf({ sites: ['many-large', 'few-small'], links: ['3g', 'fibre'], ...settled });
  const small = { objects: 6, bytes: 5_000, digest: 'd' };
  const plan = { ...alike, sites: { ...alike.sites, 'few-small': small } };

  test('is the quickest condition of each link at first, the quicker link before', () => {
    expect(idsOf(plan)).toEqual(['few-small fibre', 'few-small 3g', 'many-large fibre', 'many-large 3g']);
  });

  test('is two blocks of each before a third of any', () => {
    const two = plan.conditions.map(({ id }) => (id.startsWith('few-small') ? 2 : 1));
    expect(
      idsOf(
        plan,
        blocksOf(plan, two, (_, arm) => CLEAR[arm]!),
      )
        .slice(0, 2)
        .sort(),
    ).toEqual(['many-large 3g', 'many-large fibre']);
  });

  test('is a third of each before a fourth of any, also where a second launch is what lacks', () => {
    const three = blocksOf(plan, [3, 3, 3, 2], noisy);
    const [last] = plan.conditions.slice(-1);
    expect(own(plan, three)[0]!.condition).toBe(last!.id);
    const oneLaunch = blocksOf(plan, [3, 3, 3, 3], noisy, () => 1);
    expect(own(plan, oneLaunch)).toHaveLength(4);
  });

  test('leaves out an arm that cannot matter any more, and loads the same arms when it is run again', () => {
    const [first] = plan.conditions;
    const hopeless: TimeOf = (_, arm, block) => (arm === 'h1' ? 900 : noisy('', arm, block));
    const some = blocksOf(plan, [4, 4, 4, 4], hopeless);
    const orderIn = (measurements: readonly Measurement[], of = plan) =>
      own(of, measurements).find(({ condition }) => condition === first!.id)!.order;
    expect(orderIn(some).toSorted()).toEqual(['h2', 'h3']);
    expect(orderIn(some, { ...plan, stopping: { kind: 'early', until: 'proven', cap: 40 } })).toHaveLength(3);
    const voided = measured({ condition: first!.id, block: 4, launch: 3, arms: { h1: 900, h2: 60, h3: 'void' } });
    expect(orderIn([...some, ...voided])).toHaveLength(3);
  });

  test('goes from then on where the expected regret is largest, over the time that a block takes', () => {
    const slow = new Set(plan.conditions.filter(({ link }) => link.name === '3g').map(({ id }) => id));
    const some = blocksOf(plan, [4, 4, 4, 4], (id, arm, block) => (slow.has(id) ? 20 : 1) * noisy(id, arm, block));
    expect(
      idsOf(plan, some)
        .slice(0, 2)
        .every((id) => id.endsWith('fibre')),
    ).toBe(true);
  });

  test('and not where many blocks have taken little off it: one more takes the less off, the more there were', () => {
    const [first] = plan.conditions;
    const milder: TimeOf = (id, arm, block) =>
      id === first!.id ? noisy(id, arm, block) : 100 * (noisy(id, arm, block) / 100) ** 0.15;
    const some = blocksOf(plan, [12, 4, 4, 4], milder);
    const regrets = judgePlan(plan, some).decisions.map((decision) => decision!.answer.regretPercent);
    expect(Math.max(...regrets)).toBe(regrets[0]);
    expect(own(plan, some).at(-1)!.condition).toBe(first!.id);
  });

  test('and where the traffic is', () => {
    const mixed = { ...plan, mix: { fibre: 1, '3g': 99 } };
    expect(
      idsOf(mixed, blocksOf(mixed, [4, 4, 4, 4], noisy))
        .slice(0, 2)
        .every((id) => id.endsWith('3g')),
    ).toBe(true);
  });

  test('does not depend on the order in which the same blocks were measured', () => {
    const some = blocksOf(plan, [3, 2, 4, 3], noisy);
    const byCondition = Map.groupBy(some, ({ condition }) => condition);
    const otherwise = [...byCondition.values()].toReversed().flat();
    const nameOf = (measurements: readonly Measurement[]) =>
      own(plan, measurements).map(({ condition, index, order }) => `${condition} ${index} ${order}`);
    expect(nameOf(otherwise)).toEqual(nameOf(some));
  });
});

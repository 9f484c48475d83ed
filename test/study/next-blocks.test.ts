import { describe, expect, test } from '@jest/globals';
import { judgePlan } from '../../harness/comparison/judge-plan.ts';
import type { Measurement } from '../../harness/model/measurement.ts';
import { OFFERS, protocolOffered } from '../../harness/model/offer.ts';
import type { Plan } from '../../harness/model/study.ts';
import { blocksAhead, nextBlocks, worthsOf } from '../../harness/study/next-blocks.ts';
import { measured, planOf, studyOf } from './plans.ts';

const settled = { stopping: { kind: 'early', until: 'settled', cap: 40 } } as const;
const own = (plan: Plan, measurements: readonly Measurement[] = []) =>
  nextBlocks(plan, measurements).filter(({ condition }) => condition !== plan.control.id);
const idsOf = (plan: Plan, measurements: readonly Measurement[] = []) =>
  own(plan, measurements).map(({ condition }) => condition.split('|').slice(0, 2).join(' '));

type TimeOf = (condition: string, arm: string, block: number) => number;

/** A given number of blocks of each condition, by its place in the plan, from given launches. */
function blocksOf(
  plan: Plan,
  counts: readonly number[],
  timeOf: TimeOf,
  launchOf = (block: number) => 1 + Math.floor(block / 2),
) {
  return plan.conditions.flatMap(({ id }, place) =>
    Array.from({ length: counts[place] ?? 0 }, (_, block) =>
      measured({
        condition: id,
        block,
        launch: launchOf(block),
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

  test('is no third page of a link as long as another link has no answer', () => {
    const many = planOf({ sites: ['few-small', 'few-large', 'many-small'], links: ['3g', 'fibre'], ...settled });
    const first = idsOf(many)[0]!;
    const nextOf = (blocks: Readonly<Record<string, number>>) =>
      idsOf(
        many,
        blocksOf(
          many,
          many.conditions.map(({ site, link }) => blocks[`${site} ${link.name}`] ?? 0),
          noisy,
        ),
      );
    expect(first).toContain('fibre');
    const third = idsOf(many).findLast((id) => id.endsWith('fibre'))!;
    const begun = Object.fromEntries(idsOf(many).map((id) => [id, id.endsWith('fibre') && id !== third ? 4 : 0]));
    const [quickest] = idsOf(many).filter((id) => id.endsWith('3g')) as [string];
    expect(nextOf(begun).indexOf(third)).toBeGreaterThan(nextOf(begun).indexOf(first));
    expect(nextOf({ ...begun, [quickest]: 1 }).indexOf(third)).toBeGreaterThan(nextOf(begun).indexOf(first));
    expect(nextOf({ ...begun, [quickest]: 2 }).indexOf(third)).toBeLessThan(nextOf(begun).indexOf(first));
  });

  test('goes on with the third pages where a link is given up on, since its loads are void again and again', () => {
    const many = planOf({ sites: ['few-small', 'few-large', 'many-small'], links: ['3g', 'fibre'], ...settled });
    const ofFirstPages = (link: string) =>
      many.conditions.filter((each) => each.link.name === link && each.site !== 'many-small').map(({ id }) => id);
    const counts = many.conditions.map(({ id }) => (ofFirstPages('fibre').includes(id) ? 4 : 0));
    const fibre = blocksOf(many, counts, noisy);
    const voidOnes = ofFirstPages('3g').flatMap((condition) =>
      Array.from({ length: 10 }, () =>
        measured({ condition, block: 0, arms: { h1: 'void', h2: 'void', h3: 'void' } }),
      ).flat(),
    );
    expect(idsOf(many, [...fibre, ...voidOnes])[0]).toBe('many-small fibre');
    expect(idsOf(many, fibre)[0]).not.toBe('many-small fibre');
  });

  test('is spread evenly where there is one arm, which has nothing to be settled', () => {
    const alone = planOf({
      sites: ['few-small'],
      links: ['3g', '4g', 'fibre'],
      arms: [{ name: 'h3', protocol: 'h3' }],
      served: 'h3',
      ...settled,
    });
    let some: Measurement[] = [];
    for (let block = 0; block < 30; block += 1) {
      const { condition, index } = own(alone, some)[0]!;
      const [, link] = condition.split('|');
      const took = { '3g': 6000, '4g': 1500 }[link!] ?? 400;
      some = [...some, ...measured({ condition, block: index, arms: { h3: took }, launch: 1 + (index >> 1) })];
    }
    const counts = Map.groupBy(some, ({ condition }) => condition);
    expect([...counts.values()].map(({ length }) => length)).toEqual([10, 10, 10]);
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

  test('and where a sure answer is near, although that of another condition may cost more', () => {
    const two = planOf({ links: ['4g'], ...settled });
    const [near, far] = two.conditions.map(({ id }) => id) as [string, string];
    const SWINGS = [1, -1, 0.5, -0.5];
    const some = blocksOf(two, [4, 4], (id, arm, block) => {
      if (arm === 'h3') return 2000;
      const swing = SWINGS[block]! * (id === near ? 0.13 : 0.1);
      return arm === 'h1' ? 1000 * (1 + swing) : (id === near ? 800 : 1000) * (1 - swing);
    });
    const [own, other] = judgePlan(two, some).decisions.map((decision) => decision!.answer);
    expect([own!.sureness, other!.sureness]).toEqual(['likely', 'open']);
    expect(own!.regretPercent).toBeLessThan(other!.regretPercent);
    expect(nextBlocks(two, some).map(({ condition }) => condition)).toEqual([near, far]);
  });

  test('by the time of the arms that are left: one that is not loaded any more takes none', () => {
    const two = planOf({ links: ['4g'], ...settled });
    const [quicker, other] = two.conditions.map(({ id }) => id) as [string, string];
    const some = blocksOf(two, [4, 4], (id, arm, block) => {
      if (arm === 'h1') return id === quicker ? 60_000 : 12_000;
      return (id === quicker ? 9 : 10) * noisy('', arm, block);
    });
    const next = nextBlocks(two, some);
    expect(next.map(({ order }) => order.toSorted().join())).toEqual(['h2,h3', 'h2,h3']);
    expect(next.map(({ condition }) => condition)).toEqual([quicker, other]);
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

test('what a second is worth falls in the order of what is next; what comes before that order is worth everything', () => {
  const plan = planOf({ sites: ['a', 'b', 'c'], links: ['fibre'], ...settled });
  const [a, b, c] = plan.conditions.map(({ id }) => id) as [string, string, string];
  const some = blocksOf(plan, [4, 6, 2], noisy);
  const judged = judgePlan(plan, some);
  const worths = worthsOf(plan, some, judged);
  expect(worths.get(c)).toBe(Number.POSITIVE_INFINITY);
  expect(worths.get(a)).toBeGreaterThan(worths.get(b)!);
  expect(worths.get(b)).toBeGreaterThan(0);
  expect(own(plan, some).map(({ condition }) => condition)).toEqual([c, a, b]);
  expect(worthsOf({ ...plan, stopping: { kind: 'exactly', blocks: 9 } }, some, judged).size).toBe(0);
});

describe('what is next of offers', () => {
  const grid = studyOf({ sites: ['a'], links: ['4g'] }).grids[0]!;
  const plan = planOf({
    ...settled,
    grids: [{ ...grid, visits: ['first', 'returning'] }],
    arms: OFFERS.map((offer) => ({ name: offer, protocol: protocolOffered(offer), offer })),
    offered: { firstVisits: 0.5, withoutUdp: 0 },
  });
  const [first, returning] = plan.conditions.map(({ id }) => id);
  /** By the record 40 % faster in each block; whether Alt-Svc is faster or slower is not known yet. */
  const doubtful: TimeOf = (id, arm, block) => {
    if (arm === 'h2') return 1000 + block;
    return arm === 'h3-altsvc' && id === first ? [700, 1300][block % 2]! : 600 + block;
  };
  const some = blocksOf(plan, [4, 4], doubtful);

  test('goes on where it is sure what to serve, but not what an offer gains, and loads no other', () => {
    const judged = judgePlan(plan, some);
    expect(judged.decisions.map((each) => [each!.answer.serve, each!.answer.settled])).toEqual([
      ['h3-record', true],
      ['h3-altsvc', true],
    ]);
    expect(judged.untold).toEqual([['h3-altsvc'], []]);
    const blocks = own(plan, some);
    expect(blocks.map(({ condition, order }) => [condition, order.toSorted()])).toEqual([[first, ['h2', 'h3-altsvc']]]);
  });

  test('loads what who comes back makes of Alt-Svc for both, but where UDP is dropped', () => {
    const [links] = [grid.links.map((link) => ({ ...link, udp: 'drop' as const, name: 'dropping' }))];
    const dropping = {
      ...plan,
      conditions: [...plan.conditions, { ...plan.conditions[1]!, id: 'd', link: links[0]! }],
    };
    const orders = Object.fromEntries(own(dropping).map(({ condition, order }) => [condition, order.toSorted()]));
    expect(orders).toEqual({ [first!]: OFFERS, [returning!]: ['h2', 'h3-altsvc'], d: OFFERS });
    expect(own({ ...plan, stopping: { kind: 'exactly', blocks: 3 } })[1]!.order).toHaveLength(3);
    const shared = blocksOf(plan, [0, 4], doubtful).filter(({ arm }) => arm !== 'h3-record');
    const { answer, slowdowns } = judgePlan(plan, shared).decisions[1]!;
    expect([answer.serve, answer.asGood]).toEqual(['h3-altsvc', ['h3-record']]);
    expect(answer.arms['h3-record']).toEqual(answer.arms['h3-altsvc']);
    expect(slowdowns['h3-record']).toEqual(slowdowns['h3-altsvc']);
  });

  test('tells what returning visitors gain over the offer that is made today, though its loads are those of another', () => {
    const today = { ...plan, served: 'h3-record' };
    const shared = blocksOf(today, [0, 4], doubtful).filter(({ arm }) => arm !== 'h3-record');
    const { answer } = judgePlan(today, shared).decisions[1]!;
    expect(answer).toMatchObject({
      serve: 'h3-record',
      asGood: ['h3-altsvc'],
      gain: { over: 'h3-record', percent: 0 },
    });
  });

  test('is nothing where all is told', () => {
    const clear: TimeOf = (_, arm, block) => (({ h2: 1000, 'h3-altsvc': 800 })[arm] ?? 600) + block;
    expect(own(plan, blocksOf(plan, [4, 4], clear))).toEqual([]);
  });
});

describe('blocks that are handed out ahead', () => {
  const plan = planOf({ sites: ['a'], links: ['fibre', '4g', '3g'], ...settled });
  const [one, two, three] = plan.conditions.map(({ id }) => id) as [string, string, string];
  const block = (condition: string, index: number) => ({ condition, index, order: ['h3', 'h1', 'h2'] });
  const ahead = (wanted: ReturnType<typeof block>[], most: number, taken: readonly string[] = []) =>
    blocksAhead(plan, wanted, {
      most,
      isTaken: ({ condition, index }) => taken.includes(`${condition} ${index}`),
    }).map(({ condition, index }) => [condition, index]);

  test('are the wanted ones first, in their order, and then the ones after these', () => {
    expect(ahead([block(two, 0), block(one, 1)], 4)).toEqual([
      [two, 0],
      [one, 1],
      [two, 1],
      [one, 2],
    ]);
  });

  test('are no more than asked for, and none that is under way', () => {
    expect(ahead([block(one, 0), block(two, 0), block(three, 0)], 2)).toHaveLength(2);
    expect(ahead([block(one, 0), block(two, 0)], 2, [`${one} 0`])).toEqual([
      [two, 0],
      [one, 1],
    ]);
  });

  test('do not double what a condition has, where it may be settled before', () => {
    expect(ahead([block(one, 4)], 100)).toEqual([4, 5, 6, 7].map((index) => [one, index]));
    expect(ahead([block(one, 0)], 100)).toEqual([0, 1, 2].map((index) => [one, index]));
  });

  test('are of a number of rounds, where that is asked for: the first counts from the condition that is behind', () => {
    const fixed = planOf({ sites: ['a'], links: ['fibre', '4g', '3g'], stopping: { kind: 'exactly', blocks: 9 } });
    const wanted = [block(one, 2), block(two, 3), block(three, 4)];
    const found = blocksAhead(fixed, wanted, { isTaken: () => false, rounds: 2 });
    expect(found.map(({ condition, index }) => [condition, index])).toEqual([
      [one, 2],
      [two, 3],
      [one, 3],
    ]);
  });

  test('are as many as a study of a fixed number has left, and none of the control', () => {
    const fixed = planOf({ sites: ['a'], links: ['fibre'], stopping: { kind: 'exactly', blocks: 6 } });
    const [id] = fixed.conditions.map((each) => each.id);
    const asked = { most: 100, isTaken: () => false };
    expect(blocksAhead(fixed, [block(id!, 1)], asked).map(({ index }) => index)).toEqual([1, 2, 3, 4, 5]);
    expect(blocksAhead(fixed, [block(fixed.control.id, 3)], asked)).toHaveLength(1);
  });
});

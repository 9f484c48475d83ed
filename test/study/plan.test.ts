import { describe, expect, test } from '@jest/globals';
import { judgeStudy } from '../../harness/comparison/judge.ts';
import { recordsOf } from '../../harness/comparison/records.ts';
import { statesOf } from '../../harness/comparison/states.ts';
import type { Measurement } from '../../harness/model/measurement.ts';
import type { Block, Plan } from '../../harness/model/study.ts';
import { nextBlocks } from '../../harness/study/next-blocks.ts';
import { planStudy, suggestTimeoutMs } from '../../harness/study/plan.ts';
import { linkOf } from '../links.ts';
import { measured, planOf, studyOf } from './plans.ts';

const arms = ['h1', 'h2', 'h3'];
const exactly = (blocks: number) => ({ stopping: { kind: 'exactly', blocks } }) as const;

/** Runs a plan to its end, every load of an arm taking what is said. */
function runThrough(plan: Plan, timeOf: (arm: string, block: Block) => number = () => 100): Block[][] {
  const measurements: Measurement[] = [];
  const rounds: Block[][] = [];
  for (let blocks = nextOf(plan, measurements); blocks.length > 0; blocks = nextOf(plan, measurements)) {
    rounds.push([...blocks]);
    for (const block of blocks) measurements.push(...measureBlock(block, timeOf));
  }
  return rounds;
}

/** What is next; where the number of blocks is fixed no answer is looked at, which would take most of the time. */
function nextOf(plan: Plan, measurements: readonly Measurement[]): readonly Block[] {
  if (plan.stopping.kind === 'early') return nextBlocks(plan, measurements);
  const own = measurements.filter(({ condition }) => condition !== plan.control.id);
  const judgement = judgeStudy(plan, recordsOf(own, plan.arms, plan.metric));
  return nextBlocks(plan, measurements, {
    judged: { judgement, decisions: [], states: statesOf(plan, judgement, []) },
  });
}

function measureBlock(block: Block, timeOf: (arm: string, block: Block) => number): Measurement[] {
  const { condition, index, order } = block;
  const launch = 1 + Math.floor(index / 3);
  const times = Object.fromEntries(order.map((arm) => [arm, timeOf(arm, block)]));
  return measured({ condition, block: index, arms: times, launch });
}

const isControl = (plan: Plan) => (block: Block) => block.condition === plan.control.id;
const isOwn = (plan: Plan) => (block: Block) => block.condition !== plan.control.id;

test('a study is as many rounds as blocks are asked for, each with every condition, each block with every arm', () => {
  const plan = planOf(exactly(4));
  const rounds = runThrough(plan).map((round) => round.filter(isOwn(plan)));
  expect(rounds).toHaveLength(4);
  for (const [index, round] of rounds.entries()) {
    expect(round.map((block) => block.condition).sort()).toEqual(plan.conditions.map(({ id }) => id).sort());
    for (const block of round) expect([block.index, ...[...block.order].sort()]).toEqual([index, ...arms]);
  }
});

test('the seed gives the order, and another seed another', () => {
  const withSeed = (seed: number) => runThrough(planOf({ ...exactly(5), seed }));
  expect(withSeed(7)).toEqual(withSeed(7));
  expect(withSeed(7)).not.toEqual(withSeed(8));
});

test('over many blocks every arm is as often first, second and last, and follows each other one as often', () => {
  const plan = planOf({ sites: ['a'], links: ['4g'], ...exactly(600) });
  const orders = runThrough(plan)
    .flat()
    .filter(isOwn(plan))
    .map(({ order }) => order);
  const counts = Map.groupBy(orders, (order) => order.join());
  expect(counts.size).toBe(6);
  // 99.9 % of a binomial of 600 and 1/6 lie within 3.3 times 9.1 of 100.
  for (const same of counts.values()) expect(Math.abs(same.length - 100)).toBeLessThan(31);
});

test('conditions come in another order in each round', () => {
  const plan = planOf({ sites: ['a', 'b', 'c'], ...exactly(6) });
  const orders = runThrough(plan).map((round) =>
    round
      .filter(isOwn(plan))
      .map(({ condition }) => condition)
      .join(),
  );
  expect(new Set(orders).size).toBeGreaterThan(4);
});

const CLEAR: Readonly<Record<string, number>> = { h1: 300, h2: 200, h3: 100 };

describe('early stopping', () => {
  const until = (goal: 'settled' | 'proven', cap = 40) => ({ stopping: { kind: 'early', until: goal, cap } }) as const;
  const countOf = (rounds: readonly Block[][]) => (id: string) =>
    rounds.flat().filter(({ condition }) => condition === id).length;

  test('a condition ends once its answer is settled, the others go on', () => {
    const plan = planOf({ sites: ['a'], ...until('settled') });
    const [clear, noisy] = plan.conditions.map(({ id }) => id);
    // As fast as each other, but no two loads alike: that it is within 3 % takes long to tell.
    const rounds = runThrough(plan, (arm, { condition, index }) =>
      condition === noisy ? [100, 60, 150][(index + arms.indexOf(arm)) % 3]! : CLEAR[arm]!,
    );
    const count = countOf(rounds);
    // Three from two launches; a little more, since the other one tells that times vary.
    expect(count(clear!)).toBeGreaterThanOrEqual(3);
    expect(count(clear!)).toBeLessThan(10);
    expect(count(noisy!)).toBeGreaterThan(20);
  });

  test('or proven, where the study goes on until then', () => {
    const plan = planOf({ sites: ['a'], links: ['4g'], ...until('proven') });
    const count = countOf(runThrough(plan, (arm) => CLEAR[arm]!))(plan.conditions[0]!.id);
    // Twelve hypotheses, of which four are true: three pairs, and that nothing beats h3.
    expect(count).toBe(9);
  });

  test.each(['settled', 'proven'] as const)(
    'until %s: broken off after any block, it goes on with the same blocks',
    (goal) => {
      const plan = planOf({ sites: ['a'], ...until(goal, 12) });
      const timeOf = (arm: string, { index }: Block) => 100 + ((index * 7 + arms.indexOf(arm) * 5) % 11);
      const whole = runThrough(plan, timeOf).flat();
      for (let done = 0; done <= whole.length; done += 5) {
        const measurements = whole.slice(0, done).flatMap((block) => measureBlock(block, timeOf));
        const ran: Block[] = whole.slice(0, done);
        for (let next = nextBlocks(plan, measurements); next.length > 0; next = nextBlocks(plan, measurements))
          for (const block of next) {
            measurements.push(...measureBlock(block, timeOf));
            ran.push(block);
          }
        const nameOf = ({ condition, index, order }: Block) => `${condition} ${index} ${order}`;
        expect(ran.map(nameOf).sort()).toEqual(whole.map(nameOf).sort());
      }
    },
  );
});

describe('a study that was killed', () => {
  const plan = planOf({ sites: ['a', 'b', 'c'], ...exactly(5) });

  test('first completes the round it was in, each block with the order that it would have had', () => {
    const rounds = runThrough(plan);
    const before = rounds.slice(0, 2).flat();
    const killed = [...before, ...rounds[2]!.slice(0, 4)].flatMap((block) => measureBlock(block, () => 100));
    const next = nextBlocks(plan, killed);
    const byName = (blocks: readonly Block[]) => blocks.map(({ condition, order }) => `${condition} ${order}`).sort();
    expect(byName(next)).toEqual(byName(rounds[2]!.slice(4)));
    expect(next.every(({ index }) => index === 2)).toBe(true);
  });

  test('goes on in the same order as another one that was killed there', () => {
    const killed = runThrough(plan)
      .flat()
      .slice(0, 9)
      .flatMap((block) => measureBlock(block, () => 100));
    expect(nextBlocks(plan, killed)).toEqual(nextBlocks(plan, [...killed]));
    const other = { ...plan, seed: 8 };
    expect(nextBlocks(other, killed)).not.toEqual(nextBlocks(plan, killed));
  });
});

describe('the control', () => {
  test('begins once each condition has two blocks, and has one for every eight others, with the delayed arm', () => {
    const plan = planOf(exactly(40));
    const blocks = runThrough(plan, (arm) => (arm === plan.control.delayed ? 110 : 100)).flat();
    const first = blocks.findIndex(isControl(plan));
    expect(first).toBe(2 * plan.conditions.length + 8);
    const others = blocks.slice(0, blocks.findLastIndex(isControl(plan))).filter(isOwn(plan)).length;
    // One to learn what the arm takes, seven to find the delay, and one more for the twin to tie.
    expect(blocks.filter(isControl(plan))).toHaveLength(9);
    expect(others).toBeGreaterThanOrEqual(2 * plan.conditions.length + 9 * 8);
  });

  test('goes on by itself where all is settled before its delay is found', () => {
    const plan = planOf({ sites: ['a'], links: ['4g'], stopping: { kind: 'early', until: 'settled', cap: 40 } });
    const rounds = runThrough(plan, (arm) => CLEAR[arm] ?? (arm === plan.control.delayed ? 220 : 200));
    expect(rounds.slice(-7).flat().every(isControl(plan))).toBe(true);
  });

  test('is a small page over the quickest link that makes itself felt, without loss if there is one', () => {
    const linkOf = (wish: Parameters<typeof planOf>[0]) => planOf(wish).control.condition.link.name;
    expect(linkOf({ links: ['3g-slow', 'fibre', '4g'] })).toBe('4g');
    expect(linkOf({ links: ['rate=unlimited', 'fibre'] })).toBe('fibre');
    expect(linkOf({ links: ['wifi-lossy'] })).toBe('wifi-lossy');
    expect(linkOf({ links: ['wifi-lossy', '4g', 'cable'] })).toBe('4g');
    // Where the processor's share of a small page's time is the larger one, its noise hides a tenth of that.
    const rates = ['50mbit', '10mbit', '2mbit'].map((rate) => `rate=${rate},rtt=18ms`);
    expect(linkOf({ links: rates })).toBe('rate=2mbit,rtt=18ms,loss=0%');
    expect(planOf().control.condition).toMatchObject({ site: 'few-small', server: 'nginx', visit: 'cold' });
  });

  test('is left out of a study that is too short for one', () => {
    expect(
      runThrough(planOf(exactly(11)))
        .flat()
        .filter(isControl(planOf())),
    ).toEqual([]);
  });

  test('is not delayed while nobody knows what its arm takes', () => {
    const plan = planOf({ sites: ['a'], links: ['4g'], ...exactly(30) });
    const rounds = runThrough(plan).map((round) => round.filter(isControl(plan)));
    const orders = rounds.flat().map(({ order }) => [...order].sort().join());
    expect(orders.slice(0, 2)).toEqual(['h2,h2-twin', 'h2,h2-delayed,h2-twin']);
  });
});

describe('void trials', () => {
  const plan = planOf({ sites: ['a'], links: ['4g'], ...exactly(1) });
  const condition = plan.conditions[0]!.id;
  const attempt = (outcomes: Readonly<Record<string, 'failed' | 'void'>>) =>
    measured({ condition, block: 0, arms: outcomes });
  const spoiled = attempt({ h1: 'failed', h2: 'void', h3: 'failed' });

  test('have their block run again', () => {
    expect(nextBlocks(plan, spoiled)).toHaveLength(1);
    expect(nextBlocks(plan, attempt({ h1: 'failed', h2: 'failed', h3: 'failed' }))).toHaveLength(0);
  });

  test('two broken attempts do not add up to a block', () => {
    const other = attempt({ h1: 'void', h2: 'failed', h3: 'failed' });
    expect(nextBlocks(plan, [...spoiled, ...other])).toHaveLength(1);
  });

  test('one block that is void again and again has its condition given up, and holds up no other', () => {
    const two = planOf({ sites: ['a', 'b'], links: ['4g'], ...exactly(2) });
    const [first, second] = two.conditions.map(({ id }) => id);
    const again = Array.from({ length: 10 }, () =>
      measured({ condition: first!, block: 0, arms: { h1: 'void', h2: 1, h3: 1 } }),
    ).flat();
    expect(nextBlocks(two, again.slice(0, 27)).map((block) => block.condition)).toContain(first);
    const next = nextBlocks(two, again);
    expect(next.map((block) => block.condition)).toEqual([second]);
    const done = [0, 1].flatMap((block) => measured({ condition: second!, block, arms: { h1: 1, h2: 1, h3: 1 } }));
    expect(nextBlocks(two, [...again, ...done])).toEqual([]);
  });
});

test('a condition is named by all that it holds equal', () => {
  const { grids } = studyOf();
  const { conditions } = planOf({ grids: grids.map((grid) => ({ ...grid, visits: ['cold', 'resumed'] })) });
  expect(conditions).toHaveLength(8);
  expect(conditions[1]!.id).toBe('a|4g|nginx|resumed');
});

test.each([
  ['rate=10mbit,rtt=40ms', 1_000_000, 120_000],
  ['rate=unlimited', 1_000_000_000, 120_000],
  ['rate=100kbit', 10_000_000, 8_000_000],
  ['rate=10mbit,loss=1%', 1_000, 600_000],
  ['rate=10mbit,up.burst=1%:3', 1_000, 600_000],
  ['rate=100kbit,loss=1%', 10_000_000, 8_000_000],
  ['rate=100kbit', 500_000_000, 100_000_000],
])('a load over %s with %i bytes may take %i ms', (spec, bytes, ms) => {
  expect(suggestTimeoutMs(linkOf(spec), { bytes })).toBe(ms);
});

test('a timeout that was asked for holds everywhere', () => {
  const { conditions } = planOf({ timeoutMs: 5_000 });
  expect(new Set(conditions.map(({ timeoutMs }) => timeoutMs))).toEqual(new Set([5_000]));
});

test.each(['lcp', 'fcp', 'upload'] as const)('a crowd’s tabs do not tell %s', (metric) => {
  const { grids } = studyOf();
  const crowds = [grids[0]!, { ...grids[0]!, topology: 'crowd' as const, tabs: [10] }];
  expect(() => planOf({ grids: crowds, metric })).toThrow(`metric: ${metric} cannot be used with tabs`);
  expect(() => planOf({ grids: crowds, metric: 'plt' })).not.toThrow();
});

test('QUIC’s congestion control cannot be chosen for what the browser sends', () => {
  const sent = { objects: 1, bytes: 1, uploadBytes: 1, digest: '' };
  const bbr = { name: 'bbr', protocol: 'h3', congestion: 'bbr' } as const;
  const planFor = (arm: Plan['arms'][number]) => planStudy(studyOf({ metric: 'upload', arms: [arm] }), () => sent);
  const says = /^arm "bbr": the browser sends an upload, .*. Expected with metric upload: congestion of h1, h2, h1c$/;
  expect(() => planFor(bbr)).toThrow(says);
  expect(() => planFor({ name: 'bbr', protocol: 'h2', beside: bbr })).toThrow(says);
  expect(() => planFor({ ...bbr, protocol: 'h2' })).not.toThrow();
  expect(() => planOf({ arms: [bbr] })).not.toThrow();
});

describe('a recorded site', () => {
  const facts = { objects: 9, bytes: 9_000, recorded: 'https', digest: '' } as const;
  const link = linkOf('rate=10mbit,rtt=40ms');
  const grid = { sites: ['mine'], links: [link], servers: ['nginx'], visits: ['cold' as const] };
  const study = studyOf({ sites: ['mine'], links: ['rate=10mbit,rtt=40ms'] });
  const h1c = { name: 'h1c', protocol: 'h1c' } as const;

  test('alone is what options for recorded sites are for', () => {
    const generated = { objects: 1, bytes: 1, digest: '' };
    expect(() => planStudy({ ...study, allOrigins: true }, () => generated)).toThrow(
      /allOrigins: can only be used with/,
    );
    expect(() => planStudy({ ...study, thinkTimes: false }, () => generated)).toThrow(
      /thinkTimes: can only be used with/,
    );
  });

  test('is served as any other, by nginx', () => {
    expect(planStudy({ ...study, grids: [grid] }, () => facts).sites).toEqual({ mine: facts });
    expect(() => planStudy({ ...study, arms: [h1c] }, () => ({ ...facts, recorded: 'http' }))).not.toThrow();
  });

  test.each([
    ['by another server', { grids: [{ ...grid, servers: ['apache'] }] }, /is not served by apache. Expected: nginx/],
    [
      'by another server in an arm',
      { arms: [...study.arms, { ...h1c, server: 'haproxy' }] },
      /is not served by haproxy. Expected: nginx/,
    ],
    [
      'to a crowd',
      { grids: [{ ...grid, topology: 'crowd' as const, tabs: [10] }] },
      /is loaded by one visitor at a time. Expected: topology direct or routed, without tabs/,
    ],
    ['in the clear', { arms: [h1c] }, /came over https, which no arm in the clear serves. Expected: h1, h2, h3/],
  ])('is not served %s', (_, change, says) => {
    expect(() => planStudy({ ...study, ...change }, () => facts)).toThrow(says);
  });
});

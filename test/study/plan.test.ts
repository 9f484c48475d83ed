import { expect, test } from '@jest/globals';
import type { Measurement } from '../../harness/model/measurement.ts';
import type { Study } from '../../harness/model/study.ts';
import { parseLink } from '../../harness/study/link.ts';
import { nextBlocks, planStudy, suggestTimeoutMs } from '../../harness/study/plan.ts';

const study: Study = {
  name: 'test',
  sites: ['a', 'b'],
  links: ['4g', 'dsl'].map((name) => parseLink(name, { readText: () => '' })),
  arms: (['h1', 'h2', 'h3'] as const).map((protocol) => ({ name: protocol, protocol })),
  visits: ['cold'],
  device: 'desktop',
  exactly: 4,
  lighthouse: 0,
  seed: 7,
};

const facts = () => ({ bytes: 1_000_000 });
const failed = { status: 'failed', reason: 'timeout', says: '', launch: 1 } as const;
const voided = { status: 'void', reason: 'server', says: '', launch: 1 } as const;

function runThrough(seed: number) {
  const plan = planStudy({ ...study, seed }, facts);
  const measurements: Measurement[] = [];
  const rounds = [];
  for (let blocks = nextBlocks(plan, measurements); blocks.length > 0; blocks = nextBlocks(plan, measurements)) {
    rounds.push(blocks);
    for (const { condition, index, order } of blocks)
      for (const arm of order) measurements.push({ condition, block: index, arm, ...failed });
  }
  return rounds;
}

test('a study is as many rounds as blocks are asked for, each with every condition, each block with every arm', () => {
  const rounds = runThrough(7);
  expect(rounds).toHaveLength(4);
  for (const round of rounds) {
    expect(new Set(round.map((block) => block.condition)).size).toBe(4);
    for (const block of round) expect([...block.order].sort()).toEqual(['h1', 'h2', 'h3']);
  }
});

test('the seed gives the order, and another seed another', () => {
  expect(runThrough(7)).toEqual(runThrough(7));
  expect(runThrough(7)).not.toEqual(runThrough(8));
});

test('a block with a void trial is run again', () => {
  const plan = planStudy({ ...study, sites: ['a'], links: study.links.slice(0, 1), exactly: 1 }, facts);
  const condition = plan.conditions[0]!.id;
  const trial = (arm: string, outcome: typeof failed | typeof voided): Measurement => ({
    ...{ condition, block: 0, arm },
    ...outcome,
  });
  expect(nextBlocks(plan, [trial('h1', failed), trial('h2', voided), trial('h3', failed)])).toHaveLength(1);
  expect(nextBlocks(plan, [trial('h1', failed), trial('h2', failed), trial('h3', failed)])).toHaveLength(0);
});

test('two broken attempts do not add up to a block', () => {
  const plan = planStudy({ ...study, sites: ['a'], links: study.links.slice(0, 1), exactly: 1 }, facts);
  const attempt = (outcomes: readonly (typeof failed | typeof voided)[]) =>
    outcomes.map(
      (outcome, index): Measurement => ({
        ...{ condition: plan.conditions[0]!.id, block: 0, arm: `h${index + 1}` },
        ...outcome,
      }),
    );
  const broken = [...attempt([failed, failed, voided]), ...attempt([failed, voided, voided])];
  expect(nextBlocks(plan, broken)).toMatchObject([{ index: 0 }]);
  expect(nextBlocks(plan, [...broken, ...attempt([failed, failed, failed])])).toEqual([]);
});

test('a block that is void again and again is given up, and the others go on', () => {
  const plan = planStudy({ ...study, sites: ['a', 'b'], links: study.links.slice(0, 1), exactly: 1 }, facts);
  const [one, other] = plan.conditions;
  const trials = Array.from(
    { length: 30 },
    (_, index): Measurement => ({
      ...{ condition: one!.id, block: 0, arm: `h${(index % 3) + 1}` },
      ...voided,
    }),
  );
  expect(nextBlocks(plan, trials.slice(0, 6))).toHaveLength(2);
  expect(nextBlocks(plan, trials)).toMatchObject([{ condition: other!.id }]);
});

test('a condition is named by all that it holds equal', () => {
  const { conditions } = planStudy({ ...study, visits: ['cold', 'resumed'] }, facts);
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
])('a load over %s with %i bytes may take %i ms', (spec, bytes, ms) => {
  expect(suggestTimeoutMs(parseLink(spec, { readText: () => '' }), bytes)).toBe(ms);
});

test('a timeout that was asked for holds everywhere', () => {
  const { conditions } = planStudy({ ...study, timeoutMs: 5_000 }, facts);
  expect(new Set(conditions.map(({ timeoutMs }) => timeoutMs))).toEqual(new Set([5_000]));
});

import { expect, test } from '@jest/globals';
import type { Measurement, Study } from '../../harness/model/study.ts';
import { parseLink } from '../../harness/study/link.ts';
import { nextBlocks, planStudy } from '../../harness/study/plan.ts';

const study: Study = {
  name: 'test',
  sites: ['a', 'b'],
  links: ['4g', 'dsl'].map((name) => parseLink(name, { readText: () => '' })),
  arms: (['h1', 'h2', 'h3'] as const).map((protocol) => ({ name: protocol, protocol })),
  exactly: 4,
  seed: 7,
  timeoutMs: 1,
};

function runThrough(seed: number) {
  const plan = planStudy({ ...study, seed });
  const measurements: Measurement[] = [];
  const rounds = [];
  for (let blocks = nextBlocks(plan, measurements); blocks.length > 0; blocks = nextBlocks(plan, measurements)) {
    rounds.push(blocks);
    for (const { condition, index, order } of blocks)
      for (const arm of order) measurements.push({ condition, block: index, arm, status: 'failed', reason: 'test' });
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
  const plan = planStudy({ ...study, sites: ['a'], links: study.links.slice(0, 1), exactly: 1 });
  const condition = plan.conditions[0]!.id;
  const trial = (arm: string, status: 'failed' | 'void'): Measurement => ({
    condition,
    block: 0,
    arm,
    status,
    reason: '',
  });
  expect(nextBlocks(plan, [trial('h1', 'failed'), trial('h2', 'void'), trial('h3', 'failed')])).toHaveLength(1);
  expect(nextBlocks(plan, [trial('h1', 'failed'), trial('h2', 'failed'), trial('h3', 'failed')])).toHaveLength(0);
});

import { describe, expect, test } from '@jest/globals';
import { judgeStudy } from '../../harness/comparison/judge.ts';
import { missingBlocks, recordsOf } from '../../harness/comparison/records.ts';
import type { LoadFigures, Measurement } from '../../harness/model/measurement.ts';
import { planFor, recordOf } from './blocks.ts';

const ARMS = [{ name: 'h2' }, { name: 'h3' }];

function trial(
  block: number,
  arm: string,
  status: 'ok' | 'failed' | 'void',
  more: Partial<LoadFigures> = {},
): Measurement {
  return { condition: 'c', block, arm, status, launch: 4, pltMs: 100 * (block + 1), ...more } as Measurement;
}

describe('blocks', () => {
  test.each<[string, readonly Measurement[], unknown]>([
    [
      'a load and a failure',
      [trial(0, 'h3', 'failed'), trial(0, 'h2', 'ok')],
      [{ index: 0, launch: 4, outcomes: { h2: 100, h3: 'failed' } }],
    ],
    ['an arm is still missing', [trial(0, 'h2', 'ok')], []],
    ['one is void', [trial(0, 'h2', 'ok'), trial(0, 'h3', 'void')], []],
    [
      'it was run again, and nothing of the first attempt counts',
      [trial(0, 'h2', 'ok', { pltMs: 1 }), trial(0, 'h3', 'void'), trial(0, 'h3', 'ok'), trial(0, 'h2', 'ok')],
      [{ index: 0, launch: 4, outcomes: { h2: 100, h3: 100 } }],
    ],
    [
      'two halves make no whole',
      [trial(0, 'h2', 'ok'), trial(0, 'h3', 'void'), trial(0, 'h2', 'void'), trial(0, 'h3', 'ok')],
      [],
    ],
  ])('%s', (_, measurements, blocks) => {
    expect(recordsOf(measurements, ARMS, 'plt')[0]!.blocks).toEqual(blocks);
  });

  test('voids are told by arm and block', () => {
    const measurements = [trial(0, 'h2', 'void'), trial(0, 'h3', 'ok'), trial(1, 'h2', 'ok'), trial(1, 'h3', 'void')];
    expect(recordsOf(measurements, ARMS, 'plt')[0]!.voids).toEqual([
      { block: 0, arm: 'h2' },
      { block: 1, arm: 'h3' },
    ]);
  });

  test.each([
    ['plt', 100],
    ['lcp', 80],
    ['fcp', 'failed'],
  ] as const)('by %s: %s', (metric, outcome) => {
    const measurements = [trial(0, 'h2', 'ok', { lcpMs: 80 }), trial(0, 'h3', 'ok', { lcpMs: 70 })];
    expect(recordsOf(measurements, ARMS, metric)[0]!.blocks[0]!.outcomes.h2).toBe(outcome);
  });
});

describe('what a round still lacks', () => {
  const records = [recordOf('decided', 12, { h2: 1000, h3: 800 }), recordOf('open', 15, { h2: 1000, h3: [900, 1100] })];
  const wanted = (counts: readonly number[]) => {
    const sofar = records.map((record, index) => ({ ...record, blocks: record.blocks.slice(0, counts[index]) }));
    const started = sofar.filter((record) => record.blocks.length > 0);
    return missingBlocks(judgeStudy(planFor(records), started), started);
  };
  test.each([
    [
      [0, 0],
      [
        ['decided', 0],
        ['open', 0],
      ],
    ],
    [[1, 0], [['open', 0]]],
    [[5, 6], [['decided', 5]]],
    [[12, 12], [['open', 12]]],
  ] as const)('after %j blocks', (counts, expected) => {
    expect(wanted(counts).map(({ condition, index }) => [condition, index])).toEqual(expected);
  });

  test('nothing where the study is finished', () => {
    const [only] = records;
    expect(missingBlocks(judgeStudy(planFor([only!]), [only!]), [only!])).toEqual([]);
  });
});

import { describe, expect, test } from '@jest/globals';
import { recordsOf } from '../../harness/comparison/records.ts';
import type { LoadFigures, Measurement } from '../../harness/model/measurement.ts';

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
      [{ index: 0, launch: 4, at: 1, outcomes: { h2: 100, h3: 'failed' } }],
    ],
    ['an arm is still missing', [trial(0, 'h2', 'ok')], []],
    ['one is void', [trial(0, 'h2', 'ok'), trial(0, 'h3', 'void')], []],
    [
      'it was run again, and nothing of the first attempt counts',
      [trial(0, 'h2', 'ok', { pltMs: 1 }), trial(0, 'h3', 'void'), trial(0, 'h3', 'ok'), trial(0, 'h2', 'ok')],
      [{ index: 0, launch: 4, at: 3, outcomes: { h2: 100, h3: 100 } }],
    ],
    [
      'two halves make no whole',
      [trial(0, 'h2', 'ok'), trial(0, 'h3', 'void'), trial(0, 'h2', 'void'), trial(0, 'h3', 'ok')],
      [],
    ],
  ])('%s', (_, measurements, blocks) => {
    expect(recordsOf(measurements, ARMS, 'plt')[0]!.blocks).toEqual(blocks);
  });

  test('stand in the order of time, by the last of their loads among all that were measured', () => {
    const other = (block: number, arm: string): Measurement => ({ ...trial(block, arm, 'ok'), condition: 'other' });
    const measurements = [
      ...[trial(0, 'h2', 'ok'), trial(0, 'h3', 'void'), other(0, 'h2'), other(0, 'h3')],
      ...[trial(1, 'h2', 'ok'), trial(1, 'h3', 'ok'), trial(0, 'h2', 'ok'), trial(0, 'h3', 'ok')],
    ];
    const [own, another] = recordsOf(measurements, ARMS, 'plt');
    expect(own!.blocks.map(({ index, at }) => [index, at])).toEqual([
      [0, 7],
      [1, 5],
    ]);
    expect(another!.blocks.map(({ index, at }) => [index, at])).toEqual([[0, 3]]);
  });

  test('name the machine that ran them, where a worker did', () => {
    const machine = 'far';
    const measurements = [
      ...[trial(0, 'h2', 'ok'), trial(0, 'h3', 'ok')].map((each) => ({ ...each, machine })),
      ...[trial(1, 'h2', 'ok'), trial(1, 'h3', 'ok')],
    ];
    const [far, own] = recordsOf(measurements, ARMS, 'plt')[0]!.blocks;
    expect(far).toMatchObject({ machine });
    expect(own!.machine).toBeUndefined();
  });

  test('voids are told by arm, block and place', () => {
    const measurements = [trial(0, 'h2', 'void'), trial(0, 'h3', 'ok'), trial(1, 'h2', 'ok'), trial(1, 'h3', 'void')];
    expect(recordsOf(measurements, ARMS, 'plt')[0]!.voids).toEqual([
      { block: 0, arm: 'h2', at: 0 },
      { block: 1, arm: 'h3', at: 3 },
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

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { renderTable, type TerminalColumn } from '../../harness/report/table.ts';
import { type falseClaims, type GatePower, SAMPLING_NAMES, SHAPE_NAMES } from './gate.ts';
import { natively } from './natively.ts';

const GATES = 600;
const LEVEL = 0.05;

const seen: string[] = [];
let rows: readonly GatePower[];
beforeAll(async () => {
  rows = await natively<GatePower[]>(
    './gate.ts',
    'powerTable',
    [0, 5, 10, 15, 20, 30],
    [0.02, 0.05, 0.1],
    [20, 30, 50],
  );
});
afterAll(() => {
  process.stdout.write(`${seen.join('\n')}\n${renderTable(COLUMNS, rows)}\n`);
});

const percent = (share: number) => `${(100 * share).toFixed(0)} %`;
const COLUMNS: readonly TerminalColumn<GatePower>[] = [
  { title: 'blocks in each study', align: 'right', text: (row) => `${row.blocks}` },
  { title: 'noise', align: 'right', text: (row) => percent(row.noise) },
  { title: 'slower by', align: 'right', text: (row) => `${row.slowerPercent} %` },
  { title: 'broken', align: 'right', text: (row) => percent(row.broken) },
  { title: 'held', align: 'right', text: (row) => percent(row.held) },
];

describe.each(['gateAtMargin', 'gateAtLimits'])('%s: where every limit is exactly the truth', (gate) => {
  describe.each(SAMPLING_NAMES)('studies %s', (sampling) => {
    test.each(SHAPE_NAMES)('at most 5 %% of gates are shut, and as many call anything kept: %s', async (shape) => {
      const found = await natively<ReturnType<typeof falseClaims>>(
        './gate.ts',
        'falseClaims',
        gate,
        shape,
        sampling,
        GATES,
      );
      seen.push(
        `of ${GATES} gates ${percent(found.broken)} shut, ${percent(found.held)} call anything kept: ${gate}, studies ${sampling}, ${shape}`,
      );
      expect(found.broken).toBeLessThanOrEqual(LEVEL);
      expect(found.held).toBeLessThanOrEqual(LEVEL);
    });
  });
});

describe('power', () => {
  const at = (noise: number, slower: number, blocks: number) =>
    rows.find((row) => row.noise === noise && row.slowerPercent === slower && row.blocks === blocks)!;

  test.each([
    [0.02, 10, 20],
    [0.05, 15, 30],
    [0.1, 20, 50],
  ])('with noise %d, %i %% slower is nearly always noticed with %i blocks', (noise, slower, blocks) => {
    expect(at(noise, slower, blocks).broken).toBeGreaterThan(0.9);
  });

  test('no slower is never called slower, and with little noise is proven', () => {
    for (const row of rows.filter(({ slowerPercent }) => slowerPercent === 0)) expect(row.broken).toBe(0);
    expect(at(0.02, 0, 30).held).toBeGreaterThan(0.5);
  });
});

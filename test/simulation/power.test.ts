import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { RULE_NAMES } from '../../harness/comparison/rules.ts';
import { renderTable, type TerminalColumn } from '../../harness/report/table.ts';
import { natively } from './natively.ts';
import type { Power } from './power.ts';

const RATIOS = [0.8, 0.82, 0.84, 0.86, 0.88, 0.9, 0.92, 0.94, 0.96, 0.98, 1];
const NOISES = [0.01, 0.05, 0.15];

let rows: readonly Power[];
beforeAll(async () => {
  rows = await natively<Power[]>('./power.ts', 'powerTable', RATIOS, NOISES, RULE_NAMES);
});
afterAll(() => {
  process.stdout.write(`${renderTable(COLUMNS, rows)}\n`);
});

const percent = (share: number) => `${(100 * share).toFixed(0)} %`;
const COLUMNS: readonly TerminalColumn<Power>[] = [
  { title: 'rule', text: (row) => row.rule },
  { title: 'noise', align: 'right', text: (row) => percent(row.noise) },
  { title: 'true ratio', align: 'right', text: (row) => row.ratio.toFixed(2) },
  { title: 'faster', align: 'right', text: (row) => percent(row.verdicts.a) },
  { title: 'slower', align: 'right', text: (row) => percent(row.verdicts.b) },
  { title: 'tie', align: 'right', text: (row) => percent(row.verdicts.tie) },
  { title: 'undecided', align: 'right', text: (row) => percent(row.verdicts.undecided) },
  { title: 'mean blocks', align: 'right', text: (row) => row.meanBlocks.toFixed(1) },
];

function rowOf(rule: string, noise: number, ratio: number): Power {
  return rows.find((row) => row.rule === rule && row.noise === noise && row.ratio === ratio)!;
}

describe('of what is there the rules find', () => {
  test.each([
    ['default', 0.01, 0.94, 'a', 0.99, 15],
    ['default', 0.01, 1, 'tie', 0.99, 15],
    ['default', 0.05, 0.8, 'a', 0.99, 15],
    ['default', 0.05, 0.9, 'a', 0.99, 30],
    ['default', 0.15, 0.8, 'a', 0.95, 50],
    ['kramer2015', 0.01, 0.86, 'a', 0.99, 25],
    ['kramer2015', 0.05, 0.8, 'a', 0.95, 50],
    ['kramer2015', 0.05, 0.94, 'tie', 0.99, 15],
    ['kramer2015', 0.15, 1, 'tie', 0.99, 40],
  ] as const)('%s, noise %d, ratio %d: %s, in a share of at least %d within %i blocks on average', (...row) => {
    const [rule, noise, ratio, verdict, least, blocks] = row;
    const found = rowOf(rule, noise, ratio);
    expect(found.verdicts[verdict]).toBeGreaterThanOrEqual(least);
    expect(found.meanBlocks).toBeLessThanOrEqual(blocks);
  });
});

test('what is faster is never called slower', () => {
  for (const row of rows.filter((each) => each.ratio <= 0.94)) expect(row.verdicts.b).toBe(0);
});

test('at no more than a hundred blocks a difference beside the limit stays undecided, and is said to be', () => {
  expect(rowOf('default', 0.15, 0.96).verdicts.undecided).toBeGreaterThan(0.9);
});

import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import * as files from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, jest, test } from '@jest/globals';
import { openFakeLab } from '../fakes/lab.ts';
import { planOf } from '../study/plans.ts';

const synced: string[] = [];
jest.unstable_mockModule('node:fs/promises', () => ({
  ...files,
  open: async (path: string) => ({
    sync: async () => synced.push(path),
    [Symbol.asyncDispose]: async () => {},
  }),
}));
const { runBlock } = await import('../../harness/run/block.ts');

const folder = mkdtempSync(join(tmpdir(), 'photofinish-block-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('the evidence that a block names is on the disk, and its names are, before anybody can write the block down', async () => {
  const plan = planOf({ sites: ['a'], links: ['fibre'] });
  const block = { condition: plan.conditions[0]!.id, index: 0, order: ['h2', 'h1', 'h3'] };
  const { lab } = openFakeLab({ timeOf: () => 100 });
  const { trials } = await runBlock(plan, lab, { block, serial: 7, folder });
  const evidence = trials.flatMap((trial) => trial.evidence);
  expect(evidence).toEqual(['har/00007-h2.har.gz', 'har/00007-h1.har.gz', 'har/00007-h3.har.gz']);
  expect([...synced].sort()).toEqual(
    [folder, join(folder, 'har'), ...evidence.map((file) => join(folder, file))].sort(),
  );
});

test('what an attempt that was killed has left under the name of a load is not its evidence', async () => {
  const plan = planOf({ sites: ['a'], links: ['fibre'] });
  const block = { condition: plan.conditions[0]!.id, index: 0, order: ['h1'] };
  for (const kind of ['pcap', 'netlog']) mkdirSync(join(folder, kind), { recursive: true });
  for (const file of ['pcap/00005-h1.pcap', 'pcap/00005-h1.keys', 'netlog/00005-h1.json.gz', 'pcap/00004-h1.pcap'])
    writeFileSync(join(folder, file), 'of another load');
  const { lab } = openFakeLab({ timeOf: () => 100 });
  const { trials } = await runBlock(plan, lab, { block, serial: 5, folder });
  expect(trials.map(({ evidence }) => evidence)).toEqual([['har/00005-h1.har.gz']]);
  expect(existsSync(join(folder, 'pcap/00005-h1.keys'))).toBe(false);
  expect(existsSync(join(folder, 'pcap/00004-h1.pcap'))).toBe(true);
});

test.each([
  [undefined, false],
  ['full', true],
] as const)('with har: %s each counted load is watched: %s', async (har, watched) => {
  const plan = { ...planOf({ sites: ['a'], links: ['fibre'] }), har };
  const block = { condition: plan.conditions[0]!.id, index: 0, order: ['h2', 'h1', 'h3'] };
  const { lab, loads } = openFakeLab({ timeOf: () => 100 });
  await runBlock(plan, lab, { block, serial: 8, folder });
  expect(loads.map((load) => load.watched)).toEqual([watched, watched, watched]);
});

/** Runs a block in which each load of h1 says how long it waited; the last of them is said again. */
async function runDisturbed(waitsMs: readonly number[]) {
  const plan = planOf({ sites: ['a'], links: ['fibre'] });
  const block = { condition: plan.conditions[0]!.id, index: 0, order: ['h2', 'h1', 'h3'] };
  const { lab, loads } = openFakeLab({ timeOf: () => 100 });
  const waits = [...waitsMs];
  const isDisturbed = (arm: string) => arm === 'h1' && (waits.length > 1 ? waits.shift()! : waits[0]!) > 3;
  const finished = await runBlock(plan, lab, { block, serial: 9, folder, isDisturbed });
  return { ...finished, loaded: loads.map(({ protocol }) => protocol) };
}

test('a load that was disturbed is made again at once, is kept, and is no trial', async () => {
  const { trials, disturbed, loaded } = await runDisturbed([9, 1]);
  expect(loaded).toEqual(['h2', 'h1', 'h1', 'h3']);
  expect(trials.map(({ measurement }) => `${measurement.arm} ${measurement.status}`)).toEqual([
    'h2 ok',
    'h1 ok',
    'h3 ok',
  ]);
  expect(disturbed?.map(({ arm, capture }) => `${arm} ${Math.round(capture.browser.timings!.loadEventEndMs)}`)).toEqual(
    ['h1 100'],
  );
});

test('a load that is disturbed each time counts in the end, however long it waited', async () => {
  const { trials, disturbed, loaded } = await runDisturbed([9]);
  expect(loaded).toEqual(['h2', 'h1', 'h1', 'h1', 'h3']);
  expect(trials.map(({ measurement }) => measurement.arm)).toEqual(['h2', 'h1', 'h3']);
  expect(disturbed).toHaveLength(2);
});

test('a block without disturbed loads says nothing of any', async () => {
  expect((await runDisturbed([1])).disturbed).toBeUndefined();
});

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { exportStudy, parseExport } from '../../harness/commands/export.ts';
import { openStore } from '../../harness/store/store.ts';
import { blockOf, MACHINE, okLoad, PLAN, STUDY, temporaryFolder } from '../store/studies.ts';

describe('what is asked for', () => {
  test.each([
    [{}, ['study'], { to: resolve('study/export'), formats: ['csv', 'parquet', 'json', 'har'] }],
    [{ to: 'there', format: 'json, csv' }, ['study'], { to: resolve('there'), formats: ['json', 'csv'] }],
  ] as const)('%j %j', (flags, operands, expected) => {
    expect(parseExport(flags, operands)).toEqual({ folder: resolve('study'), ...expected });
  });

  test('a format that there is not', () => {
    expect(() => parseExport({ format: 'csv,xls' }, ['study'])).toThrow(
      '--format: "xls" is not a known format. Expected: csv, parquet, json or har',
    );
  });
});

const ARMS = PLAN.arms.map(({ name }) => name);
const BLOCK = blockOf(
  1,
  ARMS.map((arm) => okLoad(PLAN.conditions[0]!.id, 0, arm)),
);

/** A study that is still running. */
function runningStudy() {
  using undo = new DisposableStack();
  const { path: folder } = undo.use(temporaryFolder());
  const store = undo.use(openStore(join(folder, 'study.sqlite')));
  store.writeStudy({ study: STUDY, plan: PLAN });
  store.addBlock(store.beginSession(MACHINE, 1000, []), BLOCK);
  mkdirSync(join(folder, 'har'));
  writeFileSync(join(folder, 'har/00001-h1.har.gz'), gzipSync('{"log":{}}'));
  writeFileSync(join(folder, 'har/00002-h1.har.gz'), gzipSync('{}')); // From a block that was never finished.
  const end = undo.move();
  return { folder, store, [Symbol.dispose]: () => end.dispose() };
}

test('everything, each file whole', async () => {
  using study = runningStudy();
  const printed: string[] = [];
  expect(await exportStudy(parseExport({}, [study.folder]), (line) => printed.push(line))).toBe(0);
  const to = join(study.folder, 'export');
  const tables = ['answers', 'blocks', 'comparisons', 'loads'].flatMap((name) =>
    ['csv', 'json', 'parquet'].map((end) => `${name}.${end}`),
  );
  expect(readdirSync(to).sort()).toEqual([...tables, 'columns.md', 'har'].sort());
  expect(readdirSync(join(to, 'har'))).toEqual(['00001-h1.har']);
  expect(readFileSync(join(to, 'har/00001-h1.har'), 'utf8')).toBe('{"log":{}}');
  expect(JSON.parse(readFileSync(join(to, 'loads.json'), 'utf8'))).toHaveLength(3);
  expect(readFileSync(join(to, 'blocks.csv'), 'utf8').split('\r\n')).toHaveLength(3);
  expect(printed).toContain(join(to, 'loads.parquet'));
});

test('again, over what was there, and only what is asked for', async () => {
  using study = runningStudy();
  const to = join(study.folder, 'elsewhere');
  const request = parseExport({ to, format: 'csv' }, [study.folder]);
  await exportStudy(request, () => {});
  study.store.addBlock(
    1,
    blockOf(
      2,
      ARMS.map((arm) => okLoad(PLAN.conditions[0]!.id, 1, arm)),
    ),
  );
  await exportStudy(request, () => {});
  expect(readdirSync(to).sort()).toEqual(['answers.csv', 'blocks.csv', 'columns.md', 'comparisons.csv', 'loads.csv']);
  expect(readFileSync(join(to, 'loads.csv'), 'utf8').split('\r\n')).toHaveLength(8);
});

describe('where there is no study', () => {
  test('no folder', async () => {
    await expect(exportStudy(parseExport({}, ['/no/where']), () => {})).rejects.toThrow(
      /^no study in \/no\/where: there is no/,
    );
  });

  test('a store that nothing was written to', async () => {
    using folder = temporaryFolder();
    openStore(join(folder.path, 'study.sqlite'))[Symbol.dispose]();
    await expect(exportStudy(parseExport({}, [folder.path]), () => {})).rejects.toThrow(/nothing was written yet$/);
  });
});

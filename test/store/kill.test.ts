import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { seededRandom } from '../../harness/stats/random.ts';
import { openStoreToRead } from '../../harness/store/store.ts';
import { killGroup, start } from '../../harness/system/process.ts';
import { temporaryFolder } from './studies.ts';

const KILLS = 10;
const ADD_BLOCKS = fileURLToPath(new URL('add-blocks.ts', import.meta.url));

test(`after ${KILLS} kills every block that was finished is there, once and whole`, async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'study.sqlite');
  const random = seededRandom(Date.now());
  let finished = 0;
  for (let kill = 0; kill < KILLS; kill += 1) {
    const isOpen = kill % 2 === 0;
    finished = (await addUntilKilled(path, isOpen, (isOpen ? 75 : 150) * random())) ?? finished;
    expectWhole(path, finished);
  }
  expect(finished).toBeGreaterThan(KILLS);
});

/** Kills it `afterMs` after its beginning, or its first block; returns the last block that was said to be there. */
async function addUntilKilled(path: string, isOpen: boolean, afterMs: number): Promise<number | undefined> {
  await using program = start([process.execPath, '--disable-warning=ExperimentalWarning', ADD_BLOCKS, path]);
  let said = '';
  program.stdout.on('data', (chunk: Buffer) => {
    said += chunk;
  });
  if (isOpen) await new Promise((resolve) => program.stdout.once('data', resolve));
  await wait(afterMs);
  killGroup(program.pid);
  expect(await program.ended).toBe('SIGKILL');
  return said === '' ? undefined : Number(said.trimEnd().split('\n').at(-1));
}

/** The store is read first, before anything has tidied up behind the program that was killed. */
function expectWhole(path: string, finished: number): void {
  if (finished === 0) return;
  using reader = openStoreToRead(path);
  const serials = reader.blocks().map(({ serial }) => serial);
  expect(serials).toEqual(serials.map((_, index) => index + 1));
  // What was said last may not have been heard.
  expect(serials.length).toBeGreaterThanOrEqual(finished);
  const trials = [...reader.trials()];
  expect(trials.map(({ serial }) => serial)).toEqual(serials.flatMap((serial) => [serial, serial, serial]));
  expect(trials.map(({ id }) => reader.captureOf(id).page.url)).toEqual(
    serials.flatMap(() => ['h1', 'h2', 'h3'].map((arm) => `https://${arm}.test/`)),
  );
  using database = new DatabaseSync(path);
  expect(database.prepare('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }]);
  expect(database.prepare('PRAGMA foreign_key_check').all()).toEqual([]);
}

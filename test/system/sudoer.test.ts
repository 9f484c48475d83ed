import { chownSync, lstatSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { giveToSudoer } from '../../harness/setup/sudoer.mjs';
import { generateSite } from '../../harness/site/generate.ts';
import { writeRecording } from '../../harness/site/record/store.ts';
import { lockFolder } from '../../harness/store/lock.ts';
import { openStore } from '../../harness/store/store.ts';
import { makeFolder, writePrivate, writeWhole } from '../../harness/system/write-whole.ts';
import { RECIPES } from '../../sites/recipes.ts';

const isRoot = process.geteuid?.() === 0;
const SUDOER = 47_110;
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'photofinish-sudoer-'));
  process.env.SUDO_UID = process.env.SUDO_GID = `${SUDOER}`;
});
afterEach(() => {
  delete process.env.SUDO_UID;
  delete process.env.SUDO_GID;
  rmSync(folder, { recursive: true });
});

const ownerOf = (path: string) => lstatSync(join(folder, path)).uid;
const make = (path: string) => {
  mkdirSync(join(folder, path, '..'), { recursive: true });
  writeFileSync(join(folder, path), path);
};

(isRoot ? describe : describe.skip)('what root makes under sudo', () => {
  test('is given to who ran sudo with all that is in it, but for what another user has, and where links lead', () => {
    for (const path of ['a/b/c', 'a/other', 'elsewhere/d']) make(path);
    chownSync(join(folder, 'a/other'), 4_712, 4_712);
    symlinkSync('../elsewhere', join(folder, 'a/link'));
    giveToSudoer(join(folder, 'a'));
    expect(['a', 'a/b', 'a/b/c', 'a/link', 'a/other'].map(ownerOf)).toEqual([SUDOER, SUDOER, SUDOER, SUDOER, 4_712]);
    expect(['elsewhere', 'elsewhere/d'].map(ownerOf)).toEqual([0, 0]);
    giveToSudoer(join(folder, 'nothing'));
  });

  test('stays root’s where nobody ran sudo', () => {
    delete process.env.SUDO_UID;
    make('a');
    giveToSudoer(join(folder, 'a'));
    expect(ownerOf('a')).toBe(0);
  });

  test('is given whatever makes it: folders, files, a study and its lock, sites and recordings', () => {
    makeFolder(join(folder, 'one/two'));
    writeWhole(join(folder, 'three/file'), 'text');
    writePrivate(join(folder, 'four/secret'), 'text');
    makeFolder(join(folder, 'study'));
    using _lock = lockFolder(join(folder, 'study'));
    using store = openStore(join(folder, 'study/study.sqlite'));
    expect(store.names()).toBeDefined();
    const { root, manifest } = generateSite('few-small', RECIPES['few-small']!, 1, join(folder, 'sites'));
    const made = [root, `${root}/manifest.json`, root + manifest.document].map((path) => path.slice(folder.length + 1));
    const recorded = {
      schema: 1,
      site: 'mine',
      url: 'https://a.test/',
      recordedAtMs: 1,
      seed: 1,
      device: 'desktop',
      by: 'a test',
      secrets: 'removed',
      origins: [],
      responses: [],
      leftOut: [],
      notes: [],
    } as const;
    writeRecording({ manifest: recorded, bodies: new Map() }, join(folder, 'recorded'));
    const all = [
      ...['one', 'one/two', 'three', 'three/file', 'four', 'four/secret', 'sites', ...made],
      ...['study', 'study.lock', 'study.sqlite', 'study.sqlite-wal', 'study.sqlite-shm'].map((name) =>
        name === 'study' ? name : `study/${name}`,
      ),
      ...['recorded', 'recorded/mine', 'recorded/mine/manifest.json'],
    ];
    expect(all.filter((path) => ownerOf(path) !== SUDOER)).toEqual([]);
  });
});

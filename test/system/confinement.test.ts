import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { lendToBrowser } from '../../harness/system/confinement.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'photofinish-lend-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('a browser of another user is lent each file as a copy of its own', () => {
  const files = ['one.txt', 'two.txt'].map((name) => join(folder, name));
  for (const file of files) writeFileSync(file, file);
  const lend = (file: string) => lendToBrowser(file, folder, { prefix: [], uid: 1, asRoot: false, sandboxed: true });
  const lent = files.map(lend);
  expect(lent.map((path) => readFileSync(path, 'utf8'))).toEqual(files);
  expect(files.map(lend)).toEqual(lent);
  expect(lent.some((path) => files.includes(path))).toBe(false);
});

test('one that is this user reads the file itself', () => {
  expect(lendToBrowser('/a/file', folder, { prefix: [], asRoot: false, sandboxed: true })).toBe('/a/file');
});

import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { openAside, writeWhole } from '../../harness/system/write-whole.ts';

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'photofinish-'));
  path = join(folder, 'table.csv');
});
afterEach(() => rmSync(folder, { recursive: true }));

test('a file in a folder that is not there yet', () => {
  writeWhole(join(folder, 'deep/er/file'), 'text');
  expect(readFileSync(join(folder, 'deep/er/file'), 'utf8')).toBe('text');
});

test('pieces are in its place once they are kept', () => {
  writeFileSync(path, 'old');
  writeFileSync(`${path}.partial`, 'left by somebody who was killed');
  using aside = openAside(path);
  appendFileSync(aside.path, 'one ');
  appendFileSync(aside.path, 'two');
  expect(readFileSync(path, 'utf8')).toBe('old');
  aside.keep();
  expect(readFileSync(path, 'utf8')).toBe('one two');
});

test('what was not kept leaves what was there, and nothing else', () => {
  writeFileSync(path, 'old');
  expect(() => {
    using aside = openAside(path);
    appendFileSync(aside.path, 'half');
    throw new Error('the disk is full');
  }).toThrow('the disk is full');
  expect(readFileSync(path, 'utf8')).toBe('old');
  expect(readdirSync(folder)).toEqual(['table.csv']);
});

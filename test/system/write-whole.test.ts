import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { openAside, writePrivate, writeWhole } from '../../harness/system/write-whole.ts';

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

test('two who write the same at once do not meet', () => {
  using one = openAside(path);
  using other = openAside(path);
  appendFileSync(one.path, 'one');
  appendFileSync(other.path, 'other');
  one.keep();
  other.keep();
  expect(readFileSync(path, 'utf8')).toBe('other');
});

test('a link in its place is put aside, and where it leads nothing is written', () => {
  const elsewhere = join(folder, 'elsewhere');
  writeFileSync(elsewhere, 'mine');
  symlinkSync(elsewhere, path);
  symlinkSync(elsewhere, `${path}.partial`);
  writeWhole(path, 'text');
  expect(readFileSync(elsewhere, 'utf8')).toBe('mine');
  expect(readFileSync(path, 'utf8')).toBe('text');
});

test('secrets are for their owner alone, in a folder that others do not look into', () => {
  mkdirSync(join(folder, 'pcap'), { mode: 0o755 });
  for (const secret of ['pcap/1.keys', 'har/1.har.gz']) {
    writePrivate(join(folder, secret), 'secret');
    const [file, its] = [join(folder, secret), join(folder, secret, '..')].map((each) => statSync(each).mode & 0o777);
    expect([file, its]).toEqual([0o600, 0o700]);
  }
});

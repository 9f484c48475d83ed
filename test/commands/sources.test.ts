import { execFileSync } from 'node:child_process';
import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { LINK_SOURCES } from '../../harness/commands/sources.ts';
import { parseLink } from '../../harness/study/link.ts';
import { temporaryFolder } from '../store/studies.ts';

const linkOf = (path: string) => parseLink(`trace=${path}`, LINK_SOURCES);

test('a trace is a plain file', () => {
  using folder = temporaryFolder();
  const [plain, pipe] = [join(folder.path, 'plain'), join(folder.path, 'pipe')];
  writeFileSync(plain, Array.from({ length: 200 }, (_, ms) => `${ms}\n`).join(''));
  expect(linkOf(plain).down.rate.kind).toBe('trace');
  execFileSync('mkfifo', [pipe]);
  for (const path of [pipe, '/dev/zero', '/dev/tty', folder.path])
    expect(() => linkOf(path)).toThrow(/^--link: trace: .* \(cannot be read: /);
});

test('of at most 50 MB', () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'long');
  writeFileSync(path, '');
  truncateSync(path, 50_000_001);
  expect(() => linkOf(path)).toThrow(/50000001 bytes. Expected: up to 50000000/);
});

test('and what a file holds that is no trace is not told', () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'shadow');
  writeFileSync(path, 'root:$6$secret:19000:0:99999:7:::\n');
  expect(() => linkOf(path)).toThrow(/line 1 is no whole number of milliseconds/);
  expect(() => linkOf(path)).not.toThrow(/secret/);
});

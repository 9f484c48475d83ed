import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { findOwnServers } from '../../harness/setup/own-servers.mjs';

let folder: string;
let program: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'photofinish-own-'));
  program = join(folder, 'caddy');
});
afterEach(() => rmSync(folder, { recursive: true }));

function install(says: string): void {
  writeFileSync(program, `#!/bin/sh\necho '${says}'\n`);
  chmodSync(program, 0o755);
}

test('where there is none, what to do is said', () => {
  expect(findOwnServers([folder]).caddy).toEqual({
    missing: 'there is no caddy on the PATH; install Caddy 2, and then: npm run setup',
  });
});

test('one that is there tells its version, once', () => {
  install('v2.11.9 h1:abc=');
  const { mtimeMs, size } = statSync(program);
  const known = findOwnServers([folder]);
  expect(known.caddy).toEqual({ argv: [program], version: '2.11.9', mtimeMs, size });
  const told = { caddy: { argv: [program] as const, version: '1', mtimeMs, size } };
  expect(findOwnServers([folder], told).caddy).toBe(told.caddy);
  expect(findOwnServers([folder], { caddy: { ...told.caddy, size: 1 } }).caddy).toEqual(known.caddy);
});

test('one that tells none is none', () => {
  install('');
  expect(findOwnServers([folder]).caddy).toMatchObject({ missing: expect.stringMatching(/does not tell its version/) });
});

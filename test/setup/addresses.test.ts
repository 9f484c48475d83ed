import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';

const root = fileURLToPath(new URL('../..', import.meta.url));
const files = ['harness/setup.mjs', ...inFolder('harness/setup'), ...inFolder('test/bare'), ...inFolder('test/setup')];

test('there are files to look at', () => {
  expect(files.length).toBeGreaterThan(20);
});

test.each(files)('%s names no host of its own: addresses come from the machine', (path) => {
  const addresses = readFileSync(join(root, path), 'utf8').match(/[a-z+]+:\/\/[\w.-]+/g) ?? [];
  expect(addresses.filter((address) => !address.endsWith('.example'))).toEqual([]);
});

function inFolder(folder: string): string[] {
  return readdirSync(join(root, folder)).map((name) => join(folder, name));
}

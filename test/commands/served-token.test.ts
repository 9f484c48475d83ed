import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { servedToken } from '../../harness/commands/served-token.ts';
import { temporaryFolder } from '../store/studies.ts';

test('a folder has the same token each time, and another one than others have', () => {
  using folder = temporaryFolder();
  const folders = ['one', 'other'].map((name) => join(folder.path, name));
  for (const each of folders) mkdirSync(each);
  const tokens = folders.map(servedToken);
  expect(folders.map(servedToken)).toEqual(tokens);
  expect(new Set(tokens).size).toBe(2);
  for (const token of tokens) expect(token).toMatch(/^[\w-]{32}$/);
});

import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { recordFolder } from '../../harness/run/record-folder.ts';
import { findFolder } from '../../harness/site/folder/find-folder.ts';

test('a folder that was not recorded yet is recorded in a turn: what ends the waiting leaves nothing behind', async () => {
  const outer = mkdtempSync(join(tmpdir(), 'photofinish-folder-'));
  try {
    mkdirSync(join(outer, 'dist'));
    writeFileSync(join(outer, 'dist/index.html'), '<!doctype html>');
    const cache = join(outer, 'cache');
    const inTurn = () => Promise.reject(new Error('stopped while it waited'));
    const options = { device: 'desktop', signal: new AbortController().signal, cache, inTurn } as const;
    await expect(recordFolder(findFolder(join(outer, 'dist'))!, options)).rejects.toThrow('stopped while it waited');
    expect(existsSync(cache)).toBe(false);
  } finally {
    rmSync(outer, { recursive: true });
  }
});

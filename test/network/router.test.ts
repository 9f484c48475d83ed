import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { playerOf } from '../../harness/network/router.ts';

test('what plays a trace lies beside it, wherever this project is', () => {
  const folder = mkdtempSync(join(tmpdir(), 'photofinish-router-'));
  try {
    const steps = [{ atMs: 0.5, kbps: 8_000 }];
    const schedule = { node: 'n', device: 'out', periodMs: 100, bucketMs: 2, steps };
    const words = playerOf(schedule, join(folder, '0.schedule'));
    expect(words.slice(4)).toEqual([
      'perl',
      join(folder, 'play-trace.pl'),
      join(folder, '0.schedule'),
      '100000',
      '2000',
      'out',
    ]);
    expect(existsSync(words[5]!)).toBe(true);
    expect(readFileSync(words[6]!, 'utf8')).toBe('500 8000\n');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

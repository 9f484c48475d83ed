import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { watchRunDelay } from '../../harness/system/run-delay.ts';

/** A process on one core, with as many threads that compute without end as it is told. */
const BUSY = `
  const { Worker } = require('node:worker_threads');
  for (let more = Number(process.argv[1]); more > 0; more -= 1) new Worker('for (;;);', { eval: true });
  setTimeout(() => process.stdout.write('begun'), 300);
  setTimeout(() => process.exit(), 20_000);`;

async function waitedMs(busyThreads: number, watchedMs: number): Promise<number> {
  const child = spawn('taskset', ['--cpu-list', '0', process.execPath, '-e', BUSY, `${busyThreads}`]);
  const ended = once(child, 'exit');
  try {
    await once(child.stdout, 'data');
    const look = watchRunDelay([child.pid!]);
    await setTimeout(watchedMs);
    return look();
  } finally {
    child.kill('SIGKILL');
    await ended;
  }
}

test('threads that want the same core wait for it', async () => {
  // Three have one core at most: two of them wait at any time. What one waits for is counted once it has had its turn.
  expect(await waitedMs(3, 500)).toBeGreaterThan(1.6 * 500);
});

test('a process that has nothing to do waits for nothing, and neither does one that is gone', async () => {
  expect(await waitedMs(0, 200)).toBeLessThan(50);
  expect(watchRunDelay([2 ** 30])()).toBe(0);
});

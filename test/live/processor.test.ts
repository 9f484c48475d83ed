import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { watchProcessors } from '../../harness/bench/processor-use.ts';
import { watchHost } from '../../harness/system/host-load.ts';
import { watchThreads } from '../../harness/system/threads.ts';
import { inPeace } from '../in-peace.ts';

/*
 * What looks at the machine's processor needs no lab, but the processor: what runs at idle priority, as the unit tests do
 * beside the live ones, counts as nothing.
 */

/** A process with as many threads that compute without end as it is told. */
const BUSY = `
  const { Worker } = require('node:worker_threads');
  for (let more = Number(process.argv[1]); more > 0; more -= 1) new Worker('for (;;);', { eval: true });
  setTimeout(() => process.stdout.write('begun'), 300);
  process.stdin.on('end', () => process.exit()).resume();
  setTimeout(() => process.exit(), 20_000);`;

/** What a process does in a while; a shell starts it, as another process starts the renderers of a browser. */
async function watch(cores: string, busyThreads: number, watchedMs: number) {
  const node = [process.execPath, '-e', BUSY, `${busyThreads}`];
  const child = spawn('taskset', ['--cpu-list', cores, 'sh', '-c', '"$@"; exit', 'sh', ...node]);
  const ended = once(child, 'exit');
  try {
    await once(child.stdout, 'data');
    const look = watchThreads(child.pid!);
    await setTimeout(watchedMs);
    return look();
  } finally {
    child.stdin.end();
    await ended;
  }
}

test('threads that want the same core wait for it', async () => {
  // Three have one core at most: two of them wait at any time. What one waits for is counted once it has had its turn.
  // On a busy machine one may not have begun yet.
  await inPeace(async () => {
    const { ranMs, waitedMs } = await watch('0', 3, 500);
    expect(waitedMs).toBeGreaterThan(1.6 * 500);
    expect(ranMs).toBeGreaterThan(0.5 * 500);
    expect(ranMs).toBeLessThan(1.2 * 500);
  });
});

test('a thread that never rests is seen, wherever it runs', async () => {
  await inPeace(async () => {
    const { busiestMs } = await watch(`0-${availableParallelism() - 1}`, 1, 500);
    expect(busiestMs).toBeGreaterThan(0.7 * 500);
    expect(busiestMs).toBeLessThan(1.2 * 500);
  });
});

test('a process that has nothing to do waits for nothing, and neither does one that is gone', async () => {
  await inPeace(async () => {
    const idle = await watch('0', 0, 200);
    expect(idle.waitedMs).toBeLessThan(50);
    expect(idle.busiestMs).toBeLessThan(50);
  });
  expect(watchThreads(2 ** 30)()).toEqual({ ranMs: 0, waitedMs: 0, busiestMs: 0 });
});

test('a core that computes is seen to be busy', async () => {
  await inPeace(async () => {
    const look = watchHost(process.pid);
    const untilMs = performance.now() + 300;
    while (performance.now() < untilMs);
    const { cores, ranMs, stalledShare, stolenShare } = look();
    expect(ranMs).toBeGreaterThan(0.5 * 300);
    expect(Math.max(...cores)).toBeGreaterThan(0.7);
    for (const share of cores) expect(share).toBeLessThanOrEqual(1);
    expect(stolenShare).toBeGreaterThanOrEqual(0);
    expect(stolenShare).toBeLessThan(0.5);
    if (stalledShare !== undefined) expect(stalledShare).toBeLessThanOrEqual(1);
  });
});

test('who computes is seen to, and the machine with it', async () => {
  const look = watchProcessors();
  const usedMs = () => process.cpuUsage().user / 1000;
  // This counts what it computed, and not what others did meanwhile.
  const untilMs = usedMs() + 300;
  while (usedMs() < untilMs);
  await setTimeout(20);
  const { machineSeconds, byProcess } = look();
  expect(machineSeconds).toBeGreaterThan(0.15);
  expect(byProcess.get('node')).toBeGreaterThan(0.15);
});

import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { canGiveWay, givingWay, isInRootGroup, withShare } from '../../harness/system/give-way.ts';

test.each([
  ['0::/\n', true],
  ['0::/user.slice/user-1000.slice/session-2.scope\n', false],
  ['4:memory:/some/where\n2:cpu,cpuacct:/\n0::/\n', true],
  ['2:cpu,cpuacct:/docker/1234\n0::/\n', false],
])('cores are shared by session only in the topmost group: %j', (groups, isIn) => {
  expect(isInRootGroup(groups)).toBe(isIn);
});

const shareOf = (pid: number) => Number(readFileSync(`/proc/${pid}/autogroup`, 'utf8').split(' nice ')[1]);

test('a program gives way from its beginning, and not while something that it does is timed', async () => {
  if (!canGiveWay()) {
    process.stderr.write('NOT TRIED: programs cannot give way on this machine\n');
    return;
  }
  const own = shareOf(process.pid);
  const [command, ...args] = givingWay(['sleep', '60']);
  const child = spawn(command, args, { detached: true, stdio: 'ignore' });
  try {
    while (!readFileSync(`/proc/${child.pid}/cmdline`, 'utf8').startsWith('sleep'))
      await new Promise((resolve) => setTimeout(resolve, 5));
    expect(shareOf(child.pid!)).toBe(10);
    const pids = [process.pid, child.pid!];
    for (const [share, number] of [
      ['givesWay', 10],
      ['usual', 0],
      ['timed', -10],
      ['first', -20],
    ] as const) {
      const meanwhile = await withShare(pids, share, async () => pids.map(shareOf));
      expect([meanwhile, pids.map(shareOf)]).toEqual([
        [number, number],
        [own, 10],
      ]);
    }
    await expect(withShare(pids, 'first', () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
    expect(shareOf(child.pid!)).toBe(10);
  } finally {
    child.kill('SIGKILL');
  }
});

test('one that has ended is of no concern', async () => {
  expect(await withShare([2 ** 22 + 1], 'first', async () => 'done')).toBe('done');
});

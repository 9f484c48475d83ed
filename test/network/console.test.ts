import { copyFileSync, writeFileSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { LabError } from '../../harness/model/errors.ts';
import { bootWord, openConsole } from '../../harness/network/user-mode-router.ts';
import { start } from '../../harness/system/process.ts';
import { temporaryFolder } from '../store/studies.ts';

/** The console of a kernel that answers as it is told, and what was heard of its end. */
function openKernel() {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const end = Promise.withResolvers<number | string>();
  const heard: string[] = [];
  let rings = 0;
  const ring = () => {
    rings += 1;
  };
  const { command } = openConsole({ stdin, stdout }, end.promise, (says) => heard.push(says), ring, 100);
  const ask = (limitMs?: number) => command(['ip', 'link'], limitMs);
  return {
    ask,
    says: (text: string) => stdout.write(text),
    ends: end.resolve,
    asked: () => `${stdin.read()}`,
    heard,
    rings: () => rings,
  };
}

test('what the link’s kernel prints is the answer once its mark is there, in however many pieces', async () => {
  const { ask, says, asked, heard } = openKernel();
  const answer = ask();
  for (const piece of ['one\r\n', 'two\r\n\x1e', '0', '\n']) says(piece);
  expect([await answer, asked(), heard]).toEqual(['one\ntwo\n', 'ip link\n', []]);
});

test('a program that fails there is a bug, with what it said', async () => {
  const { ask, says, heard } = openKernel();
  const answer = expect(ask()).rejects.toThrow(/'ip link' ended with 2: no such device/);
  says('no such device\n\x1e2\n');
  await answer;
  expect(heard).toEqual([]);
});

test('where its console is silent the lab has died, and so has the link', async () => {
  const { ask, says, heard } = openKernel();
  says('half of a li');
  const error = await ask(30).then(
    () => new Error('it answered'),
    (cause: Error) => cause,
  );
  expect(error).toBeInstanceOf(LabError);
  expect(error.message).toBe('the user-mode kernel did not answer in 30 ms: half of a li');
  expect(heard).toEqual([error.message]);
});

test('where it says nothing for a while it is rung, again and again until it answers', async () => {
  const { ask, says, rings } = openKernel();
  const answer = ask();
  await setTimeout(50);
  expect(rings()).toBe(0);
  await setTimeout(300);
  expect(rings()).toBeGreaterThan(1);
  says('there\n\x1e0\n');
  expect(await answer).toBe('there\n');
});

test('where it ends before it answers, it is not waited for', async () => {
  const { ask, ends, heard } = openKernel();
  const answer = expect(ask()).rejects.toThrow(LabError);
  ends('SIGKILL');
  await answer;
  expect(heard).toEqual(['the user-mode kernel ended (SIGKILL): ']);
});

test('a path with a blank is one word of its command line', () => {
  expect(bootWord('/home/me/init.sh')).toBe('/home/me/init.sh');
  expect(bootWord('/home/me/my copy/init.sh')).toBe('"/home/me/my copy/init.sh"');
});

test('a player that has ended is known, until all players are stopped', async () => {
  using folder = temporaryFolder();
  copyFileSync(new URL('../../harness/network/user-mode-init.sh', import.meta.url), `${folder.path}/init.sh`);
  writeFileSync(`${folder.path}/init.pl`, ''); // There is no kernel to make fit.
  await using init = start(['sh', `${folder.path}/init.sh`]);
  const { next, command } = openConsole(init, init.ended, () => {});
  expect((await next(5_000)).mark).toMatch(/^ready /);
  const ended = expect.stringMatching(/'check' ended with 1/);
  const check = () => command(['check']).catch(({ message }: Error) => message);
  expect(await check()).toBe('');
  await command(['play', 'sleep', '60']);
  expect(await check()).toBe('');
  await command(['play', 'sleep', '0.1']);
  await setTimeout(200);
  expect([await check(), await check()]).toEqual([ended, ended]);
  await command(['stop']);
  expect(await check()).toBe('');
});

import { basename } from 'node:path';
import { expect, test } from '@jest/globals';
import { findProgram, programsIn, run, start, succeeds } from '../../harness/system/process.ts';

test('a program is found where it is, also in the folders that an ordinary user’s PATH lacks', () => {
  expect(basename(findProgram('sh')!)).toBe('sh');
  const { PATH } = process.env;
  try {
    process.env.PATH = '/nowhere';
    expect(findProgram('chroot')).toMatch(/\/sbin\/chroot$/);
  } finally {
    process.env.PATH = PATH;
  }
  expect(findProgram('no-such-program')).toBeUndefined();
});

test('a trial tells whether a program ends well, and is no error where it is not there', async () => {
  expect(await succeeds(['true'])).toBe(true);
  expect(await succeeds(['false'])).toBe(false);
  expect(await succeeds(['no-such-program'])).toBe(false);
});

test('what a failed program said is in the error, and one that takes too long is ended', async () => {
  await expect(run(['ls', '/no/such/file'])).rejects.toThrow(/'ls \/no\/such\/file' ended with 2: .*No such file/);
  const began = performance.now();
  await expect(run(['sleep', '20'], { timeoutMs: 100 })).rejects.toThrow(/took longer than 100 ms/);
  expect(performance.now() - began).toBeLessThan(5_000);
});

test('what never started is disposed of without harm to anybody', async () => {
  const program = start(['no-such-program']);
  await expect(program.ended).rejects.toThrow(/cannot start 'no-such-program'/);
  await program[Symbol.asyncDispose]();
});

test('programs get no more of the environment than they need', async () => {
  process.env.CI_TOKEN = 'secret';
  process.env.LC_ALL = 'de_DE.UTF-8';
  try {
    const names = (await run(['env'])).split('\n').map((line) => line.split('=')[0]);
    expect(names).toContain('PATH');
    expect(names).toContain('LANG');
    expect(names).not.toContain('CI_TOKEN');
    expect(names).not.toContain('LC_ALL');
  } finally {
    delete process.env.CI_TOKEN;
    delete process.env.LC_ALL;
  }
});

test('the programs of a namespace are known until they end', async () => {
  const programs = [start(['sleep', '60'], { namespace: 'no-such' }), start(['sleep', '60'], { namespace: 'no-such' })];
  expect(programsIn('no-such')).toEqual(programs.map(({ pid }) => pid));
  expect(programsIn('another')).toEqual([]);
  await Promise.all(programs.map(({ ended }) => ended)); // There is no such namespace.
  expect(programsIn('no-such')).toEqual([]);
});

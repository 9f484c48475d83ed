import { EventEmitter, once } from 'node:events';
import { expect, test } from '@jest/globals';
import type { Browser } from 'puppeteer-core';
import { type Ending, followBrowser } from '../../harness/browser/follow-browser.ts';
import { guardMemory, holdsTooMuch, whyEnded } from '../../harness/browser/memory-guard.ts';
import { memoryOf } from '../../harness/system/family.ts';
import { type RunningProcess, start } from '../../harness/system/process.ts';

const MB = 1_000_000;

/** A program whose two children hold 40 MB each; it says when they do. */
async function startFamily(): Promise<RunningProcess> {
  const child = 'if (!fork) { my $held = "x" x $bytes; syswrite STDOUT, "."; sleep 60; exit }';
  const family = start(['perl', '-e', `my $bytes = 40_000_000; ${child} ${child} sleep 60`]);
  for (let said = ''; said.length < 2; ) said += String((await once(family.stdout, 'data'))[0]);
  return family;
}

/** A browser as far as its memory is concerned. */
function browserOf({ child, ended }: RunningProcess): Browser {
  const browser = Object.assign(new EventEmitter(), { process: () => child });
  void ended.then(() => browser.emit('disconnected'));
  return browser as unknown as Browser;
}

test('what a program started counts as its memory', async () => {
  await using family = await startFamily();
  expect(memoryOf(family.pid)).toBeGreaterThan(80 * MB);
  expect(memoryOf(family.pid)).toBeLessThan(150 * MB);
});

test.each([
  ['memory is scarce, and it holds too much', 20, 30, true],
  ['memory is scarce, and others hold it', 20, 10, false],
  ['it holds much, and there is more', 60, 30, false],
])('a browser is ended where %s', (_, free, held, expected) => {
  expect(holdsTooMuch(7, { totalBytes: 100, freeBytes: () => free, heldBy: () => held })).toBe(expected);
});

test('a browser whose processes hold too much together is ended with all of them, and it is said why', async () => {
  await using family = await startFamily();
  const browser = browserOf(family);
  guardMemory(browser, { totalBytes: 200 * MB, freeBytes: () => 0, heldBy: memoryOf });
  expect(await family.ended).toBe('SIGKILL');
  // A child that were left would keep the pipe open.
  expect(whyEnded(browser)).toMatch(/held more memory than the machine can spare/);
});

test('that is a failure of the load, although the browser was being asked whether it answers', async () => {
  await using family = await startFamily();
  const browser = Object.assign(browserOf(family), { connected: true });
  const endings: Ending[] = [];
  const silentUntilItsEnd = () => family.ended.then(() => false);
  using followed = followBrowser(browser, silentUntilItsEnd, (ending) => endings.push(ending));
  const asked = followed.ask(false);
  guardMemory(browser, { totalBytes: 200 * MB, freeBytes: () => 0, heldBy: memoryOf });
  expect(await asked).toBe(false);
  const failure = { by: 'browser-crash', says: expect.stringContaining('memory') };
  expect(endings).toEqual([failure]);
  expect(await followed.silence()).toEqual(failure);
});

test('a browser that ended by itself was not ended for its memory', async () => {
  await using family = await startFamily();
  const browser = browserOf(family);
  guardMemory(browser, { totalBytes: 1e12, freeBytes: () => 0, heldBy: memoryOf });
  process.kill(-family.pid, 'SIGKILL');
  await family.ended;
  expect(whyEnded(browser)).toBe('the browser ended');
});

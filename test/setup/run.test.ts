import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { readJson, writeAtomically, writeJson } from '../../harness/setup/files.mjs';
import { acquireLock } from '../../harness/setup/lock.mjs';
import { openProgress } from '../../harness/setup/progress.mjs';
import { capture, runLogged, tellingLines } from '../../harness/setup/run.mjs';

const folder = mkdtempSync(join(tmpdir(), 'photofinish-run-'));
afterAll(() => rmSync(folder, { recursive: true }));

const node = (script: string) => [process.execPath, '-e', script];

describe('a command', () => {
  test('that is captured says how it ended', () => {
    expect(capture(node('console.log(1); console.error(2); process.exit(3)'))).toEqual({
      ok: false,
      status: 3,
      stdout: '1\n',
      stderr: '2\n',
    });
    expect(capture(['/nowhere/program'])).toMatchObject({ ok: false, stdout: '' });
  });

  test('that is logged hands out its lines, also the last', async () => {
    const log = join(folder, 'lines.log');
    const lines: string[] = [];
    writeFileSync(log, 'before\n');
    await runLogged(node('console.log("one\\ntwo")'), {
      name: 'node',
      log,
      timeoutMs: 10_000,
      onLine: (line) => lines.push(line),
    });
    expect(lines).toEqual(['one', 'two']);
    expect(readFileSync(log, 'utf8')).toMatch(/^before\n\n\$ .*\none\ntwo\n$/);
  });

  test.each([
    ['process.exit(1)', 10_000, /^try it ended with exit 1/],
    ['console.error("E: broken"); process.kill(process.pid, "SIGKILL")', 10_000, /SIGKILL.*\n {2}E: broken$/],
    ['setTimeout(() => {}, 9000)', 300, /^try it did not end within 0.3 s/],
  ])('%s within %i ms fails', async (script, timeoutMs, message) => {
    const log = join(folder, 'fails.log');
    const run = runLogged(node(script), { name: 'try it', log, timeoutMs });
    await expect(run).rejects.toMatchObject({ name: 'EnvironmentError', message: expect.stringMatching(message) });
  });

  test('that is not there fails too', async () => {
    const run = runLogged(['/nowhere/program'], { name: 'it', log: join(folder, 'none.log'), timeoutMs: 1000 });
    await expect(run).rejects.toThrow(/it could not be started/);
  });
});

describe('what a log tells of a failure', () => {
  test.each([
    [
      ['npm warn x', 'npm error code EUSAGE', 'npm error', 'npm error Missing: a', 'usage'],
      ['npm error code EUSAGE', 'npm error Missing: a'],
    ],
    [['Reading lists', 'E: Unable to locate package x'], ['E: Unable to locate package x']],
    [
      ['', 'pmstatus:a:1:b', 'something', 'else'],
      ['something', 'else'],
    ],
    [[], []],
  ])('%j: %j', (lines, telling) => {
    expect(tellingLines(lines)).toEqual(telling);
  });

  test('is not long', () => {
    expect(tellingLines(Array.from({ length: 99 }, (_, i) => `line ${i}`))).toHaveLength(15);
  });
});

describe('files', () => {
  test('are written whole, and only when they change', () => {
    const path = join(folder, 'file.json');
    writeJson(path, { a: 1 });
    expect(readFileSync(path, 'utf8')).toBe('{\n  "a": 1\n}\n');
    writeAtomically(path, 'no JSON');
    expect(readJson(path)).toBeNull();
    expect(readJson(join(folder, 'nowhere.json'))).toBeNull();
    expect(readdirSync(folder).filter((name) => name.endsWith('.partial'))).toEqual([]);
  });
});

test('the lock is held by one at a time', async () => {
  const path = join(folder, 'lock');
  const order: string[] = [];
  const first = await acquireLock(path, () => order.push('first waits'));
  const second = acquireLock(path, () => {
    order.push('second waits');
    first.release();
  });
  (await second).release();
  expect(order).toEqual(['second waits']);
});

describe('progress', () => {
  const record = (isTTY: boolean) => {
    let nowMs = 0;
    let text = '';
    const progress = openProgress({ isTTY, columns: 40, write: (part: string) => (text += part) }, () => nowMs);
    return { progress, at: (ms: number) => (nowMs = ms), text: () => text };
  };

  test('without a terminal is a line at the latest every five seconds', () => {
    const { progress, at, text } = record(false);
    const step = progress.step('npm', 'packages');
    for (const ms of [1000, 5000, 6000, 10_000]) {
      at(ms);
      step.update(`${ms / 1000} of 20`);
    }
    step.end('done');
    expect(text().split('\n')).toEqual([
      'setup: npm: packages ...',
      'setup: npm: 5 of 20 (5 s)',
      'setup: npm: 10 of 20 (10 s)',
      'setup: npm: done, 10 s',
      '',
    ]);
  });

  test('on a terminal is one line that is rewritten, and never longer than the terminal is wide', () => {
    const { progress, text } = record(true);
    const step = progress.step('npm', 'packages');
    step.update('a package with a name that is far too long for it');
    progress.say('oh');
    step.end('done');
    const clear = '\r\x1b[K';
    expect(text()).toBe(
      `setup: npm: packages ...\n${clear}setup: npm: a package with a name that ${clear}setup: oh\nsetup: npm: done, 0 s\n`,
    );
  });
});

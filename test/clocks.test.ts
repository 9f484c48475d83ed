import { globSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

/**
 * Where the clock on the wall is read, which may be set at any time: for what is dated, for the age of files, which
 * have their times from it, and for what a page is told. All that waits, gives up or has a budget asks `performance.now()`.
 */
const WALL_CLOCK: Readonly<Record<string, string>> = {
  'harness/bench/generated-study.ts': 'dates what it makes up',
  'harness/bench/pages-study.ts': 'dates its studies',
  'harness/bench/workers.ts': 'dates its studies',
  'harness/browser/load.ts':
    'when a page was asked for and a file was sent, beside what says so by its own date; a clock that is set voids it',
  'harness/browser/past.ts': 'what a page is told',
  'harness/browser/record/record-page.ts': 'dates a recording',
  'harness/browser/steady-script.ts': 'what a page is told',
  'harness/commands/measure.ts': 'dates a study, and names its folder',
  'harness/report/live/follow.ts': 'tells the versions of one server from those of the next',
  'harness/report/page-bundle.ts': 'the age of files',
  'harness/run/block.ts': 'dates a block',
  'harness/run/record-again.ts': 'what a page is told',
  'harness/run/trial.ts': 'notices that it was set',
  'harness/site/record/cache.ts': 'the age of files',
  'harness/site/replay/replay.ts': 'what a page is told',
  'harness/store/writing.ts': 'dates a session',
  'harness/system/write-whole.ts': 'the age of files',
  'harness/workers/roster.ts': 'dates the sessions of workers',
};

test('nothing waits by a clock that can be set', () => {
  const files = globSync('{harness,reports,sites}/**/*.{ts,mjs}').filter((file) =>
    /\bDate\.now\b|\bOwnDate\.now\b|new Date\(\)|Date\(\)\.get/.test(readFileSync(file, 'utf8')),
  );
  expect(files.toSorted()).toEqual(Object.keys(WALL_CLOCK));
});

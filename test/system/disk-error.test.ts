import { writeFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { isDiskError } from '../../harness/system/disk-error.ts';

/** An error as Node makes it, with those facts, or with one that caused it. */
function fail(facts?: Partial<NodeJS.ErrnoException>, cause?: unknown): never {
  throw Object.assign(new Error('it failed', { cause }), facts);
}

function errorOf(work: () => void): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  return undefined;
}

test.each([
  ['a full disk', () => writeFileSync('/dev/full', 'x'), true],
  ['a file that is not there', () => writeFileSync('/no/such/folder/file', 'x'), false],
  ['a mistake', () => JSON.parse('{'), false],
  ['a pipe where no more files may be open', () => fail({ code: 'EMFILE', syscall: 'pipe' }), true],
  [
    'a program that cannot be started for that',
    () =>
      fail(
        {},
        errorOf(() => fail({ code: 'EMFILE', path: 'tc' })),
      ),
    true,
  ],
  [
    'a program that is not there',
    () =>
      fail(
        {},
        errorOf(() => fail({ code: 'ENOENT', path: 'tc' })),
      ),
    false,
  ],
])('%s', (_, work, is) => {
  expect(isDiskError(errorOf(work))).toBe(is);
});

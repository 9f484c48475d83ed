import { writeFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { isDiskError } from '../../harness/system/disk-error.ts';

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
])('%s', (_, work, is) => {
  expect(isDiskError(errorOf(work))).toBe(is);
});

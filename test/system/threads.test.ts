import { expect, test } from '@jest/globals';
import { type Thread, timesBetween } from '../../harness/system/threads.ts';

const MS = 1_000_000;
const thread = (ranMs: number, delayMs: number): Thread => ({ process: 7, ranNs: ranMs * MS, delayNs: delayMs * MS });

test('what a thread did before is not counted, also where the kernel left it out of the first reading', () => {
  const before = new Map([['7', thread(100, 50)]]);
  const after = new Map([
    ['7', thread(130, 60)],
    ['8', thread(90_000, 24_000)],
    ['9', thread(15, 5)],
  ]);
  expect(timesBetween(before, after, ({ id }) => id === '9')).toEqual({ waitedMs: 15, busiestMs: 40 });
});

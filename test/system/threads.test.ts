import { expect, test } from '@jest/globals';
import { type Thread, timesBetween } from '../../harness/system/threads.ts';

const MS = 1_000_000;
const thread = (ranMs: number, delayMs: number): Thread => ({ process: 7, ranNs: ranMs * MS, delayNs: delayMs * MS });
const between = (...readings: readonly [Record<string, Thread>, Record<string, Thread>]) => {
  const [before, after] = readings.map((each) => new Map(Object.entries(each)));
  return timesBetween(before!, after!, { isNew: ({ id }) => id === '9', whileMs: 400 });
};

test('what a thread did before is not counted, also where the kernel left it out of the first reading', () => {
  const after = { '7': thread(130, 60), '8': thread(90_000, 24_000), '9': thread(15, 5) };
  expect(between({ '7': thread(100, 50) }, after)).toEqual({ ranMs: 45, waitedMs: 15, busiestMs: 40 });
});

test('a thread that waited longer than all of the time was asleep', () => {
  const before = { '7': thread(100, 50), '8': thread(10, 0) };
  const after = { '7': thread(130, 60), '8': thread(30, 18_000) };
  expect(between(before, after)).toEqual({ ranMs: 50, waitedMs: 10, busiestMs: 40 });
});

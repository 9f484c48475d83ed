import { expect, test } from '@jest/globals';
import { savingEndsOf } from '../../harness/report/saving-ends.ts';

test.each<[string, readonly [number | null, number | null], object]>([
  ['two ends', [-5, 12], { low: -5, high: 12 }],
  ['none, computed', [Number.NEGATIVE_INFINITY, 100], {}],
  ['none, read from JSON', [null, 100], {}],
  ['one below', [3, 100], { low: 3 }],
  ['one above', [null, 40], { high: 40 }],
])('%s', (_, interval, ends) => {
  expect(savingEndsOf({ percent: 1, interval: interval as [number, number] })).toEqual(ends);
});

test('of what was not measured there are none', () => {
  expect(savingEndsOf(undefined)).toEqual({});
});

import { expect, test } from '@jest/globals';
import { without } from '../../harness/model/multiset.ts';

test('what others do not have is left, each as often as it is there more often', () => {
  expect(without(['a', 'b', 'a', 'c', 'a'], ['a', 'c', 'd'], String)).toEqual(['b', 'a', 'a']);
  expect(without([], ['a'], String)).toEqual([]);
});

test('items are the same that have the same name', () => {
  const nameOf = ([key, value]: readonly [string, string]) => `${key}=${value}`;
  expect(
    without(
      [
        ['page', '1'],
        ['t', '5'],
      ],
      [['page', '1']],
      nameOf,
    ),
  ).toEqual([['t', '5']]);
});

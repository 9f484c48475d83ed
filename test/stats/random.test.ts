import { expect, test } from '@jest/globals';
import { seededRandom } from '../../harness/stats/random.ts';

const firstOf = (seed: number, label: string) => {
  const stream = seededRandom(seed, label);
  return Array.from({ length: 100 }, stream);
};

test('the same seed and label give the same numbers, and any other of either gives others', () => {
  const numbers = firstOf(7, 'decision a block 1');
  expect(firstOf(7, 'decision a block 1')).toEqual(numbers);
  for (const others of [firstOf(8, 'decision a block 1'), firstOf(7, 'decision a block 2')])
    expect(others.filter((each) => numbers.includes(each))).toEqual([]);
});

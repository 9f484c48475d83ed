import { expect, test } from '@jest/globals';
import { bitsWhere, difference, intersection, membersOf } from '../../harness/stats/bits.ts';
import { seededRandom } from '../../harness/stats/random.ts';

test.each([1, 31, 32, 33, 100])('sets of numbers below %i are what sets are', (size) => {
  const random = seededRandom(size);
  const draw = () => new Set(Array.from({ length: size }, (_, index) => index).filter(() => random() < 0.5));
  const bits = (set: ReadonlySet<number>) => bitsWhere(size, (index) => set.has(index));
  for (let round = 0; round < 50; round += 1) {
    const [a, b] = [draw(), draw()];
    expect(membersOf(bits(a))).toEqual([...a]);
    expect(membersOf(intersection(bits(a), bits(b)))).toEqual([...a].filter((each) => b.has(each)));
    expect(membersOf(difference(bits(a), bits(b)))).toEqual([...a].filter((each) => !b.has(each)));
  }
});

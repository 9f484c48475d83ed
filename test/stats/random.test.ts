import { expect, test } from '@jest/globals';
import { seededRandom } from '../../harness/stats/random.ts';

test('a copy of a stream goes on with the same numbers, and leaves the stream where it was', () => {
  const stream = seededRandom(7, 'fork');
  stream();
  const copy = stream.fork();
  const ahead = [copy(), copy(), copy()];
  expect([stream(), stream(), stream()]).toEqual(ahead);
});

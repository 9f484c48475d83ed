import { expect, test } from '@jest/globals';
import { labelAsInPaper } from '../../harness/findings/paper-label.ts';
import { recordOf, type Times } from '../comparison/blocks.ts';

const ARMS = ['h1', 'h2', 'h3'];

/** Ten blocks, `count` of which took `ms` and the rest `otherwise`. */
const wins = (count: number, ms: number, otherwise: number): Times =>
  Array.from({ length: 10 }, (_, index) => (index < count ? ms : otherwise));

test.each<[string, Readonly<Record<string, Times>>, readonly string[]]>([
  ['what is 10 % faster in all of them is the best', { h1: 1000, h2: 1000, h3: 900 }, ['h3']],
  ['what is 9 % faster is not', { h1: 1000, h2: 1000, h3: 910 }, ['h1', 'h2', 'h3']],
  ['seven of ten blocks are enough', { h1: 1000, h2: 1000, h3: wins(7, 900, 1000) }, ['h3']],
  ['six are not, however much is won', { h1: 1000, h2: 1000, h3: wins(6, 100, 1000) }, ['h1', 'h2', 'h3']],
  ['two that beat the third but not each other are the best', { h1: 1000, h2: 890, h3: 850 }, ['h2', 'h3']],
  ['where one beats another alone, neither a fastest nor a slowest can be told', { h1: 1000, h2: 950, h3: 890 }, ARMS],
  ['who beats one and is beaten by another is not the best', { h1: 1000, h2: 800, h3: 600 }, ['h3']],
  ['a load that fails is beaten by any that does not', { h1: 'failed', h2: 5000, h3: 'failed' }, ['h2']],
  ['where all fail nobody beats anybody', { h1: 'failed', h2: 'failed', h3: 'failed' }, ARMS],
])('%s', (_, times, best) => {
  expect(labelAsInPaper(recordOf('c', 10, times).blocks, ARMS)).toEqual(best);
});

test('where each is beaten by some other, in a circle, all are', () => {
  const { blocks } = recordOf('c', 30, { a: 1000, b: 880, c: 770 });
  // With a share of 70 % three arms cannot beat each other in a circle; four can.
  const four = recordOf('c', 4, {
    a: [1000, 2000, 3000, 4000],
    b: [2000, 3000, 4000, 1000],
    c: [3000, 4000, 1000, 2000],
    d: [4000, 1000, 2000, 3000],
  }).blocks;
  expect(labelAsInPaper(blocks, ['a', 'b', 'c'])).toEqual(['c']);
  expect(labelAsInPaper(four, ['a', 'b', 'c', 'd'])).toEqual(['a', 'b', 'c', 'd']);
});

test('an arm alone is the best', () => {
  expect(labelAsInPaper(recordOf('c', 3, { h2: 1000 }).blocks, ['h2'])).toEqual(['h2']);
});

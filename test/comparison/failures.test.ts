import { describe, expect, test } from '@jest/globals';
import { costsWithFailures, countLoads, drawFailureShares } from '../../harness/comparison/failures.ts';
import { seededRandom } from '../../harness/stats/random.ts';
import { recordOf } from './blocks.ts';

test('loads and failures are counted by arm, in the blocks that loaded it', () => {
  const { blocks } = recordOf('c', 6, { h1: 'failed', h2: 1000, h3: [1000, 'failed', 1000] });
  const withoutH1 = blocks.map((block) => ({ ...block, outcomes: { h2: 1000 } }));
  expect(countLoads([...blocks, ...withoutH1], ['h1', 'h2', 'h3'])).toEqual([
    { loads: 6, failed: 6 },
    { loads: 12, failed: 0 },
    { loads: 6, failed: 2 },
  ]);
  expect(countLoads([], ['h1'])).toEqual([{ loads: 0, failed: 0 }]);
});

describe('the share of an arm’s loads that fail', () => {
  const random = seededRandom(1, 'failures');

  test.each([
    [1, 18],
    [5, 10],
    [10, 10],
    [30, 60],
  ])('%i of %i: about that', (failed, blocks) => {
    const draws = Array.from({ length: 4000 }, () =>
      drawFailureShares(
        [
          { loads: blocks, failed: 0 },
          { loads: blocks, failed },
        ],
        random,
      ),
    );
    const shares = draws.map(([, share]) => share!);
    expect(Math.min(...shares)).toBeGreaterThan(0);
    expect(Math.max(...shares)).toBeLessThanOrEqual(1);
    // The mean of Beta(k, n - k + 1).
    const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length;
    expect(Math.abs(mean - failed / (blocks + 1))).toBeLessThan(0.02);
    // One that never failed is taken never to fail.
    expect(draws.every(([none]) => none === 0)).toBe(true);
  });
});

describe('what serving each arm costs', () => {
  test.each<[string, readonly number[], readonly number[], readonly number[]]>([
    ['its time where none fails', [100, 80], [0, 0], [100, 80]],
    ['so where one fails within the tolerance', [100, 80], [0, 0.02], [100, 80]],
    ['more than a slower one that fails less often', [100, 80], [0, 0.1], [100, 113]],
    ['its own time where that is still more', [100, 300], [0, 0.1], [100, 300]],
    ['more than each that is more reliable', [100, 200, 50], [0, 0.1, 0.3], [100, 200, 246]],
    ['whatever the order of the arms', [50, 200, 100], [0.3, 0.1, 0], [246, 200, 100]],
    ['a chain of them each more than the one before', [50, 60, 100], [0.4, 0.2, 0], [151.29, 123, 100]],
    ['nothing more where all fail alike', [100, 80], [0.5, 0.5], [100, 80]],
  ])('%s', (_, times, shares, costs) => {
    expect(costsWithFailures(times, shares, 1.03)).toEqual(costs.map((cost) => expect.closeTo(cost, 9)));
  });
});

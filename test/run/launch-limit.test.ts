import { expect, test } from '@jest/globals';
import { openLaunchLimit } from '../../harness/run/launch-limit.ts';

/** How many blocks each launch served, conditions taken in turn. */
function launchesOf(conditions: number, blocks: number): number[] {
  const limit = openLaunchLimit();
  const served: number[] = [];
  for (let block = 0; block < blocks; block += 1) {
    if (limit.needed(`condition ${block % conditions}`)) served.push(0);
    served[served.length - 1]! += 1;
  }
  return served;
}

test.each([
  [1, 10, [3, 3, 3, 1]],
  [2, 13, [6, 6, 1]],
  [8, 30, [24, 6]],
  [20, 50, [24, 24, 2]],
])('of %i conditions, %i blocks are served by launches of %j', (conditions, blocks, expected) => {
  expect(launchesOf(conditions, blocks)).toEqual(expected);
});

import { expect, test } from '@jest/globals';
import { openLaunchLimit } from '../../harness/run/launch-limit.ts';

/** How many blocks each launch served, conditions taken in turn. */
function launchesOf(conditions: number, blocks: number): number[] {
  const limit = openLaunchLimit();
  const served: number[] = [];
  const launches = new Map<number, Set<number>>();
  for (let block = 0; block < blocks; block += 1) {
    const condition = block % conditions;
    const own = launches.get(condition) ?? new Set();
    if (limit.needed(`condition ${condition}`, own.size)) served.push(0);
    launches.set(condition, own.add(served.length));
    served[served.length - 1]! += 1;
  }
  return served;
}

test.each([
  [1, 12, [2, 4, 4, 2]],
  [2, 13, [4, 8, 1]],
  [8, 50, [16, 24, 10]],
  [20, 60, [24, 24, 12]],
])('of %i conditions, %i blocks are served by launches of %j', (conditions, blocks, expected) => {
  expect(launchesOf(conditions, blocks)).toEqual(expected);
});

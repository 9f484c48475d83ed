import { expect, test } from '@jest/globals';
import { openLaunchLimit } from '../../harness/run/launch-limit.ts';

/** How many blocks each launch served, conditions taken in turn. */
function launchesOf(conditions: number, blocks: number, required: number): number[] {
  const limit = openLaunchLimit(required);
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
  [1, 20, 2, [2, 8, 8, 2]],
  [1, 20, 3, [2, 4, 8, 6]],
  [2, 22, 2, [4, 16, 2]],
  [8, 50, 2, [16, 24, 10]],
  [20, 60, 3, [24, 24, 12]],
])(
  'of %i conditions, %i blocks that need %i launches are served by launches of %j',
  (conditions, blocks, required, expected) => {
    expect(launchesOf(conditions, blocks, required)).toEqual(expected);
  },
);

/** In how many launches two labs serve a condition's blocks in turn, if each hears of a block two blocks later. */
function launchesOfTwoLabs(blocks: number): number {
  const labs = [0, 1].map(() => ({ limit: openLaunchLimit(3, blocks), launch: 0 }));
  const launches: number[] = [];
  let launched = 0;
  for (let block = 0; block < blocks; block += 1) {
    const lab = labs[block % 2]!;
    if (lab.limit.needed('c', new Set(launches.slice(0, -1)).size)) {
      launched += 1;
      lab.launch = launched;
    }
    launches.push(lab.launch);
  }
  return new Set(launches).size;
}

test('a fixed number of blocks that two labs share comes from three launches, wherever it did in one lab', () => {
  for (let blocks = 5; blocks <= 30; blocks += 1) expect(launchesOfTwoLabs(blocks)).toBeGreaterThanOrEqual(3);
});

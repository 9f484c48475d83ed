import { expect } from '@jest/globals';
import { compareLabs } from '../../../harness/bench/labs.ts';
import { labTest } from '../lab.ts';

/*
 * The short form of `bench labs`, for links at both ends: what neighbours would slow down, and what they may do side by side.
 */

labTest(
  'over a quick link load times in three labs are those in one',
  async () => {
    const row = await compareLabs({ link: 'fibre', sites: ['few-small', 'article', 'app'], turns: 4, blocks: 1 });
    expect(row.labs).toBe(3);
    expect([row, row.ratio.estimate < 1.1]).toEqual([row, true]);
  },
  200_000,
);

labTest(
  'over a slow link three labs are done sooner than one',
  async () => {
    const sites = ['few-small', 'few-large', 'many-small'];
    const row = await compareLabs({ link: 'kramer-10-218-0', sites, turns: 2, blocks: 2 });
    expect([row, row.ratio.estimate < 1.05 && row.speedUp > 1.3]).toEqual([row, true]);
  },
  300_000,
);

import { expect } from '@jest/globals';
import { compareLabs } from '../../../harness/bench/labs.ts';
import { labTest } from '../lab.ts';

/**
 * The short form of `bench labs`: quick loads are what neighbours would slow down. Its estimate varies by some 2 %. How much sooner
 * many labs are done over slow links takes minutes to tell.
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

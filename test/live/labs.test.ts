import { expect } from '@jest/globals';
import { compareLabs } from '../../harness/bench/labs.ts';
import { inPeace } from '../in-peace.ts';
import { labTest } from './lab.ts';

/** Links over which pages load so slowly that a load leaves the processor room for others. */
const LINKS = ['4g', 'rate=9mbit,rtt=200ms', 'rate=8mbit,rtt=150ms'];

/** The short form of `bench labs`. Where labs wait for each other they take as long as one. */
labTest(
  'pages over slow links load in three labs at once as in one, and sooner',
  async () => {
    await inPeace(async () => {
      const row = await compareLabs({ links: LINKS, sites: ['many-small'], turns: 2, blocks: 1 });
      expect({ labs: row.labs, loads: row.loads }).toEqual({ labs: 3, loads: 12 });
      expect(row.ratio.estimate).toBeGreaterThan(0.97);
      expect(row.ratio.estimate).toBeLessThan(1.03);
      expect(row.speedUp).toBeGreaterThan(1.5);
    });
  },
  600_000,
);

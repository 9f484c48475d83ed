import { expect } from '@jest/globals';
import { compareLabs } from '../../harness/bench/labs.ts';
import { inPeace } from '../in-peace.ts';
import { labTest } from './lab.ts';

/** Three quick links, whose labs must wait for each other, and a slow one, which must not wait. */
const LINKS = ['fibre', 'rate=50mbit,rtt=12ms', 'rate=40mbit,rtt=15ms', '4g'];

/** The short form of `bench labs`. */
labTest(
  'pages load in four labs side by side as in one, and sooner',
  async () => {
    await inPeace(async () => {
      const row = await compareLabs({ links: LINKS, sites: ['many-small'], turns: 2, blocks: 2 });
      process.stderr.write(`${JSON.stringify(row)}\n`);
      expect(row.labs).toBe(4);
      expect(row.loads).toBe(32);
      expect(row.ratio.estimate).toBeLessThan(1.05);
      expect(row.ratio.estimate).toBeGreaterThan(0.95);
      expect(row.speedUp).toBeGreaterThan(1.3);
    });
  },
  600_000,
);

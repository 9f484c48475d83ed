import { expect } from '@jest/globals';
import { inPeace } from '../../in-peace.ts';
import { labTest } from '../lab.ts';
import { type Repeated, repeat } from '../repeat.ts';

labTest(
  'dncs2020: over a router, with Lighthouse',
  async () => {
    const all: Repeated[] = [];
    await inPeace(async () => {
      const found = await repeat('dncs2020', 1);
      all.push(found);
      // A score counts how long the page's own thread was busy.
      const scores = found.summary.conditions.flatMap(({ arms }) => Object.values(arms).map((arm) => arm.lighthouse));
      expect([scores, scores.every((score) => score! > 0.3)]).toEqual([scores, true]);
    });
    for (const { summary, loads } of all) {
      expect(summary.loads).toMatchObject({ failed: 0, counted: 6 });
      for (const load of loads) if (load.condition.includes('10240')) expect(load.pltMs).toBeGreaterThan(1e6 / 1280);
    }
  },
  900_000,
);

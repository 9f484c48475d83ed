import { expect } from '@jest/globals';
import { labTest } from '../lab.ts';
import { repeat } from '../repeat.ts';

labTest(
  'dncs2020: over a router, with Lighthouse',
  async () => {
    const { summary, loads } = await repeat('dncs2020', 1);
    expect(summary.loads).toMatchObject({ failed: 0, counted: 6 });
    for (const load of loads) if (load.condition.includes('10240')) expect(load.pltMs).toBeGreaterThan(1e6 / 1280);
    for (const { arms } of summary.conditions)
      for (const { lighthouse } of Object.values(arms)) expect(lighthouse).toBeGreaterThan(0.3);
  },
  900_000,
);

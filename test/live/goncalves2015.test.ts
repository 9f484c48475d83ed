import { expect } from '@jest/globals';
import { labTest } from './lab.ts';
import { repeat } from './repeat.ts';

labTest(
  'goncalves2015: the crowd uses a connection for each client by h2 and h3, and six by h1',
  async () => {
    const { summary, median } = await repeat('goncalves2015', 1);
    expect(summary.loads.failed).toBe(0);
    expect(median('tabs', 'nginx-h2')).toBe(10);
    // Where a connection is slow to come about on the full link, Chromium opens another, and uses the first.
    expect(['nginx-h2', 'apache-h2', 'nginx-h3'].map((arm) => median('usedConnections', arm))).toEqual([5, 5, 5]);
    expect(median('usedConnections', 'nginx-h1c')).toBe(30);
    for (const arm of ['nginx-h1c', 'nginx-h1', 'nginx-h2', 'nginx-h3', 'apache-h2'])
      expect(median('pltMs', arm)).toBeGreaterThan((5 * 420_391 * 8) / 4_950);
  },
  900_000,
);

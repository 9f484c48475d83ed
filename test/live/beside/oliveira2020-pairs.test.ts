import { expect } from '@jest/globals';
import { inPeace } from '../../in-peace.ts';
import { labTest } from '../lab.ts';
import { type Load, type Repeated, repeat } from '../repeat.ts';

labTest(
  'oliveira2020-pairs: two flows of TCP share the link evenly, and all carry no more than it can',
  async () => {
    const even = ({ mean }: Repeated) => mean('fairness', 'tcp-cubic+tcp-cubic');
    const all: Repeated[] = [];
    const repeatPairs = async (blocks: number) => {
      const found = await repeat('oliveira2020-pairs', blocks);
      all.push(found);
      return found;
    };
    // Whichever ends last has waited for all the bits of both.
    const lastKbps = ({ ownKbps, besideKbps }: Load) => Math.min(ownKbps!, besideKbps!);
    await inPeace(async () => {
      const first = await repeatPairs(1);
      // Which packet finds a queue of a few full is chance: one pair may share less evenly, three on average do not.
      const found = even(first) > 0.9 ? first : await repeatPairs(3);
      expect(even(found)).toBeGreaterThan(0.9);
      for (const load of found.loads) {
        expect([load.arm, load.fairness]).toEqual([load.arm, expect.any(Number)]); // Both ran at the same time.
        // Where both are Cubic neither waits long.
        if (load.arm.includes('bbr')) continue;
        expect([load.arm, lastKbps(load), lastKbps(load) > 1_500]).toEqual([load.arm, lastKbps(load), true]);
      }
    });
    for (const { summary, loads } of all) {
      expect(summary.loads).toMatchObject({ failed: 0 });
      expect(summary.loads.counted % 7).toBe(0);
      for (const load of loads)
        expect([load.arm, lastKbps(load), lastKbps(load) <= 2_500]).toEqual([load.arm, lastKbps(load), true]);
    }
  },
  1_200_000,
);

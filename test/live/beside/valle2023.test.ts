import { expect } from '@jest/globals';
import { inPeace } from '../../in-peace.ts';
import { labTest } from '../lab.ts';
import { type Repeated, repeat } from '../repeat.ts';

labTest(
  'valle2023: no upload is faster than its bits, and what is laid around them is what its protocol has around them',
  async () => {
    const all: Repeated[] = [];
    const narrowOf = ({ loads }: Repeated) => loads.filter(({ condition }) => condition.includes('rate=500kbit'));
    await inPeace(async () => {
      const found = await repeat('valle2023', 1);
      all.push(found);
      // What arrived is the file and what is laid around it: a frame of Chromium's QUIC has 1,292 bytes at most. A sender
      // that is held up takes for lost what is not, and sends it again.
      for (const { arm, arrivedUp } of narrowOf(found)) {
        const around = 100 * (arrivedUp / 200_000 - 1);
        expect([arm, around, around > 4.5 && around < (arm === 'h2' ? 12 : 20)]).toEqual([arm, around, true]);
      }
    });
    for (const found of all) {
      const narrow = narrowOf(found);
      expect(narrow).toHaveLength(2);
      for (const { uploadMs } of narrow) expect(uploadMs).toBeGreaterThanOrEqual((200_000 * 8) / 500);
      const large = found.loads.filter(({ condition }) => condition.includes('8mb'));
      expect(large).toHaveLength(2);
      for (const { uploadMs } of large) expect(uploadMs).toBeGreaterThanOrEqual((8_025_669 * 8) / 4_000);
      // The queue, with no delay beside it.
      expect(found.median('loadedRttMs', 'h2', 'rate=500kbit')).toBeGreaterThan(10);
    }
  },
  900_000,
);

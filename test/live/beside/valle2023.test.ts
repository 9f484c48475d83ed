import { expect } from '@jest/globals';
import { labTest } from '../lab.ts';
import { repeat } from '../repeat.ts';

labTest(
  'valle2023: no upload is faster than its bits, and what is laid around them is what its protocol has around them',
  async () => {
    const { loads, median } = await repeat('valle2023', 1);
    const narrow = loads.filter(({ condition }) => condition.includes('rate=500kbit'));
    expect(narrow).toHaveLength(2);
    for (const { uploadMs } of narrow) expect(uploadMs).toBeGreaterThanOrEqual((200_000 * 8) / 500);
    const large = loads.filter(({ condition }) => condition.includes('8mb'));
    expect(large).toHaveLength(2);
    for (const { uploadMs } of large) expect(uploadMs).toBeGreaterThanOrEqual((8_025_669 * 8) / 4_000);
    // What arrived is the file and what is laid around it: a frame of Chromium's QUIC has 1,292 bytes at most.
    for (const { arm, arrivedUp } of narrow) {
      const around = 100 * (arrivedUp / 200_000 - 1);
      expect([arm, around, around > 4.5 && around < (arm === 'h2' ? 12 : 20)]).toEqual([arm, around, true]);
    }
    expect(median('loadedRttMs', 'h2', 'rate=500kbit')).toBeGreaterThan(10); // The queue, with no delay beside it.
  },
  900_000,
);

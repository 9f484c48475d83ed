import { expect } from '@jest/globals';
import { inPeace } from '../../in-peace.ts';
import { labTest } from '../lab.ts';
import { type Repeated, repeat } from '../repeat.ts';

labTest(
  'kramer2015: where the way is long and narrow h3 is ahead of h2, and h2 of h1',
  async () => {
    const all: Repeated[] = [];
    await inPeace(async () => {
      const found = await repeat('kramer2015', 2);
      all.push(found);
      const long = 'rate=2mbit,rtt=218ms,loss=0%';
      const [h1, h2, h3] = ['h1', 'h2', 'h3'].map((arm) => found.median('pltMs', arm, long));
      expect([h1, h2, h3, h3! < h2! && h2! < h1!]).toEqual([h1, h2, h3, true]);
      // QUIC's handshake is one round trip; TCP's and that of TLS are two.
      const [ofH2, ofH3] = ['h2', 'h3'].map((arm) => found.median('ttfbMs', arm, long));
      expect([ofH2, ofH3, Math.round((ofH2! - ofH3!) / 218)]).toEqual([ofH2, ofH3, 1]);
    });
    for (const { summary } of all) expect(summary.loads).toMatchObject({ failed: 0, counted: 18 });
  },
  900_000,
);

import { expect } from '@jest/globals';
import { measurementOf } from '../../../harness/measurement/measurement.ts';
import type { LoadFigures } from '../../../harness/model/measurement.ts';
import { openLab } from '../../../harness/run/lab.ts';
import { findSite } from '../../../harness/run/sites.ts';
import { inPeace } from '../../in-peace.ts';
import { linkOf } from '../../links.ts';
import { figuresOf } from '../figures.ts';
import { labTest } from '../lab.ts';

const SITE = 'lazy-200';

/** A load of two hundred lazy images, each of which the server thinks about for 100 ms, over H3. */
async function loadLazy(altSvc: boolean): Promise<LoadFigures> {
  const site = findSite(SITE);
  await using lab = await openLab({ sites: [site], altSvc });
  await lab.setLink(linkOf('rate=50mbit,rtt=20ms'));
  const load = { site: SITE, protocol: 'h3', visit: 'cold', device: 'desktop', timeoutMs: 60_000 } as const;
  const key = { condition: SITE, block: 0, arm: 'h3' };
  return await figuresOf(async () => measurementOf(key, await lab.load(load)));
}

labTest(
  'the trap: an origin forced onto QUIC has priorities only where it sends Alt-Svc',
  async () => {
    // What a comparison measures that forgets the header: low-priority requests, six at a time.
    // A browser that is held up tells late that a request has ended, when others are under way.
    const taken = await inPeace(async () => {
      const load = await loadLazy(false);
      expect(load.peakInFlight).toBeLessThanOrEqual(8);
      return load;
    });
    await inPeace(async () => {
      const sent = await loadLazy(true);
      expect(sent.peakInFlight).toBeGreaterThan(50);
      expect(taken.pltMs).toBeGreaterThan(2 * sent.pltMs);
      // What the server says to its own backend is not on the wire.
      expect(sent.bytesDown).toBeGreaterThan(sent.payloadBytes);
      expect(sent.overheadPercent).toBeLessThan(60);
    });
  },
  120_000,
);

import { expect } from '@jest/globals';
import type { LoadFigures } from '../../harness/model/measurement.ts';
import { openRig } from '../../harness/run/rig.ts';
import { findSite } from '../../harness/run/sites.ts';
import { parseLink } from '../../harness/study/link.ts';
import { measurementOf } from '../../harness/verdict/measurement.ts';
import { labTest } from './lab.ts';

const SITE = 'lazy-200';

/** A load of two hundred lazy images, each of which the server thinks about for 100 ms, over H3. */
async function loadLazy(altSvc: boolean): Promise<LoadFigures> {
  const site = findSite(SITE);
  await using rig = await openRig({ sites: [site], altSvc });
  await rig.openLink(parseLink('rate=50mbit,rtt=20ms', { readText: () => '' }));
  const capture = await rig.load({ site: SITE, protocol: 'h3', visit: 'cold', device: 'desktop', timeoutMs: 60_000 });
  const key = { condition: SITE, block: 0, arm: 'h3' };
  const measured = measurementOf(key, capture);
  if (measured.status !== 'ok') throw new Error(`${measured.reason}: ${measured.says}`);
  return measured;
}

labTest(
  'the trap: an origin forced onto QUIC has priorities only where it sends Alt-Svc',
  async () => {
    const [sent, taken] = [await loadLazy(true), await loadLazy(false)];
    expect(sent.peakInFlight).toBeGreaterThan(50);
    // What the server says to its own backend is not on the wire.
    expect(sent.bytesDown).toBeGreaterThan(sent.payloadBytes);
    expect(sent.overheadPercent).toBeLessThan(60);
    // What a comparison measures that forgets the header: low-priority requests, six at a time.
    expect(taken.peakInFlight).toBeLessThanOrEqual(8);
    expect(taken.pltMs).toBeGreaterThan(2 * sent.pltMs);
  },
  120_000,
);

import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { measurementOf } from '../../../harness/measurement/measurement.ts';
import type { Protocol } from '../../../harness/model/arm.ts';
import type { LoadFigures } from '../../../harness/model/measurement.ts';
import { type Lab, openLab } from '../../../harness/run/lab.ts';
import { findSite } from '../../../harness/run/sites.ts';
import { inPeace } from '../../in-peace.ts';
import { linkOf } from '../../links.ts';
import { figuresOf } from '../figures.ts';
import { labTest } from '../lab.ts';
import { congestionOfSenders } from './senders.ts';

const SITES = ['upload-txt-200kb', 'upload-jpg-3mb', 'upload-mp4-3mb', 'upload-txt-3mb'] as const;
const ARMS = ['h1', 'h2', 'h3'] as const;

let lab: Lab;
beforeAll(async () => {
  if (process.env.PHOTOFINISH_NO_LAB === undefined) lab = await openLab({ sites: SITES.map(findSite) });
}, 120_000);
afterAll(async () => lab?.[Symbol.asyncDispose]());

const setLink = (spec: string) => lab.setLink(linkOf(spec));

async function measure(site: string, protocol: Protocol, timeoutMs = 60_000, congestion?: string) {
  const capture = await lab.load({ site, protocol, congestion, visit: 'cold', device: 'desktop', timeoutMs });
  const key = { condition: '', block: 0, arm: protocol };
  return measurementOf(key, capture);
}

async function upload(
  site: string,
  protocol: Protocol,
  congestion?: string,
): Promise<LoadFigures & { readonly uploadMs: number }> {
  const measured = await figuresOf(() => measure(site, protocol, 60_000, congestion));
  if (measured.uploadMs === undefined) throw new Error(JSON.stringify(measured));
  return { ...measured, uploadMs: measured.uploadMs };
}

/**
 * With the window that nginx has by default, 64 KB a round trip, HTTP/2 takes 9 s; with the initial window that Chromium
 * has, HTTP/3 takes two round trips less.
 */
labTest(
  '3 MB over 218 ms take as long as a slow start takes, whatever the protocol',
  async () => {
    await setLink('rate=50mbit,rtt=218ms');
    for (const protocol of ARMS)
      await inPeace(async () => {
        const { uploadMs } = await upload('upload-jpg-3mb', protocol);
        expect([protocol, uploadMs, uploadMs > 1_550 && uploadMs < 2_500]).toEqual([protocol, uploadMs, true]);
      });
  },
  120_000,
);

describe('a file that is sent by the form', () => {
  for (const protocol of ARMS)
    labTest(
      `arrives whole over ${protocol}, whatever its type, in no less time than its bits take`,
      async () => {
        await setLink('rate=20mbit,rtt=20ms');
        for (const site of SITES) {
          const { bytes } = findSite(site).manifest.upload!;
          const measured = await upload(site, protocol);
          expect(measured.uploadMs).toBeGreaterThan((bytes * 8) / 20_000);
          expect(measured.bytesUp).toBeGreaterThan(bytes);
          expect(measured.throughputKbps).toBeCloseTo((bytes * 8) / measured.uploadMs);
          expect(measured.overheadPercent).toBeGreaterThan(4.5); // A full frame of TCP has 66 bytes around 1,448.
          expect(measured.strayPackets).toBeLessThan(5); // The probes are the harness's.
        }
      },
      120_000,
    );
});

labTest(
  'how long a packet takes meanwhile is the way and the queue that the upload fills',
  async () => {
    await setLink('rate=8mbit,rtt=40ms,queue=60');
    // 60 packets of 1,514 B at 8 Mbit/s wait for 91 ms; Cubic lets the queue run half empty now and then.
    await inPeace(async () => {
      const { loadedRttMs = 0 } = await upload('upload-jpg-3mb', 'h2');
      expect([loadedRttMs, loadedRttMs > 60 && loadedRttMs < 140]).toEqual([loadedRttMs, true]);
    });
  },
  60_000,
);

labTest(
  'TCP’s congestion control is that of the host that sends, and of the one load that asks for it',
  async () => {
    await setLink('rate=20mbit,rtt=20ms');
    // On a busy machine the upload may be over before its sender was looked at twice.
    for (const [congestion, found] of [
      ['bbr', 'bbr'],
      [undefined, 'cubic'],
    ] as const)
      await inPeace(async () => {
        const uploading = upload('upload-jpg-3mb', 'h2', congestion);
        expect(await congestionOfSenders(uploading)).toEqual([found]);
      });
  },
  120_000,
);

labTest(
  'what does not arrive in time has failed, which is a result',
  async () => {
    await setLink('rate=1mbit,rtt=40ms');
    expect(await measure('upload-txt-200kb', 'h2', 1_000)).toMatchObject({ status: 'failed', reason: 'timeout' });
  },
  60_000,
);

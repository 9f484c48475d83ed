import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { measurementOf } from '../../../harness/measurement/measurement.ts';
import type { Protocol } from '../../../harness/model/arm.ts';
import type { LoadFigures } from '../../../harness/model/measurement.ts';
import { type Lab, openLab } from '../../../harness/run/lab.ts';
import { findSite } from '../../../harness/run/sites.ts';
import { sumOf } from '../../../harness/stats/order.ts';
import { inPeace } from '../../in-peace.ts';
import { linkOf } from '../../links.ts';
import { figuresOf } from '../figures.ts';
import { labTest } from '../lab.ts';

/* Pages loaded by each protocol. Nothing here counts single milliseconds, so other tests may run beside these. */

/** The quick link, with a long queue, that Photofinish's first figures were measured over. */
const PHOTOS_LINK = 'rate=50mbit,rtt=18ms,queue=200';
const GRID = ['few-small', 'many-small', 'few-large', 'many-large'];
const ARCHETYPES = ['article', 'shop', 'app', 'gallery'];
const ARMS = ['h1', 'h2', 'h3'] as const;

let lab: Lab;
beforeAll(async () => {
  if (process.env.PHOTOFINISH_NO_LAB === undefined)
    lab = await openLab({ sites: [...GRID, ...ARCHETYPES].map(findSite) });
}, 120_000);
afterAll(async () => lab?.[Symbol.asyncDispose]());

function figures(site: string, protocol: Protocol): Promise<LoadFigures> {
  const key = { condition: site, block: 0, arm: protocol };
  const load = { site, protocol, visit: 'cold', device: 'desktop', timeoutMs: 60_000 } as const;
  return figuresOf(async () => measurementOf(key, await lab.load(load)));
}

describe('each arm and each site of the 2015 grid, at 10 Mbit/s and 40 ms', () => {
  for (const site of GRID)
    labTest(
      site,
      async () => {
        await lab.setLink(linkOf('rate=10mbit,rtt=40ms'));
        const many = site.startsWith('many');
        for (const protocol of ARMS) {
          const load = await figures(site, protocol);
          expect(load).toMatchObject({ requests: many ? 51 : 6, resumedConnections: 0 });
          if (protocol !== 'h1') expect(load.usedConnections).toBe(1);
          else if (many) expect(load.usedConnections).toBe(6);
          if (many && protocol !== 'h1') expect(load.peakInFlight).toBeGreaterThan(6);
          // A page that is held up hears late that an object is there: the next one is under way on its connection by
          // then. Where a connection is slow to come about Chromium opens another.
          let latest: LoadFigures | undefined = load;
          await inPeace(async () => {
            const { peakInFlight, connections } = latest ?? (await figures(site, protocol));
            latest = undefined;
            if (protocol !== 'h1' || many) expect(connections).toBe(protocol === 'h1' ? 6 : 1);
            if (protocol === 'h1') expect(peakInFlight).toBeLessThanOrEqual(6);
          });
          // What the wire carried is the payload and what the protocols lay around it.
          expect(load.overheadPercent).toBeGreaterThan(4);
          expect(load.bytesDown).toBeGreaterThan(load.payloadBytes);
        }
      },
      120_000,
    );
});

labTest(
  'fifty photos take several times as long over one connection as over six where packets are lost',
  async () => {
    await lab.setLink(linkOf(`${PHOTOS_LINK},loss=2%`));
    // Which packets are lost is chance.
    await inPeace(async () => {
      const loads: LoadFigures[] = [];
      for (const protocol of ARMS) loads.push(await figures('many-large', protocol));
      // Lost of some 14,000 packets: 2 % and what the queue drops.
      const [sent, lost] = [sumOf(loads.map((load) => load.packetsDown)), sumOf(loads.map((load) => load.lostDown!))];
      expect([sent, lost, lost > 0.015 * sent && lost < 0.035 * sent]).toEqual([sent, lost, true]);
      const [h1, h2, h3] = loads.map(({ pltMs }) => pltMs) as [number, number, number];
      expect([h1, h1 > 1_300 && h1 < 4_000]).toEqual([h1, true]);
      for (const one of [h2, h3]) expect([h1, one, one > 3 * h1 && one < 30_000]).toEqual([h1, one, true]);
    });
  },
  300_000,
);

describe('the four archetypes', () => {
  for (const site of ARCHETYPES)
    labTest(
      `${site} comes whole over each protocol, the same requests and the same payload`,
      async () => {
        await lab.setLink(linkOf(PHOTOS_LINK));
        const loads = [];
        for (const protocol of ARMS) loads.push(await figures(site, protocol));
        const [first] = loads;
        for (const each of loads) {
          expect(each).toMatchObject({ requests: first!.requests, payloadBytes: first!.payloadBytes });
          expect(each.lcpMs).toBeGreaterThan(each.ttfbMs!);
          expect(each.fcpMs).toBeLessThanOrEqual(each.lcpMs!);
        }
      },
      60_000,
    );
});

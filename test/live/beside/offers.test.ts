import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { measurementOf } from '../../../harness/measurement/measurement.ts';
import type { LoadFigures } from '../../../harness/model/measurement.ts';
import { NAME_SERVER_MS, type Offer, type OfferVisit, protocolOffered } from '../../../harness/model/offer.ts';
import { type Lab, openLab } from '../../../harness/run/lab.ts';
import { findSite } from '../../../harness/run/sites.ts';
import { inPeace } from '../../in-peace.ts';
import { linkOf } from '../../links.ts';
import { figuresOf } from '../figures.ts';
import { labTest } from '../lab.ts';

let lab: Lab;
beforeAll(async () => {
  if (process.env.PHOTOFINISH_NO_LAB !== undefined) return;
  lab = await openLab({ sites: ['five-400', 'app'].map(findSite) });
}, 120_000);
afterAll(async () => lab?.[Symbol.asyncDispose]());

function figures(site: string, offer: Offer, visit: OfferVisit): Promise<LoadFigures> {
  return figuresOf(async () => {
    const protocol = protocolOffered(offer);
    const load = { site, protocol, offer, visit, device: 'desktop', timeoutMs: 60_000 } as const;
    return measurementOf({ condition: site, block: 0, arm: offer }, await lab.load(load));
  });
}

const RTT_MS = 170;

/** Round trips that a document and what it names take, and whether a name is looked up first. */
const EXPECTED: readonly (readonly [Offer, OfferVisit, { trips: number; looksUp: boolean; h3: number }])[] = [
  ['h2', 'first', { trips: 4, looksUp: true, h3: 0 }],
  // Told with the document; what it names is asked for before the handshake is done.
  ['h3-altsvc', 'first', { trips: 4, looksUp: true, h3: 0 }],
  ['h3-record', 'first', { trips: 3, looksUp: true, h3: 100 }],
  ['h2', 'returning', { trips: 4, looksUp: false, h3: 0 }],
  ['h3-altsvc', 'returning', { trips: 2, looksUp: false, h3: 100 }],
  ['h3-record', 'returning', { trips: 2, looksUp: false, h3: 100 }],
];

describe(`over ${RTT_MS} ms a page of six small objects takes`, () => {
  for (const [offer, visit, { trips, looksUp, h3 }] of EXPECTED)
    labTest(
      `${trips} round trips${looksUp ? ' and the look-up' : ''} on a ${visit} visit where the offer is ${offer}`,
      async () => {
        await lab.setLink(linkOf(`rate=50mbit,rtt=${RTT_MS}ms`));
        const leastMs = trips * RTT_MS;
        await inPeace(async () => {
          const { pltMs, h3SharePercent = 0 } = await figures('five-400', offer, visit);
          expect([h3SharePercent, pltMs, pltMs >= leastMs]).toEqual([h3, pltMs, true]);
          expect([pltMs, pltMs < leastMs + (looksUp ? NAME_SERVER_MS : 0) + 0.6 * RTT_MS]).toEqual([pltMs, true]);
        });
      },
      60_000,
    );
});

labTest(
  'a first visit begins on H2 and has the rest by H3 where Alt-Svc tells of it, and has all by H3 where DNS does',
  async () => {
    await lab.setLink(linkOf('rate=10mbit,rtt=100ms'));
    // Where the browser is not held up, and its handshake with it.
    await inPeace(async () => {
      const { h3SharePercent = 0 } = await figures('app', 'h3-altsvc', 'first');
      expect([h3SharePercent, h3SharePercent > 60 && h3SharePercent < 90]).toEqual([h3SharePercent, true]);
    });
    expect(await figures('app', 'h3-record', 'first')).toMatchObject({ h3SharePercent: 100 });
  },
  60_000,
);

labTest(
  'visitors whose network drops UDP take as long as with H2, whatever they are told',
  async () => {
    await lab.setLink(linkOf(`rate=50mbit,rtt=${RTT_MS}ms,udp=drop`));
    for (const visit of ['first', 'returning'] as const)
      await inPeace(async () => {
        const { pltMs: h2Ms } = await figures('five-400', 'h2', visit);
        for (const offer of ['h3-altsvc', 'h3-record'] as const) {
          const { pltMs, h3SharePercent } = await figures('five-400', offer, visit);
          expect([offer, visit, h3SharePercent, pltMs, pltMs < 1.15 * h2Ms]).toEqual([offer, visit, 0, pltMs, true]);
        }
      });
  },
  120_000,
);

import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { measurementOf } from '../../../harness/measurement/measurement.ts';
import type { LoadFigures } from '../../../harness/model/measurement.ts';
import { type Lab, openLab } from '../../../harness/run/lab.ts';
import type { Load, LoadWay } from '../../../harness/run/load-request.ts';
import { findSite } from '../../../harness/run/sites.ts';
import { meanOf } from '../../../harness/stats/order.ts';
import { inPeace } from '../../in-peace.ts';
import { linkOf } from '../../links.ts';
import { figuresOf } from '../figures.ts';
import { labTest } from '../lab.ts';
import { congestionOfSenders } from './senders.ts';

let lab: Lab;
beforeAll(async () => {
  const sites = ['single-2mb', 'flags-254'].map(findSite);
  if (process.env.PHOTOFINISH_NO_LAB === undefined) lab = await openLab({ sites });
}, 120_000);
afterAll(async () => lab?.[Symbol.asyncDispose]());

async function measure(load: Pick<Load, 'site' | 'protocol'> & Partial<Load>): Promise<LoadFigures> {
  const whole = { visit: 'cold', device: 'desktop', timeoutMs: 120_000, ...load } as const;
  const key = { condition: '', block: 0, arm: load.protocol };
  return figuresOf(async () => measurementOf(key, await lab.load(whole)));
}

describe('two transfers over one link at the same time', () => {
  const rates = ({ ownKbps, besideKbps }: LoadFigures) => [ownKbps!, besideKbps!];
  const sumKbps = (load: LoadFigures) => rates(load).reduce((sum, each) => sum + each);
  /** Whichever ends last has waited for the bits of both, with all that is laid around them. */
  const lastKbps = (load: LoadFigures) => Math.min(...rates(load));
  const between = (own: LoadWay, beside: LoadWay) => measure({ site: 'single-2mb', ...own, beside: [beside] });

  labTest(
    'of TCP share it evenly, and take longer than one',
    async () => {
      await lab.setLink(linkOf('rate=5mbit,rtt=10ms'), 'dumbbell');
      const all: LoadFigures[] = [];
      await inPeace(async () => {
        const alone = await measure({ site: 'single-2mb', protocol: 'h2' });
        expect(alone.fairness).toBeUndefined();
        const pairs: LoadFigures[] = [];
        for (let pair = 0; pair < 3; pair += 1) pairs.push(await between({ protocol: 'h2' }, { protocol: 'h2' }));
        all.push(...pairs);
        for (const each of pairs) {
          expect(sumKbps(each)).toBeGreaterThan(3_700);
          expect(lastKbps(each)).toBeGreaterThan(1_700);
        }
        // Which of two packets finds the queue full, a queue of a few, is chance: of forty pairs one shared with an index
        // of 0.81, when the one that was done first had taken 1.3 times as long as alone.
        const mean = (figure: (pair: LoadFigures) => number) => meanOf(pairs.map(figure));
        const shared = { longer: mean(({ pltMs }) => pltMs / alone.pltMs), fairness: mean((each) => each.fairness!) };
        expect([shared, shared.longer > 1.4 && shared.fairness > 0.9]).toEqual([shared, true]);
        expect(mean(sumKbps)).toBeLessThanOrEqual(5_500);
      });
      for (const each of all) {
        expect(Math.max(...rates(each))).toBeLessThanOrEqual(4_900);
        expect(lastKbps(each)).toBeLessThanOrEqual(2_450);
      }
    },
    240_000,
  );

  labTest(
    'may differ in protocol and in congestion control, each on a host of its own',
    async () => {
      await lab.setLink(linkOf('rate=10mbit,rtt=20ms'), 'dumbbell');
      for (const beside of [{ protocol: 'h3' }, { protocol: 'h2', congestion: 'bbr' }] as const) {
        const kbps: number[] = [];
        await inPeace(async () => {
          const transfers = between({ protocol: 'h2', congestion: 'cubic' }, beside);
          expect(await congestionOfSenders(transfers)).toEqual(beside.protocol === 'h3' ? ['cubic'] : ['bbr', 'cubic']);
          const load = await transfers;
          expect(load.fairness).toBeDefined(); // Which says that they did run at the same time.
          kbps.push(lastKbps(load));
          expect([beside, kbps, kbps.at(-1)! > 3_000]).toEqual([beside, kbps, true]);
        });
        // One link has the bits of both to carry, and is busy until it has.
        expect([beside, Math.max(...kbps) <= 4_900]).toEqual([beside, true]);
      }
    },
    90_000,
  );
});

describe('a crowd', () => {
  const TABS = 3;
  const CLIENTS = 5;
  const crowd = (protocol: Load['protocol']) =>
    measure({
      site: 'flags-254',
      protocol,
      tabs: TABS,
      beside: Array.from({ length: CLIENTS - 1 }, () => ({ protocol })),
    });

  labTest(
    'has a cache and connections for each client, whatever the number of tabs, and is done with the last tab',
    async () => {
      await lab.setLink(linkOf('rate=20mbit,rtt=30ms'), 'crowd');
      const loads = { h2: await crowd('h2'), h3: await crowd('h3'), h1c: await crowd('h1c') };
      for (const [protocol, load] of Object.entries(loads)) {
        expect(load.tabs).toBe(CLIENTS * TABS);
        // Each client fetches each flag once.
        expect([protocol, load.requests >= CLIENTS * 255]).toEqual([protocol, true]);
        expect(load.payloadBytes).toBeGreaterThan(CLIENTS * 420_000);
        // What has to pass takes its time.
        expect(load.pltMs).toBeGreaterThan((load.payloadBytes * 8) / 20_000);
        expect(load.strayPackets).toBeLessThan(5 * CLIENTS);
      }
      expect([loads.h2.usedConnections, loads.h3.usedConnections]).toEqual([CLIENTS, CLIENTS]);
      expect(loads.h1c.usedConnections).toBe(CLIENTS * 6);
    },
    180_000,
  );
});

import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { measure, parseMeasure } from '../../../harness/commands/measure.ts';
import { measurementOf } from '../../../harness/measurement/measurement.ts';
import type { Capture } from '../../../harness/model/capture.ts';
import { type Offer, protocolOffered } from '../../../harness/model/offer.ts';
import type { RecordedSite } from '../../../harness/model/recording.ts';
import { readPageSource } from '../../../harness/report/view-model.ts';
import { type Lab, type LabOptions, openLab } from '../../../harness/run/lab.ts';
import type { Load } from '../../../harness/run/load-request.ts';
import { RECORDINGS } from '../../../harness/run/sites.ts';
import { readRecording } from '../../../harness/site/record/store.ts';
import { openStoreToRead } from '../../../harness/store/store.ts';
import { PORT } from '../../fakes/shop-site.ts';
import { inPeace } from '../../in-peace.ts';
import { linkOf } from '../../links.ts';
import { useBrowser } from '../../reports/browser.ts';
import { figuresOf, undisturbed } from '../figures.ts';
import { labTest, noLab, PATIENCE_MS } from '../lab.ts';
import { recordAfar } from './far-shop.ts';

/* A page of one's own, from its recording to the report: a shop of four origins, which knows nothing of all this. */

const NAME = `test-shop-${process.pid}`;
/** The link between the shop and the machine that records it. */
const LINK = 'rate=8mbit,rtt=60ms';
/** The medians of the replay and of the page, of which no load was lost. */
const MEDIANS = /\(given\): (\d+) ms \(median of 7\); live (\d+) ms \(median of 7\)/;
const open = useBrowser();
// Not below /run, which is another one in a lab's enclosure.
const scratch = mkdtempSync('/var/tmp/photofinish-own-');
let printed: string;
let shop: RecordedSite;

beforeAll(async () => {
  if (noLab !== undefined) return;
  // What else this machine does meanwhile may be in the one time and not in the other.
  await inPeace(async () => {
    rmSync(join(RECORDINGS, NAME), { recursive: true, force: true });
    const { code, printed: all } = await recordAfar(LINK, NAME, mkdtempSync(join(scratch, 'recorder-')));
    printed = all;
    expect({ code, printed }).toMatchObject({ code: 0, printed: expect.stringMatching(MEDIANS) });
  });
  shop = readRecording(join(RECORDINGS, NAME)).site;
}, 600_000 + PATIENCE_MS);
afterAll(() => {
  rmSync(scratch, { recursive: true });
  rmSync(join(RECORDINGS, NAME), { recursive: true, force: true });
});

labTest(
  'its replay over the same link asks for what was recorded, all of it and nothing else, and takes as long',
  async () => {
    const { length } = shop.manifest.responses;
    expect(printed).toContain(
      `${length} of ${length} recorded requests were made again, 7 of them with values that each load makes itself`,
    );
    expect(printed).not.toContain('not asked for');
    expect(printed).not.toContain('and not recorded');
    expect(printed).toContain('The replay is as good as the page.');
    const [, replayMs, liveMs] = MEDIANS.exec(printed)!;
    const ratio = Number(replayMs) / Number(liveMs);
    expect([printed, ratio >= 0.85 && ratio <= 1.15]).toEqual([printed, true]);
  },
  5_000,
);

labTest(
  'it is measured as any other site, and the report lists what was not recorded as it was asked',
  async () => {
    const out = join(scratch, 'study');
    const said: string[] = [];
    const flags = { site: [NAME], link: ['rate=20mbit,rtt=40ms'], exactly: '2', beside: true, out };
    expect(await measure(parseMeasure(flags), { write: (text: string) => said.push(text) })).toBe(0);
    const { loads, conditions } = JSON.parse(readFileSync(join(out, 'summary.json'), 'utf8'));
    expect(loads).toMatchObject({ counted: 6, failed: 0 });
    expect(conditions.map(({ site }: { site: string }) => site)).toEqual([NAME]);
    expect(said.join('')).toContain(NAME);
    using store = openStoreToRead(join(out, 'study.sqlite'));
    undisturbed(store.measurements());
    const { trials, loadOf } = readPageSource(store);
    for (const { id } of trials)
      expect(loadOf(id).unrecorded!.map(({ asked, answer }) => `${answer} ${asked.replace(/\d{13}/, 'TIME')}`)).toEqual(
        expect.arrayContaining([`near GET https://api.shop.test:${PORT}/v1/items?ts=TIME`]),
      );
    await using opened = await open(`file://${out}/report.html`);
    await opened.page.waitForSelector('#condition');
    const summaries = await opened.page.$$eval('#condition summary', (nodes) => nodes.map((node) => node.textContent));
    expect(summaries.filter((text) => /requests? not recorded as asked$/.test(text ?? '')).length).toBe(3);
    expect(opened.mishaps).toEqual([]);
  },
  180_000,
);

/** A recording of the page from which a picture is missing. */
function losePicture(): RecordedSite {
  const root = join(scratch, 'holed');
  cpSync(shop.root, root, { recursive: true });
  const manifest = JSON.parse(readFileSync(join(root, 'manifest.json'), 'utf8'));
  manifest.responses = manifest.responses.filter(({ url }: { url: string }) => !url.endsWith('/img/7.png'));
  writeFileSync(join(root, 'manifest.json'), JSON.stringify(manifest));
  return readRecording(root).site;
}

describe('a lab', () => {
  let lab: Lab;
  beforeAll(async () => {
    if (noLab === undefined) lab = await openOver([shop, losePicture()]);
  }, 120_000 + PATIENCE_MS);
  afterAll(async () => lab?.[Symbol.asyncDispose]());

  const openOver = async (sites: readonly RecordedSite[], options: Partial<LabOptions> = {}) => {
    const opened = await openLab({ sites, ...options });
    await opened.setLink(linkOf('rate=20mbit,rtt=40ms'));
    return opened;
  };
  const load = async (wanted: Partial<Load>, by = lab) => {
    const ordinary = { site: NAME, protocol: 'h2', visit: 'cold', device: 'desktop', timeoutMs: 60_000 } as const;
    let capture: Capture | undefined;
    const figures = await figuresOf(async () => {
      capture = await by.load({ ...ordinary, ...wanted });
      return measurementOf({ condition: '', block: 0, arm: 'arm' }, capture);
    });
    return { capture: capture!, figures };
  };
  const protocolsOf = ({ page }: Awaited<ReturnType<typeof load>>['capture']) =>
    Object.fromEntries(page.origins.map(({ host, protocol }) => [host.split('.')[0], protocol]));

  labTest(
    'is told of HTTP/3 by Alt-Svc or by DNS, under its own names, and is known to those who come back',
    async () => {
      for (const visit of ['first', 'returning'] as const) {
        const shareOf = async (offer: Offer) =>
          (await load({ offer, protocol: protocolOffered(offer), visit })).figures.h3SharePercent ?? 0;
        await inPeace(async () => {
          const [h2, told, published] = [await shareOf('h2'), await shareOf('h3-altsvc'), await shareOf('h3-record')];
          const isAsTold = [h2 <= told, h2 < published, visit === 'first' || told > h2];
          expect([visit, h2, told, published, ...isAsTold]).toEqual([visit, h2, told, published, true, true, true]);
        });
      }
    },
    120_000,
  );

  labTest(
    'has the page’s own server speak the arm’s protocol, over one connection for both of its names, and others theirs',
    async () => {
      const { capture } = await load({ protocol: 'h3' });
      expect(protocolsOf(capture)).toEqual({ www: 'h3', cdn: 'h3', fonts: 'h2', api: 'h1' });
      const own = capture.server.filter(({ port }) => port === capture.page.origins[0].port);
      // With and without credentials.
      const connections = new Set(own.map(({ clientPort }) => clientPort)).size;
      expect([connections >= 1, connections <= 2]).toEqual([true, true]);
      expect(new Set(own.map(({ protocol }) => protocol))).toEqual(new Set(['h3']));
      expect(capture.unrecorded!.filter(({ answer }) => answer === 'none')).toEqual([]);
      // Where nothing holds the browser up.
      await inPeace(async () => {
        expect((await load({ protocol: 'h3' })).figures.peakInFlight).toBeGreaterThan(20);
      });
    },
    60_000,
  );

  labTest(
    'knows visitors who come back: connections take up those before',
    async () => {
      // How many connections are opened once there are tickets is chance.
      await inPeace(async () => {
        const { figures } = await load({ protocol: 'h3', visit: 'resumed' });
        expect(figures.resumedConnections).toBeGreaterThan(3);
      });
    },
    60_000,
  );

  labTest(
    'says what the page asks for and was not recorded, answers it with 404, and holds no load to it',
    async () => {
      const { capture } = await load({ site: 'holed' });
      const none = capture.unrecorded!.filter(({ answer }) => answer === 'none');
      expect(none).toEqual([{ method: 'GET', url: `https://www.shop.test:${PORT}/img/7.png`, answer: 'none' }]);
    },
    60_000,
  );

  labTest(
    'has all servers speak it where that is wanted, and answers that do not think',
    async () => {
      await using other = await openOver([shop], { replay: { allOrigins: true, thinks: false } });
      await inPeace(async () => {
        const { capture } = await load({ protocol: 'h3' }, other);
        expect(protocolsOf(capture)).toEqual({ www: 'h3', cdn: 'h3', fonts: 'h3', api: 'h3' });
        const thought = capture.server.filter(({ request }) => request.startsWith('/v1/items'));
        expect(thought.length).toBeGreaterThan(0);
        for (const { seconds } of thought) expect(seconds).toBeLessThan(0.06);
      });
    },
    90_000,
  );
});

import { UNLIMITED } from '../model/link.ts';
import type { LoadFigures } from '../model/measurement.ts';
import { openRig } from '../run/rig.ts';
import { findSite } from '../run/sites.ts';
import { median, percentile } from '../stats/order.ts';
import { measurementOf } from '../verdict/measurement.ts';

const LOADS = 100;
const SITE = 'few-small';
const ARMS = ['h1', 'h2', 'h3'] as const;
/** What a trial may cost beyond its page load, at the median. */
const OVERHEAD_MS_MAX = 200;

/** `photofinish bench overhead`: what a trial costs beyond its page load, as JSON; 1 where that is too much. */
export async function benchOverhead(print: (line: string) => void): Promise<number> {
  const site = findSite(SITE);
  await using rig = await openRig({ sites: [site] });
  await rig.openLink(UNLIMITED);
  const loads: LoadFigures[] = [];
  for (let block = 0; loads.length < LOADS; block += 1) {
    const protocol = ARMS[block % ARMS.length]!;
    const capture = await rig.load({ protocol, site: SITE, visit: 'cold', device: 'desktop', timeoutMs: 30_000 });
    const key = { condition: SITE, block, arm: protocol };
    const measured = measurementOf({ key, protocol, manifest: site.manifest }, capture);
    if (measured.status !== 'ok') throw new Error(`load ${block}: ${measured.reason}: ${measured.says}`);
    loads.push(measured);
  }
  const overheads = loads.map(({ overheadMs }) => overheadMs);
  const round = (ms: number) => Number(ms.toFixed(1));
  const overheadMsMedian = round(median(overheads));
  print(
    JSON.stringify({
      ...{ bench: 'overhead', site: SITE, link: UNLIMITED.name, loads: loads.length },
      ...{ overheadMsMedian, overheadMsP95: round(percentile(overheads, 0.95)) },
      pltMsMedian: round(median(loads.map(({ pltMs }) => pltMs))),
    }),
  );
  return overheadMsMedian <= OVERHEAD_MS_MAX ? 0 : 1;
}

import { afterAll, beforeAll, expect } from '@jest/globals';
import { holdAgainstBare } from '../../harness/bench/observer.ts';
import { UNLIMITED } from '../../harness/model/link.ts';
import { type Lab, openLab } from '../../harness/run/lab.ts';
import { findSite } from '../../harness/run/sites.ts';
import { median } from '../../harness/stats/order.ts';
import { seededRandom } from '../../harness/stats/random.ts';
import { type Interval, ratioOfMedians } from '../../harness/stats/ratio-of-medians.ts';
import { labTest } from './lab.ts';

let lab: Lab;
beforeAll(async () => {
  if (process.env.PHOTOFINISH_NO_LAB === undefined) lab = await openLab({ sites: [findSite(SITE)] });
}, 120_000);
afterAll(async () => {
  await lab?.[Symbol.asyncDispose]();
});

const SITE = 'many-small';
const PAIRS = 60;
/** The limit of the ratio: half of the slowdown that must be found. */
const MOST = 1.05;
/** Watched loads are held against bare ones this many pairs at a time, until they tell. */
const FEW_PAIRS = 20;

const hold = (watched: boolean, pairs = PAIRS) =>
  holdAgainstBare(lab, UNLIMITED, { site: SITE, protocol: 'h2', watched }, pairs);

/**
 * The short form of `bench observer`. The ratio of the medians of sixty loads varies by some 3 %: where it is above the limit by
 * chance twice as many tell. So a load that is a tenth longer than a bare one is found in nine of ten runs, and one that is
 * not fails in one of a hundred.
 */
labTest(
  'a load that counts takes no tenth longer than a bare one',
  async () => {
    const pairs = [await hold(false)];
    if (pairs[0]!.ratio.estimate >= MOST) pairs.push(await hold(false));
    const [loadMs, bareMs] = [
      median(pairs.flatMap(({ loadsMs }) => loadsMs)),
      median(pairs.flatMap(({ bareMs }) => bareMs)),
    ];
    expect([loadMs, bareMs, loadMs < MOST * bareMs]).toEqual([loadMs, bareMs, true]);
  },
  400_000,
);

labTest(
  'a load that is watched is found out',
  async () => {
    const found = 2 * MOST - 1;
    const [loadsMs, bareMs]: [number[], number[]] = [[], []];
    let ratio: Interval;
    do {
      const few = await hold(true, FEW_PAIRS);
      loadsMs.push(...few.loadsMs);
      bareMs.push(...few.bareMs);
      ratio = ratioOfMedians(loadsMs, bareMs, seededRandom(1));
      // Fewer pairs than all of them must tell with their whole interval.
    } while (ratio.low <= found && loadsMs.length < PAIRS);
    expect([ratio, ratio.estimate > found]).toEqual([ratio, true]);
  },
  200_000,
);

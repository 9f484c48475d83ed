import { afterAll, beforeAll, expect } from '@jest/globals';
import { holdAgainstBare } from '../../harness/bench/observer.ts';
import { UNLIMITED } from '../../harness/model/link.ts';
import { type Lab, openLab } from '../../harness/run/lab.ts';
import { findSite } from '../../harness/run/sites.ts';
import { median } from '../../harness/stats/order.ts';
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
/** Half of what must be found. */
const MOST = 1.05;

const hold = (watched: boolean) => holdAgainstBare(lab, UNLIMITED, { site: SITE, protocol: 'h2', watched }, PAIRS);

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
    const { ratio } = await hold(true);
    expect([ratio, ratio.estimate > 2 * MOST - 1]).toEqual([ratio, true]);
  },
  200_000,
);

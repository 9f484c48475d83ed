import { afterAll, beforeAll, expect } from '@jest/globals';
import { holdAgainstBare } from '../../harness/bench/observer.ts';
import { UNLIMITED } from '../../harness/model/link.ts';
import { type Lab, openLab } from '../../harness/run/lab.ts';
import { findSite } from '../../harness/run/sites.ts';
import { inPeace } from '../in-peace.ts';
import { labTest } from './lab.ts';

let lab: Lab;
beforeAll(async () => {
  if (process.env.PHOTOFINISH_NO_LAB === undefined) lab = await openLab({ sites: [findSite(SITE)] });
}, 120_000);
afterAll(async () => {
  await lab?.[Symbol.asyncDispose]();
});

const SITE = 'many-small';
const PAIRS = 30;

/** The short form of `bench observer`, which asks for 1.02: this finds one load in ten longer. */
labTest(
  'a load that counts takes as long as a bare one, and a load that is watched is found out',
  async () => {
    await inPeace(async () => {
      const { ratio } = await holdAgainstBare(lab, UNLIMITED, { site: SITE, protocol: 'h2', watched: false }, PAIRS);
      expect([ratio, ratio.estimate < 1.05]).toEqual([ratio, true]);
    });
    await inPeace(async () => {
      const { ratio } = await holdAgainstBare(lab, UNLIMITED, { site: SITE, protocol: 'h2', watched: true }, PAIRS);
      expect([ratio, ratio.low > 1.05]).toEqual([ratio, true]);
    });
  },
  120_000,
);

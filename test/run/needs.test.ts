import { expect, test } from '@jest/globals';
import { openNeeds } from '../../harness/run/needs.ts';

const load = { condition: 'page over 4g', page: 'page', arm: 'h2', forecastMs: 2_000 };
/** A load of half a second that kept both cores half busy: half a second of a core. */
const alone = { host: { cores: [0.5, 0.5] }, browser: { events: [], digests: {}, timings: { loadEventEndMs: 500 } } };

test('a page of which nothing is known needs the whole machine', () => {
  expect(openNeeds(2).of(load)).toEqual({
    cores: Number.POSITIVE_INFINITY,
    timed: Number.POSITIVE_INFINITY,
    wanted: Number.POSITIVE_INFINITY,
    pressing: Number.POSITIVE_INFINITY,
    pressingQuick: Number.POSITIVE_INFINITY,
    bears: 1,
    forMs: 2_220,
  });
});

test('the slower the link, the longer the processor has for the same page', () => {
  const needs = openNeeds(2, { givesWay: true });
  needs.learnCores('page', 'h2', alone as never);
  // With what contexts, link and harness take beside it.
  expect(needs.of({ ...load, forecastMs: 4_000 })).toEqual({
    cores: 0.85 / 4.22 + 0.06,
    timed: 0.125,
    // Its browser is likely to take twice as much over a slow link.
    wanted: 0.25,
    // Never more than all of it.
    pressing: 0.85 / 4.22 + 0.06,
    pressingQuick: expect.closeTo((0.62 / 4.22 + 0.06) / 4),
    bears: 1,
    forMs: 4_220,
  });
  expect(needs.of({ ...load, forecastMs: 10_000 })).toMatchObject({ cores: 0.85 / 10.22 + 0.06, timed: 0.05 });
  expect(needs.of({ ...load, arm: 'h3' }).cores).toBe(Number.POSITIVE_INFINITY);
});

test('others may have to wait for all of it where browsers cannot give way', () => {
  const needs = openNeeds(2, { givesWay: false });
  needs.learnCores('page', 'h2', alone as never);
  const { cores, pressing, pressingQuick } = needs.of(load);
  expect([pressing, pressingQuick]).toEqual([cores, cores]);
});

test('what loads took counts more than what they were likely to take', () => {
  const needs = openNeeds(2);
  needs.learnCores('page', 'h2', alone as never);
  needs.learnTime('page over 4g', 'h2', { ms: 4_500, timedMs: 4_100, ranMs: 700 });
  needs.learnTime('page over 4g', 'h2', { ms: 5_500, timedMs: 3_900, ranMs: 500 });
  expect(needs.of(load)).toMatchObject({ cores: expect.closeTo(0.85 / 5 + 0.06), timed: 0.125, forMs: 5_000 });
  expect(needs.of(load).wanted).toBe(0.15);
});

test('over a slow link a page takes no less than without one', () => {
  const needs = openNeeds(2);
  needs.learnCores('page', 'h2', alone as never);
  needs.learnTime('page over 4g', 'h2', { ms: 4_500, timedMs: 4_000, ranMs: 300 });
  expect(needs.of(load).wanted).toBe(0.125);
});

test('a quick load takes what it takes without a link', () => {
  const needs = openNeeds(2);
  needs.learnCores('page', 'h2', alone as never);
  needs.learnTime('page over fibre', 'h2', { ms: 1_500, timedMs: 1_000, ranMs: 700 });
  expect(needs.of({ ...load, condition: 'page over fibre' })).toMatchObject({ timed: 0.5, wanted: 0.5 });
});

test('what loads take is estimated by what was seen of them all', () => {
  const needs = openNeeds(2);
  needs.learnCores('page', 'h2', alone as never);
  const coresNow = () => needs.of({ ...load, forecastMs: 4_000 }).cores;
  const before = coresNow();
  for (let seen = 0; seen < 100; seen += 1) needs.learnUse({ busy: 1.5, asked: coresNow() / before });
  expect(coresNow() / before).toBeCloseTo(1.5);
  for (let seen = 0; seen < 1_000; seen += 1) needs.learnUse({ busy: 2, asked: 0.1 });
  expect(coresNow() / before).toBeCloseTo(4);
});

test('what they take more than estimated gives way, where browsers can', () => {
  for (const givesWay of [true, false]) {
    const needs = openNeeds(2, { givesWay });
    needs.learnCores('page', 'h2', alone as never);
    const before = needs.of(load);
    for (let seen = 0; seen < 100; seen += 1) needs.learnUse({ busy: 1.5, asked: needs.of(load).cores / before.cores });
    expect(needs.of(load).pressing).toBeCloseTo((givesWay ? 1 : 1.5) * before.pressing);
    // With less than estimated there is less of everything.
    for (let seen = 0; seen < 1_000; seen += 1) needs.learnUse({ busy: 0.1, asked: 2 });
    expect(needs.of(load).pressing).toBeLessThanOrEqual(needs.of(load).cores);
  }
});

test('the more the loads of each arm differ anyway, the more they may lack', () => {
  const bearsAfter = (timesMs: Readonly<Record<string, readonly number[]>>) => {
    const needs = openNeeds(2);
    for (const [arm, own] of Object.entries(timesMs))
      for (const timedMs of own) needs.learnTime(load.condition, arm, { ms: timedMs + 300, timedMs, ranMs: 700 });
    return needs.of(load).bears;
  };
  // Arms that differ from each other say nothing of how the loads of one do.
  expect(bearsAfter({ h1: [1_000, 1_020, 990], h2: [2_000, 2_020, 1_990], h3: [4_000, 4_010, 4_000] })).toBe(1);
  expect(bearsAfter({ h1: [1_000, 1_500, 1_000, 1_500], h2: [2_000, 3_000, 2_000, 3_000] })).toBeCloseTo(1.95, 2);
  expect(bearsAfter({ h2: [1_000, 4_000, 1_000, 4_000] })).toBe(3);
  // A few loads tell nothing yet.
  expect(bearsAfter({ h1: [1_000, 4_000], h2: [1_000, 4_000] })).toBe(1);
});

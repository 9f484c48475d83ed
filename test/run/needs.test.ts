import { expect, test } from '@jest/globals';
import { openNeeds } from '../../harness/run/needs.ts';

const load = { condition: 'page over 4g', page: 'page', arm: 'h2', forecastMs: 2_000 };
/** A load of half a second that kept both cores half busy: half a second of a core. */
const alone = { host: { cores: [0.5, 0.5] }, browser: { events: [], digests: {}, timings: { loadEventEndMs: 500 } } };

test('a page of which nothing is known needs the whole machine', () => {
  expect(openNeeds().of(load)).toEqual({ cores: Number.POSITIVE_INFINITY, forMs: 2_000 });
});

test('the slower the link, the longer the processor has for the same page', () => {
  const needs = openNeeds();
  needs.learnCores('page', 'h2', alone as never);
  // With a quarter of a second for the contexts.
  expect(needs.of(load)).toEqual({ cores: 0.375, forMs: 2_000 });
  expect(needs.of({ ...load, condition: 'page over fibre', forecastMs: 500 })).toEqual({ cores: 1.5, forMs: 500 });
  expect(needs.of({ ...load, arm: 'h3' }).cores).toBe(Number.POSITIVE_INFINITY);
});

test('what loads took counts more than what they were likely to take', () => {
  const needs = openNeeds();
  needs.learnCores('page', 'h2', alone as never);
  needs.learnTime('page over 4g', 'h2', 2_500);
  needs.learnTime('page over 4g', 'h2', 3_500);
  expect(needs.of(load)).toEqual({ cores: 0.25, forMs: 3_000 });
});

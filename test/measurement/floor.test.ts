import { expect, test } from '@jest/globals';
import { floorMsOf, isWeighty } from '../../harness/measurement/floor.ts';
import { referencePageOf } from '../../harness/model/reference.ts';
import type { Plan } from '../../harness/model/study.ts';
import { planOf } from '../study/plans.ts';

const PLAN = planOf({ sites: ['page'], links: ['fibre', '4g'] });
const [FIBRE, LTE] = PLAN.conditions;
const page = referencePageOf(FIBRE!);
const REFERENCES = [
  ...[150, 130, 190].map((pltMs) => ({ page, arm: 'h2', watched: false, pltMs })),
  { page, arm: 'h2', watched: false },
  { page, arm: 'h2', watched: true, pltMs: 300 },
  { page: 'another', arm: 'h2', watched: false, pltMs: 1 },
  { page, arm: 'h3', watched: true, pltMs: 310 },
];

function floor(plan: Partial<Plan> = {}, arm = 'h2', condition = FIBRE!) {
  return floorMsOf({ plan: { ...PLAN, ...plan }, references: REFERENCES }, condition, arm);
}

function siteWith(facts: Partial<Plan['sites'][string]>): Partial<Plan> {
  return { sites: { page: { ...PLAN.sites.page!, ...facts } } };
}

test('the floor is the median of the page’s loads over no link, whatever link the condition has', () => {
  expect(floor()).toBe(150);
  expect(floor({}, 'h2', LTE)).toBe(150);
  expect(floor({}, 'h1')).toBeUndefined();
});

test('of loads that were watched as the counted ones are', () => {
  expect(floor({}, 'h3')).toBeUndefined();
  expect(floor({ har: 'full' })).toBe(300);
  expect(floor({ har: 'full' }, 'h3')).toBe(310);
});

test('nothing is said where it is not the machine alone that takes the time', () => {
  expect(floor(siteWith({ remote: {} }))).toBeUndefined();
  expect(floor(siteWith({ thinkMs: 20 }))).toBeUndefined();
  expect(floor({ ...siteWith({ thinkMs: 20 }), thinkTimes: false })).toBe(150);
  expect(floor(siteWith({ thinkMs: 0 }))).toBe(150);
  expect(floor({ metric: 'upload' })).toBeUndefined();
});

test.each([
  [140, 390, true],
  [130, 390, false],
  [400, 390, true],
])('%i of %i ms is much: %s', (floorMs, pltMs, much) => {
  expect(isWeighty(floorMs, pltMs)).toBe(much);
});

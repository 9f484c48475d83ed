import { expect, test } from '@jest/globals';
import type { FoundStudy } from '../../harness/model/found-study.ts';
import { referencePageOf } from '../../harness/model/reference.ts';
import type { Plan } from '../../harness/model/study.ts';
import { describeWatching, referencesOf } from '../../harness/report/watching.ts';
import { measured, planOf } from '../study/plans.ts';

const PLAN = planOf({ sites: ['many-small', 'article'], links: ['fibre', '4g'] });
const [SMALL, , ARTICLE] = PLAN.conditions.map(referencePageOf) as [string, string, string];

const reference = (page: string, arm: string, watched: boolean, pltMs: number) => ({ page, arm, watched, pltMs });
const REFERENCES = [
  ...[reference(SMALL, 'h2', true, 178), reference(SMALL, 'h2', false, 137), reference(SMALL, 'h2', false, 129)],
  ...[reference(ARTICLE, 'h2', true, 188), reference(ARTICLE, 'h2', false, 158), reference(ARTICLE, 'h3', false, 160)],
];

/** A study of one block of each condition; watched loads tell of undigested objects beside the usual figures. */
function foundWith(
  plan: Partial<Plan> = {},
  change: { watched?: boolean; references?: FoundStudy['references'] } = {},
) {
  const own = { ...PLAN, ...plan };
  const { watched = false, references = REFERENCES } = change;
  const measurements = own.conditions
    .flatMap(({ id }) => measured({ condition: id, block: 0, arms: { h1: 100, h2: 100, h3: 100 }, launch: 1 }))
    .map((each) => (each.status === 'ok' && watched ? { ...each, undigestedObjects: 0 } : each));
  const none = { links: [], scores: [], sessions: [], warmUps: 0, disturbed: 0, films: 0 };
  return { ...none, plan: own, measurements, references };
}

const remote = { objects: 1, bytes: 1, digest: '', remote: {} };
const NOTHING = /^Nothing watched the browser during counted loads\. Their times are from the page’s own record, which/;

test('loads are bare, and what their archives have from a watched one is told', () => {
  const says = describeWatching(foundWith(), 0);
  expect(says).toMatch(NOTHING);
  expect(says).toMatch(/was watched, .* headers, priorities, initiators, types and status texts from it\.$/);
  expect(describeWatching(foundWith({}, { references: [] }), 0)).not.toMatch(/archives/);
});

test('with --har full they are not, and what that adds is told of the page that it slows most', () => {
  const says = 'The browser logged each request of the counted loads (--har full), which slows them.';
  expect(describeWatching(foundWith({ har: 'full' }), 0)).toBe(
    `${says} Over a link without limits, watching adds 45 ms to many-small by h2, the most of all.`,
  );
  const references = [reference(SMALL, 'h2', true, 120), reference(SMALL, 'h2', false, 129)];
  expect(describeWatching(foundWith({ har: 'full' }, { references }), 0)).toBe(
    `${says} Over a link without limits that adds nothing that could be measured.`,
  );
  expect(describeWatching(foundWith({ har: 'full' }, { references: [] }), 0)).toBe(says);
});

test('in studies of before they were', () => {
  const says = describeWatching(foundWith({}, { watched: true, references: [] }), 0);
  expect(says).toBe('The browser logged each request of 12 loads, which slowed them.');
});

test('what else slows loads is told, in no more words than the page shows', () => {
  expect(describeWatching(foundWith(), 3)).toMatch(/during 3 loads \(--netlog\), which slowed them\.$/);
  const sites = { 'many-small': remote, article: PLAN.sites.article! };
  const conditions = PLAN.conditions.map((each) => (each.site === 'article' ? { ...each, tabs: 10 } : each));
  const all = describeWatching(foundWith({ sites, conditions }), 12_345);
  expect(all).toMatch(NOTHING);
  for (const part of [/archives/, /tab of a crowd/, /outside the lab are always watched/, /--netlog/])
    expect(all).toMatch(part);
  expect(all.length).toBeLessThanOrEqual(600);
});

test('loads from servers that exist already are watched, and none of them is bare', () => {
  const found = foundWith({ sites: { 'many-small': remote, article: remote } }, { watched: true });
  expect(describeWatching(found, 0)).toMatch(/^Loads from servers outside the lab are always watched/);
  expect(referencesOf(found)).toEqual([]);
});

test('each page has its times by each arm once, whatever the links', () => {
  expect(referencesOf(foundWith())).toEqual([
    { title: 'many-small', arm: 'h2', bareMs: 133, watchedMs: 178 },
    { title: 'article', arm: 'h2', bareMs: 158, watchedMs: 188 },
    { title: 'article', arm: 'h3', bareMs: 160 },
  ]);
});

import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { studySources } from '../../harness/commands/sources.ts';
import { type Link, meanRateKbps, rttMs } from '../../harness/model/link.ts';
import type { Grid } from '../../harness/model/study.ts';
import { studyFromFlags } from '../../harness/study/flags.ts';
import { countConditions } from '../../harness/study/grids.ts';
import { planStudy } from '../../harness/study/plan.ts';
import { RECIPES } from '../../sites/recipes.ts';

const sources = studySources();
const preset = (study: string, quick = false) => studyFromFlags({ study, quick, seed: '1' }, sources);
const textOf = (name: string) => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8');

test('every file beside the presets is one of them', () => {
  const files = readdirSync(new URL('../../harness/study/presets/', import.meta.url));
  expect(files.sort()).toEqual(sources.presets.map((name) => `${name}.yaml`).sort());
});

describe.each(sources.presets)('the preset %s', (name) => {
  test('is called as its file, says what it is for, and can be planned', () => {
    const { study, describes } = preset(name);
    expect(study.name).toBe(name);
    expect(describes.length).toBeGreaterThan(20);
    const facts = (site: string) => ({
      objects: 1,
      bytes: 1,
      digest: '',
      uploadBytes: /^upload-/.test(site) ? 1 : undefined,
    });
    const { conditions } = planStudy(study, facts);
    expect(new Set(conditions.map(({ id }) => id)).size).toBe(conditions.length);
  });

  test('has a short form that is shorter, if it has one', () => {
    const hasQuick = /^quick:/m.test(sources.readPreset(name));
    if (!hasQuick) return expect(() => preset(name, true)).toThrow(/has no quick form/);
    return expect(trialsOf(name, true)).toBeLessThan(trialsOf(name));
  });

  test('says where it comes from', () => {
    expect(sources.readPreset(name)).toMatch(/^# \S/);
  });
});

/** What a study takes at most: in a crowd a trial is as much as its tabs. */
function trialsOf(name: string, quick = false): number {
  const { grids, arms, stopping } = preset(name, quick).study;
  const blocks = stopping.kind === 'exactly' ? stopping.blocks : stopping.cap;
  const tabs = (grid: Grid) => (grid.tabs ?? [1]).reduce((sum, number) => sum + number, 0) / (grid.tabs?.length ?? 1);
  return blocks * arms.length * grids.reduce((sum, grid) => sum + countConditions(grid) * tabs(grid), 0);
}

function conditionsOf(name: string, quick = false) {
  return preset(name, quick).study.grids.flatMap(({ sites, links }) =>
    sites.flatMap((site) => links.map((link) => ({ site, link }))),
  );
}

test('today is four pages over five links in five minutes, and in full over slow 3G too, without a limit', () => {
  const { study, budgetMs } = preset('today');
  expect(budgetMs).toBe(300_000);
  expect(study).toMatchObject({ stopping: { kind: 'early', until: 'settled', cap: 20 }, served: 'h2' });
  const full = preset('today-full');
  expect(full.budgetMs).toBeUndefined();
  expect(full.study.stopping).toEqual({ kind: 'early', until: 'settled', cap: 100 });
  const names = (name: string) => conditionsOf(name).map(({ site, link }) => `${site} ${link.name}`);
  expect(names('today')).toHaveLength(4 * 5);
  expect(new Set(names('today-full'))).toEqual(
    new Set([...names('today'), ...['article', 'shop', 'app', 'gallery'].map((site) => `${site} 3g-slow`)]),
  );
});

test('first-light is one condition, five times', () => {
  const { study } = preset('first-light');
  expect(conditionsOf('first-light').map(({ site, link }) => [site, link.name])).toEqual([
    ['many-small', 'rate=10mbit,rtt=40ms,loss=0%'],
  ]);
  expect(study.stopping).toEqual({ kind: 'exactly', blocks: 5 });
});

describe('kramer2015', () => {
  const original = JSON.parse(textOf('fixtures/kramer2015.json'));
  const conditions = conditionsOf('kramer2015');
  const factor = (of: (link: Link) => number) =>
    [...new Set(conditions.map(({ link }) => of(link)))].sort((a, b) => a - b);
  const lossPercent = ({ loss }: Link['down']) => (loss.kind === 'none' ? 0 : loss.percent);

  test('has every combination of the original’s factors', () => {
    expect(conditions).toHaveLength(48);
    expect(factor(({ down }) => meanRateKbps(down.rate)! / 1_000)).toEqual(original.rateMbps);
    expect(factor(({ up }) => meanRateKbps(up.rate)! / 1_000)).toEqual(original.rateMbps);
    expect(factor(rttMs)).toEqual(original.rttMs);
    for (const direction of ['down', 'up'] as const)
      expect(factor((link) => lossPercent(link[direction]))).toEqual(original.lossPercent);
    const each = conditions.map(({ site, link }) => [
      ...[site, meanRateKbps(link.down.rate), rttMs(link), lossPercent(link.down)],
    ]);
    expect(new Set(each.map((levels) => levels.join())).size).toBe(48);
  });

  test('has the original’s pages, whose bytes their own tests count', () => {
    expect(new Set(conditions.map(({ site }) => site))).toEqual(
      new Set(['few-small', 'few-large', 'many-small', 'many-large']),
    );
    const [few, many] = original.objects;
    const [[least], [large]] = original.objectBytes;
    expect(RECIPES['few-small']!.describes).toMatch(`${few} flags of ${least} B to 8 KB`);
    expect(RECIPES['many-small']!.describes).toMatch(`${many} flags of ${least} B to 8 KB`);
    expect(RECIPES['few-large']!.describes).toMatch(`${few} photos of ${large.toLocaleString('en')} B`);
    expect(RECIPES['many-large']!.describes).toMatch(`${many} photos of ${large.toLocaleString('en')} B`);
  });

  test('has the original’s rule and number of loads', () => {
    const { study } = preset('kramer2015');
    expect(study.rule).toEqual(original.betterRule);
    expect(study.stopping).toEqual({ kind: 'exactly', blocks: original.loadsPerConditionAndProtocol });
  });

  test('in short has three of its conditions, with its rule', () => {
    const name = ({ site, link }: (typeof conditions)[number]) => `${site}|${link.name}`;
    const short = conditionsOf('kramer2015', true).map(name);
    expect(short).toHaveLength(3);
    expect(conditions.map(name)).toEqual(expect.arrayContaining(short));
    expect(preset('kramer2015', true).study.rule).toEqual(original.betterRule);
  });
});

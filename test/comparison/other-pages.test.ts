import { describe, expect, test } from '@jest/globals';
import { expectedFromOtherPages, type PageOutcomes } from '../../harness/comparison/other-pages.ts';
import { settingOf } from '../../harness/model/setting.ts';
import { recordOf, type Times } from './blocks.ts';

const ARMS = ['h1', 'h3'];
const OWN = { condition: 'own', setting: 'its link' };

function pageOf(condition: string, times: Readonly<Record<string, Times>>, setting = 'its link'): PageOutcomes {
  return { condition, setting, timeoutMs: 60_000, blocks: recordOf(condition, 3, times).blocks };
}

/** A page whose loads take this many times as long over HTTP/3. */
const slower = (condition: string, times: number, setting?: string) =>
  pageOf(condition, { h1: 1000, h3: 1000 * times }, setting);

test('what is expected of a page is the mean of the others, and not what itself shows', () => {
  const expectedIn = expectedFromOtherPages([slower('own', 9), slower('a', 2), slower('b', 2), slower('c', 2)]);
  const { ratios, variance } = expectedIn(OWN, ARMS)!;
  expect(ratios[1]! - ratios[0]!).toBeCloseTo(Math.log(2));
  expect(variance).toBeCloseTo(0);
});

test('pages that differ say little', () => {
  const expectedIn = expectedFromOtherPages([slower('own', 2), slower('a', 1), slower('b', 2), slower('c', 4)]);
  const { ratios, variance } = expectedIn(OWN, ARMS)!;
  expect(ratios[1]! - ratios[0]!).toBeCloseTo(Math.log(2));
  // Each arm lies ±½ log 2 around the mean; a fourth page may lie anywhere there, and the mean is known by three.
  expect(variance).toBeCloseTo(2 * (Math.log(2) / 2) ** 2 * (1 + 1 / 3));
});

test('a page without blocks is told by the others, too', () => {
  const expectedIn = expectedFromOtherPages([slower('a', 2), slower('b', 2), { ...slower('own', 1), blocks: [] }]);
  expect(expectedIn(OWN, ARMS)!.ratios[1]).toBeCloseTo(Math.log(2) / 2);
});

test('a load that failed counts as long as it may take', () => {
  const failing = (condition: string) => pageOf(condition, { h1: 1000, h3: 'failed' });
  const { ratios } = expectedFromOtherPages([slower('own', 1), failing('a'), failing('b')])(OWN, ARMS)!;
  expect(ratios[1]! - ratios[0]!).toBeCloseTo(Math.log(60));
});

describe('nothing is expected', () => {
  test.each<[string, readonly PageOutcomes[], readonly string[]]>([
    ['of one other page', [slower('own', 1), slower('a', 2)], ARMS],
    ['of pages over other links', [slower('own', 1), slower('a', 2, 'x'), slower('b', 2, 'x')], ARMS],
    ['of pages without one of the arms', [slower('own', 1), slower('a', 2), slower('b', 2)], ['h1', 'h2']],
    ['where there is one arm', [slower('own', 1), slower('a', 2), slower('b', 2)], ['h1']],
  ])('%s', (_, pages, arms) => {
    expect(expectedFromOtherPages(pages)(OWN, arms)).toBeUndefined();
  });
});

test('a setting is all that a condition is named by but its page', () => {
  const site = 'objects=10,size=1k';
  expect(settingOf({ id: `${site}|4g|nginx|cold`, site })).toBe(settingOf({ id: 'shop|4g|nginx|cold', site: 'shop' }));
  expect(settingOf({ id: 'shop|4g|nginx|cold', site: 'shop' })).not.toBe(
    settingOf({ id: 'shop|3g|nginx|cold', site: 'shop' }),
  );
});

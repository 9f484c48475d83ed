import { expect, test } from '@jest/globals';
import { nearest } from '../../harness/study/nearest.ts';

const KNOWN = ['blocks', 'budget', 'links', 'sites', 'visits', 'thinkTimes'];

test.each([
  ['blocks', 'blocks'],
  ['block', 'blocks'],
  ['blcoks', 'blocks'],
  ['bugdet', 'budget'],
  ['link', 'links'],
  ['sitse', 'sites'],
  ['thinktimes', 'thinkTimes'],
  ['think', 'thinkTimes'],
  ['vi', undefined],
  ['colour', undefined],
  ['x', undefined],
  ['', undefined],
  ['b'.repeat(1_000_000), undefined],
])('of some keys %s is perhaps %s', (name, meant) => {
  expect(nearest(name, KNOWN)).toBe(meant);
});

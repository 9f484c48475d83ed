import { expect, test } from '@jest/globals';
import { findChanges } from '../../harness/run/machine.ts';
import { MACHINE } from '../store/studies.ts';
import { planOf } from '../study/plans.ts';

const changes = (before: Parameters<typeof planOf>[0], now: Parameters<typeof planOf>[0], machine = MACHINE) =>
  findChanges({ plan: planOf(before), machine: MACHINE }, { plan: planOf(now), machine });

test('where all is as it was nothing has changed', () => {
  expect(changes({}, {})).toEqual([]);
});

test('what is there as before, in another order, is no more than that', () => {
  expect(changes({ sites: ['a', 'b'] }, { sites: ['b', 'a'] })).toEqual(['plan.conditions is in another order']);
  expect(changes({ links: ['4g', 'dsl'] }, { links: ['dsl', '4g'] })).toEqual(['plan.conditions is in another order']);
});

test('what came and what went is named, and the rest held against its own', () => {
  const [went, came] = [changes({ sites: ['a', 'b'], links: ['4g'] }, { sites: ['a', 'c'], links: ['4g'] })].flat();
  expect(went).toMatch(/^plan\.conditions is without b\|4g\|/);
  expect(came).toMatch(/^plan\.conditions has c\|4g\|.* beside$/);
  expect(changes({ sites: ['a', 'b'] }, { sites: ['b', 'a'], timeoutMs: 9_000 }).slice(0, 1)).toEqual([
    expect.stringMatching(/^plan\.conditions\.b\|4g\|\S*\.timeoutMs was \d+, is 9000$/),
  ]);
});

test('of many differences the first are told, and how many more there are', () => {
  const all = changes({}, { timeoutMs: 9_000 });
  expect(all).toHaveLength(4);
  expect(all[3]).toBe('and 1 more');
});

test('another browser is another one', () => {
  expect(changes({}, {}, { ...MACHINE, chromium: '157.0' })).toEqual(['chromium was 150, is 157.0']);
});

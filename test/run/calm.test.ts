import { expect, test } from '@jest/globals';
import type { Measurement } from '../../harness/model/measurement.ts';
import { openCalmLoads } from '../../harness/run/calm.ts';
import { okLoad } from '../store/studies.ts';

const load = (coreWaitMs: number, pltMs = 1_000): Measurement =>
  ({ ...okLoad('c', 0, 'h2'), coreWaitMs, pltMs }) as Measurement;

/** Which of some loads of one kind, made one after the other, were disturbed. */
function disturbed(loads: readonly Measurement[]): boolean[] {
  const calm = openCalmLoads();
  return loads.map((each) => calm.isDisturbed('c h2', each));
}

test('a load is disturbed whose threads waited longer than in calm ones, by more than three quarters of its load time', () => {
  expect(disturbed([load(100), load(840), load(860), load(120)])).toEqual([false, false, true, false]);
});

test('a first load tells nothing, and is measured by those that come after it', () => {
  expect(disturbed([load(1_500), load(200), load(990)])).toEqual([false, false, true]);
});

test('one load that hardly waited does not make all others disturbed ones', () => {
  const usual = [700, 710, 720, 690, 705].map((waitMs) => load(waitMs));
  expect(disturbed([...usual, load(40), ...usual])).toEqual(Array(11).fill(false));
});

test('a load that took longer may wait for longer: its packets were lost', () => {
  expect(disturbed([load(100), load(1_900, 2_500)])).toEqual([false, false]);
  expect(disturbed([load(100), load(2_000, 2_500)])).toEqual([false, true]);
});

test('loads of other kinds, failed ones, and those whose waits were not read tell nothing', () => {
  const calm = openCalmLoads();
  expect(calm.isDisturbed('c h2', load(100))).toBe(false);
  expect(calm.isDisturbed('c h3', load(1_900))).toBe(false);
  const { coreWaitMs: _, ...unread } = load(1_900) as Measurement & { status: 'ok' };
  expect(calm.isDisturbed('c h2', unread)).toBe(false);
  expect(calm.isDisturbed('c h2', { ...load(1_900), tabs: 10 } as Measurement)).toBe(false);
  const failed: Measurement = {
    condition: 'c',
    block: 0,
    arm: 'h2',
    launch: 1,
    status: 'failed',
    reason: 'timeout',
    says: 'late',
  };
  expect(calm.isDisturbed('c h2', failed)).toBe(false);
});

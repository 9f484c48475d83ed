import { expect, test } from '@jest/globals';
import type { Measurement } from '../../harness/model/measurement.ts';
import { openCalmLoads } from '../../harness/run/calm.ts';
import { okLoad } from '../store/studies.ts';

const load = (coreWaitMs: number, pltMs = 1_000): Measurement =>
  ({ ...okLoad('c', 0, 'h2'), coreWaitMs, pltMs }) as Measurement;

/** Which of some loads of one kind, made one after the other, were disturbed. */
function disturbed(loads: readonly Measurement[]): boolean[] {
  const calm = openCalmLoads();
  return loads.map((each) => calm.isDisturbed('c h2', each) ?? false);
}

test('a load is disturbed whose threads waited longer than in calm ones, by more than three quarters of its load time', () => {
  const loads = [100, 110, 840, 870, 120].map((waitMs) => load(waitMs));
  expect(disturbed(loads)).toEqual([false, false, false, true, false]);
});

test('a first load tells nothing, and is measured by those that come after it', () => {
  expect(disturbed([load(1_500), load(200), load(960)])).toEqual([false, false, true]);
  expect(disturbed([load(200), load(1_500), load(200), load(990)])).toEqual([false, true, false, true]);
});

test('one load that hardly waited does not make all others disturbed ones', () => {
  const usual = [700, 710, 720, 690, 705].map((waitMs) => load(waitMs));
  expect(disturbed([...usual, load(40), ...usual])).toEqual(Array(11).fill(false));
  expect(disturbed([load(40), load(780), load(780), load(800)])).toEqual(Array(4).fill(false));
});

test('a load that took longer may wait for longer: its packets were lost', () => {
  expect(disturbed([load(100), load(1_900, 2_500)])).toEqual([false, false]);
  expect(disturbed([load(100), load(2_000, 2_500)])).toEqual([false, true]);
});

test('a load that was quick for all its waiting may wait as long as others', () => {
  expect(disturbed([load(100), load(840, 600)])).toEqual([false, false]);
});

test('loads of other kinds, failed ones, and those whose waits were not read tell nothing', () => {
  const calm = openCalmLoads();
  expect(calm.isDisturbed('c h2', load(100))).toBeUndefined();
  expect(calm.isDisturbed('c h3', load(1_900))).toBeUndefined();
  const { coreWaitMs: _, ...unread } = load(1_900) as Measurement & { status: 'ok' };
  expect(calm.isDisturbed('c h2', unread)).toBeUndefined();
  expect(calm.isDisturbed('c h2', { ...load(1_900), tabs: 10 } as Measurement)).toBeUndefined();
  const failed: Measurement = {
    condition: 'c',
    block: 0,
    arm: 'h2',
    launch: 1,
    status: 'failed',
    reason: 'timeout',
    says: 'late',
  };
  expect(calm.isDisturbed('c h2', failed)).toBeUndefined();
});

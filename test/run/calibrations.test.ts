import { expect, test } from '@jest/globals';
import type { Calibration } from '../../harness/model/calibration.ts';
import type { Link } from '../../harness/model/link.ts';
import { CALIBRATION_HOLDS_MS } from '../../harness/model/pace.ts';
import { openCalibrations } from '../../harness/run/calibrations.ts';
import { linkOf } from '../links.ts';

const FAST = linkOf('rate=100mbit');
const SLOW = linkOf('rate=2mbit');
const CALIBRATION = { figures: {}, checks: [], ok: true, attempts: 1, stolenShare: 0 } as unknown as Calibration;

/** A testbed that writes down what is done to its link. */
function openTestbed() {
  const done: string[] = [];
  return {
    done,
    async setLink({ name }: Link) {
      done.push(`set ${name}`);
    },
    async calibrate({ name }: Link) {
      done.push(`measured ${name}`);
      return CALIBRATION;
    },
  };
}

test('a link is measured once on each testbed, and only set from then on', async () => {
  const calibrations = openCalibrations(() => 0);
  const [one, other] = [openTestbed(), openTestbed()];
  const opened = [];
  for (const [testbed, link] of [
    [one, FAST],
    [one, SLOW],
    [one, FAST],
    [other, FAST],
  ] as const)
    opened.push(await calibrations.open(testbed, link));
  expect(opened.map(({ fresh }) => fresh)).toEqual([true, true, false, true]);
  expect(one.done).toEqual([`measured ${FAST.name}`, `measured ${SLOW.name}`, `set ${FAST.name}`]);
  expect(other.done).toEqual([`measured ${FAST.name}`]);
});

test('what was measured too long ago is measured again', async () => {
  let nowMs = 0;
  const calibrations = openCalibrations(() => nowMs);
  const testbed = openTestbed();
  await calibrations.open(testbed, FAST);
  nowMs = CALIBRATION_HOLDS_MS - 1;
  expect((await calibrations.open(testbed, FAST)).fresh).toBe(false);
  nowMs = CALIBRATION_HOLDS_MS;
  expect((await calibrations.open(testbed, FAST)).fresh).toBe(true);
});

test('only what is measured waits for its turn', async () => {
  let nowMs = 0;
  const calibrations = openCalibrations(() => nowMs);
  const testbed = openTestbed();
  let turns = 0;
  const inTurn = async <T>(work: () => Promise<T>) => {
    turns += 1;
    return work();
  };
  for (nowMs of [0, 1, CALIBRATION_HOLDS_MS, CALIBRATION_HOLDS_MS + 1]) await calibrations.open(testbed, FAST, inTurn);
  expect(turns).toBe(2);
});

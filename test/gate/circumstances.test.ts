import { expect, test } from '@jest/globals';
import { type Circumstances, differingCircumstances } from '../../harness/gate/circumstances.ts';
import type { Calibration } from '../../harness/model/calibration.ts';
import type { Machine } from '../../harness/model/session.ts';
import { MACHINE } from '../fakes/machine.ts';
import { measured, planOf } from '../study/plans.ts';

const PLAN = planOf({ sites: ['shop'], links: ['4g'] });

interface Wish extends Partial<Machine> {
  readonly rttMs?: number;
  readonly controlMs?: (block: number) => number;
  readonly controlBlocks?: number;
  readonly driver?: string;
  readonly digest?: string;
  readonly seed?: number;
}

function circumstances({
  rttMs = 170,
  controlMs,
  controlBlocks = 20,
  driver = 'netem',
  digest,
  seed = 7,
  ...machine
}: Wish): Circumstances {
  const { id, arm } = PLAN.control;
  const direction = {
    lossPercent: 0,
    lossProbes: 1,
    lost: 0,
    reorderedPercent: 0,
    duplicatedPercent: 0,
    udpKbps: 9000,
  };
  const figures = {
    rttMs,
    rttMeanMs: 1,
    rttP99Ms: 1,
    rttProbes: 1,
    longestFrameBytes: 1,
    directions: { down: direction, up: direction },
  };
  const calibration: Calibration = { figures, checks: [], ok: true, attempts: 1 };
  return {
    plan: {
      ...PLAN,
      seed,
      sites: digest === undefined ? PLAN.sites : { shop: { objects: 9, bytes: 123_456, digest } },
    },
    sessions: [{ number: 1, beganMs: 0, lastMs: 1, machine: { ...MACHINE, ...machine }, notes: [] }],
    links: [{ link: '4g', calibration, lab: { driver, kernel: '6.9' } as never }],
    measurements: Array.from({ length: controlBlocks }, (_, block) =>
      measured({ condition: id, block, arms: { [arm]: controlMs?.(block) ?? 500 } }),
    ).flat(),
  };
}

test.each<[string, Wish, readonly (string | RegExp)[]]>([
  ['nothing', {}, []],
  ['the seed', { seed: 8 }, ['seed was 7, is 8']],
  ['the page', { digest: 'e' }, ['the page shop has changed: it was 6 objects and 1000 kB, is 9 objects and 123 kB']],
  [
    'the machine and its programs',
    { chromium: '157.0', kernel: '6.2', cpu: 'another', cores: 4, photofinish: '1', servers: { nginx: '1.31' } },
    [
      'Photofinish was 0.0.0, is 1',
      'Chromium was 156.0, is 157.0',
      'nginx was 1.30.6, OpenSSL 3.6.5, is 1.31',
      'the kernel was 6.1, is 6.2',
      'the processor was none, is another',
      'the number of cores was 2, is 4',
    ],
  ],
  ['who routes', { driver: 'uml' }, ["the link’s kernel was the machine's own, is a user-mode one (6.9)"]],
  ['a calibration as near as calibrations come', { rttMs: 173 }, []],
  ['another calibration', { rttMs: 176.25 }, ['the calibration of 4g: the RTT was 170 ms, is 176.3 ms']],
  [
    'what the control takes',
    { controlMs: () => 600 },
    [/^the page of the self-test, which never changes, takes 20 % longer than in the earlier study \(20 % at least\)/],
  ],
  ['or how much less', { controlMs: () => 400 }, [/takes 20 % less long than in the earlier study \(20 % at least\)/]],
  ['what it takes now and then', { controlMs: (block) => (block % 2 === 0 ? 600 : 500) }, []],
  ['too few loads of it', { controlMs: () => 600, controlBlocks: 3 }, []],
])('%s', (_, now, says) => {
  const told = differingCircumstances({ before: circumstances({}), now: circumstances(now) });
  expect(told).toEqual(says.map((each) => (typeof each === 'string' ? each : expect.stringMatching(each))));
});

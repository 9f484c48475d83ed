import { expect, test } from '@jest/globals';
import { EnvironmentError, LabError } from '../../harness/model/errors.ts';
import type { StudyEvent } from '../../harness/model/event.ts';
import type { Browsers } from '../../harness/run/browsers.ts';
import { findDeath } from '../../harness/run/lab.ts';
import { runLighthouseTrials } from '../../harness/run/lighthouse.ts';
import { type LoopOptions, runPlan } from '../../harness/run/loop.ts';
import { watchClock } from '../../harness/run/trial.ts';
import { openStore } from '../../harness/store/store.ts';
import { oneFakeLab, openFakeLab } from '../fakes/lab.ts';
import { MACHINE } from '../fakes/machine.ts';
import { temporaryFolder } from '../store/studies.ts';
import { planOf, studyOf } from '../study/plans.ts';

const plan = planOf({ sites: ['a'], links: ['fibre'], lighthouse: 1, stopping: { kind: 'exactly', blocks: 4 } });
const died = () => new LabError('the user-mode kernel did not answer in 20000 ms');

/** Runs a plan in a lab that dies at these calls of one of its methods, counted from 1. */
async function runDying(
  method: 'load' | 'openLink' | 'judge',
  at: readonly number[],
  part = runPlan,
  { renewalsDieAt = [] as readonly number[] } = {},
) {
  using folder = temporaryFolder();
  using store = openStore(`${folder.path}/study.sqlite`);
  store.writeStudy({ study: studyOf(), plan });
  const session = store.beginSession(MACHINE, 1000, []);
  const events: StudyEvent[] = [];
  const { lab } = openFakeLab({ timeOf: ({ protocol }) => ({ h1: 300, h2: 200, h3: 100, h1c: 300 })[protocol] });
  let [calls, renewals] = [0, 0];
  const dying = {
    ...lab,
    async renewLab() {
      renewals += 1;
      if (renewalsDieAt.includes(renewals)) throw died();
      await lab.renewLab();
    },
    async [method](...args: never[]) {
      calls += 1;
      if (at.includes(calls)) throw died();
      return (lab[method] as (...all: never[]) => unknown)(...args);
    },
  } as typeof lab;
  const options: LoopOptions = {
    store,
    session,
    folder: folder.path,
    stop: new AbortController().signal,
    tell: (event) => events.push(event),
  };
  const ending = await part(plan, oneFakeLab(dying), options);
  const told = events.filter(({ event }) => event === 'false-link');
  return {
    ending,
    renewals,
    told: told.length,
    blocks: store.blocks().length,
    judged: store.lighthouseTrials().length,
  };
}

test.each([
  ['load', [1], 1],
  ['load', [5, 6, 7], 3],
  ['openLink', [2, 4], 2],
] as const)('a lab that dies in %s at %j is renewed, and nothing is lost', async (method, at, times) => {
  const { blocks: whole } = await runDying('load', []);
  const { ending, renewals, told, blocks } = await runDying(method, at);
  expect({ ending, renewals, told, blocks }).toEqual({
    ending: 'finished',
    renewals: times,
    told: times,
    blocks: whole,
  });
});

test('a lab that dies while it is renewed is renewed again', async () => {
  const { ending, renewals, told } = await runDying('load', [1], runPlan, { renewalsDieAt: [1, 2] });
  expect({ ending, renewals, told }).toEqual({ ending: 'finished', renewals: 3, told: 3 });
  const inVain = runDying('load', [1], runPlan, { renewalsDieAt: [1, 2, 3] });
  await expect(inVain).rejects.toThrow(EnvironmentError);
});

test.each([
  ['before the first launch', 0, false, undefined],
  ['with browsers that are there', 1, true, undefined],
  ['with one that has ended', 1, false, { says: 'a browser ended' }],
])('%s: what fails is told by what has died alone', (_, launches, isAlive, death) => {
  const browsers = { count: () => launches, alive: () => isAlive } as Browsers;
  expect(findDeath({ findDead: () => undefined, browsers })).toEqual(death);
  expect(findDeath({ findDead: () => ({ part: 'link', says: 'it ended' }), browsers })?.says).toBe('it ended');
});

test('one that dies each time is this machine’s matter', async () => {
  await expect(runDying('load', [1, 2, 3, 4])).rejects.toThrow(EnvironmentError);
});

test('where Lighthouse’s browser dies, it judges again', async () => {
  const { ending, judged, renewals } = await runDying('judge', [1, 2], runLighthouseTrials);
  expect({ ending, judged, renewals }).toEqual({ ending: 'finished', judged: 3, renewals: 2 });
});

test.each([
  [3_600_000, true],
  [-3_600_000, true],
  [501, true],
  [100, false],
  [0, false],
])('a clock that is %d ms apart from the other one makes a load void: %s', (apartMs, isVoid) => {
  let apart = 0;
  const looked = watchClock(
    () => 1_000_000 + apart,
    () => 5_000,
  );
  apart = apartMs;
  expect(looked.fault()?.part).toBe(isVoid ? 'harness' : undefined);
});

test.each([
  [[250, 250, 400, 250], undefined],
  [[250, 250, 1_500], undefined],
  [[250, 9_250, 250], 'photofinish stood still for 9000 ms'],
])('ticks that come after %j ms: %s', (gaps, says) => {
  let nowMs = 5_000;
  const looked = watchClock(
    () => 1_000_000 + nowMs,
    () => nowMs,
  );
  looked.tick();
  for (const gap of gaps) {
    nowMs += gap;
    looked.tick();
  }
  expect(looked.fault()?.says).toBe(says);
});

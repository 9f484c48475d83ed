import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { summarizeStudy } from '../../harness/findings/summary.ts';
import type { StudyEvent } from '../../harness/model/event.ts';
import type { BlockOrder } from '../../harness/model/session.ts';
import type { Plan } from '../../harness/model/study.ts';
import { openLabRunner } from '../../harness/run/lab-runner.ts';
import { runLighthouseTrials } from '../../harness/run/lighthouse.ts';
import type { Load } from '../../harness/run/load-request.ts';
import { conduct, type LoopOptions, runPlan } from '../../harness/run/loop.ts';
import { seededRandom } from '../../harness/stats/random.ts';
import { readFoundStudy } from '../../harness/store/found-study.ts';
import { openStore, type Store } from '../../harness/store/store.ts';
import { type FakeLabOptions, oneFakeLab, openFakeLab } from '../fakes/lab.ts';
import { MACHINE } from '../fakes/machine.ts';
import { planOf, studyOf } from '../study/plans.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'photofinish-loop-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Times by arm with noise of a percent; a held page comes that much later. */
function timed(times: Readonly<Record<string, number>>): (load: Load) => number {
  const random = seededRandom(1);
  return ({ protocol, holdMs = 0 }) => times[protocol]! * (1 + 0.01 * (random() - 0.5)) + (holdMs ?? 0);
}

async function run(plan: Plan, fake: FakeLabOptions, more: Partial<LoopOptions> = {}, part = runPlan) {
  using store = openStore(join(folder, 'study.sqlite'));
  store.writeStudy({ study: studyOf(), plan });
  const session = store.beginSession(MACHINE, Date.now(), []);
  const events: StudyEvent[] = [];
  const { lab, loads } = openFakeLab({ ...fake, launches: store.launches() });
  const options = { store, session, folder, stop: new AbortController().signal, ...more };
  const ending = await part(plan, oneFakeLab(lab), { ...options, tell: (event) => events.push(event) });
  return { ending, events, loads, found: readFoundStudy(store), integrity: countTwice(store) };
}

/** Blocks that are in a store more than once, none of whose trials is void. */
function countTwice(store: Store): number {
  const names = store.measurements().map(({ condition, block, arm }) => `${condition} ${block} ${arm}`);
  return names.length - new Set(names).size;
}

const plan = planOf({ sites: ['a'], links: ['fibre', '4g'], stopping: { kind: 'early', until: 'settled', cap: 40 } });
const clear = { h1: 300, h2: 200, h3: 100 };

test('a study runs until all is settled, tells of it as it goes, and has everything in its store', async () => {
  const { ending, events, found } = await run(plan, { timeOf: timed(clear) });
  expect(ending).toBe('finished');
  const summary = summarizeStudy(found);
  expect(summary.conditions.map(({ answer, state, blocks }) => [answer?.serve, state, blocks])).toEqual([
    ['h3', 'settled', 3],
    ['h3', 'settled', 3],
  ]);
  expect(summary.finished).toBe(true);
  expect(summary.controls).toMatchObject({ aa: { passed: true }, planted: { found: true, delayMs: 20 } });
  expect(summary.loads).toMatchObject({ failed: 0, void: 0, superseded: 0 });
  expect(summary.loads.warmup).toBeGreaterThanOrEqual(2);
  expect(events.filter(({ event }) => event === 'calibrated')).toHaveLength(2);
  const answers = events.filter((event) => event.event === 'answer').map(({ serve, sureness }) => [serve, sureness]);
  expect(answers).toEqual([
    ['h3', 'likely'],
    ['h3', 'likely'],
    ['h3', 'sure'],
    ['h3', 'sure'],
  ]);
  expect(events.filter((event) => event.event === 'closed').map(({ state }) => state)).toEqual(['settled', 'settled']);
  const last = events.findLast((event) => event.event === 'progress')!;
  expect(last).toMatchObject({ closed: 2, conditions: 2, answered: 2, settled: 2, comparisons: 6, leftMs: 0 });
});

test('an order says what its block is worth, once blocks go by that: not the first three, nor the control', async () => {
  const orders: BlockOrder[] = [];
  const listening: typeof runPlan = (own, labs, options) =>
    conduct(own, options, (news) => {
      const runner = openLabRunner(own, labs, options, news);
      const choose: typeof runner.choose = (...how) =>
        runner.choose(...how).map((place) => ({
          ...place,
          run(order) {
            orders.push(order);
            return place.run(order);
          },
        }));
      return { ...runner, choose };
    });
  const random = seededRandom(2);
  const hard = planOf({ sites: ['a'], links: ['4g'], stopping: { kind: 'early', until: 'settled', cap: 8 } });
  await run(hard, { timeOf: () => 300 * Math.exp(random()) }, {}, listening);
  const isFirst = ({ block }: BlockOrder) => block.condition === hard.control.id || block.index < 3;
  const [first, others] = [true, false].map((wanted) => orders.filter((order) => isFirst(order) === wanted));
  expect(first!.length).toBeGreaterThanOrEqual(3);
  expect(first!.filter(({ worth }) => worth !== undefined)).toEqual([]);
  expect(others!.length).toBeGreaterThan(0);
  expect(others!.filter(({ worth = 0 }) => worth > 0)).toEqual(others);
});

test('or until all is proven', async () => {
  const proven = { ...plan, stopping: { kind: 'early', until: 'proven', cap: 40 } } as const;
  const { ending, events, found } = await run(proven, { timeOf: timed(clear) });
  expect(ending).toBe('finished');
  const summary = summarizeStudy(found);
  expect(summary.conditions.map(({ answer, state, within }) => [answer?.sureness, state, within])).toEqual([
    ['proven', 'proven', ['h3']],
    ['proven', 'proven', ['h3']],
  ]);
  expect(events.filter(({ event }) => event === 'verdict')).toHaveLength(6);
  expect(events.filter((event) => event.event === 'closed').map(({ state }) => state)).toEqual(['proven', 'proven']);
  expect(events.findLast((event) => event.event === 'progress')).toMatchObject({ decided: 6, comparisons: 6 });
});

test('each condition is filmed once, every arm, in loads that count for nothing', async () => {
  const { loads } = await run(plan, { timeOf: timed(clear) });
  using store = openStore(join(folder, 'study.sqlite'));
  expect(store.films()).toBe(plan.conditions.length * plan.arms.length);
  expect([...store.filmed()].sort()).toEqual(plan.conditions.map(({ id }) => id).sort());
  for (const { id } of plan.conditions)
    for (const { name } of plan.arms) expect(store.filmOf(id, name)).toMatchObject({ frames: [{ atMs: 0 }] });
  expect(store.filmOf('elsewhere', 'h1')).toBeUndefined();
  expect(store.measurements()).toHaveLength(loads.length);
});

test('no launch serves more than eight blocks of a condition', async () => {
  const { found } = await run(plan, { timeOf: timed(clear) });
  const blocks = Map.groupBy(found.measurements, ({ launch, condition }) => `${launch} ${condition}`);
  for (const trials of blocks.values()) expect(new Set(trials.map(({ block }) => block)).size).toBeLessThanOrEqual(8);
});

test('the control has its twin in a browser of its own, and its delayed arm held back', async () => {
  const { loads } = await run(plan, { timeOf: timed(clear) });
  const twins = loads.filter(({ browser }) => browser?.name === plan.control.twin);
  const delayed = loads.filter(({ holdMs }) => holdMs !== undefined);
  expect(twins.length).toBeGreaterThanOrEqual(8);
  expect(new Set(delayed.map(({ holdMs }) => holdMs))).toEqual(new Set([20]));
  for (const load of [...twins, ...delayed]) expect(load.protocol).toBe('h2');
});

describe('broken off', () => {
  test('by whoever asks it to stop: after the block, and it goes on from there', async () => {
    const stop = new AbortController();
    let loads = 0;
    const timeOf = timed(clear);
    const first = await run(
      plan,
      {
        timeOf: (load) => {
          loads += 1;
          if (loads === 10) stop.abort();
          return timeOf(load);
        },
      },
      { stop: stop.signal },
    );
    expect(first.ending).toBe('stopped');
    expect(first.found.measurements).toHaveLength(12);
    const second = await run(plan, { timeOf: timed(clear) });
    expect(second).toMatchObject({ ending: 'finished', integrity: 0 });
    expect(second.found.measurements.slice(0, 12)).toEqual(first.found.measurements);
    expect(second.found.sessions).toHaveLength(2);
    expect(Math.min(...second.found.measurements.slice(12).map(({ launch }) => launch))).toBeGreaterThan(
      Math.max(...first.found.measurements.map(({ launch }) => launch)),
    );
  });

  test('by the time that it may take', async () => {
    const { ending, found } = await run(plan, { timeOf: timed(clear) }, { untilMs: performance.now() });
    expect([ending, found.measurements.length]).toEqual(['budget', 0]);
  });

  test('by a harness that breaks down: what was finished is kept', async () => {
    let loads = 0;
    const timeOf = () => {
      loads += 1;
      if (loads > 7) throw new Error('broken');
      return 100;
    };
    await expect(run(plan, { timeOf })).rejects.toThrow('broken');
    using store = openStore(join(folder, 'study.sqlite'));
    expect(store.measurements()).toHaveLength(6);
  });
});

test('a void trial has its block run again, and both are kept', async () => {
  let spoilt = 0;
  const spoil: FakeLabOptions['spoil'] = (capture, { protocol }) => {
    if (protocol !== 'h2' || spoilt > 0) return capture;
    spoilt += 1;
    return { ...capture, broken: { part: 'server', says: 'it ended' } };
  };
  const { found } = await run(planOf({ sites: ['a'], links: ['4g'], stopping: { kind: 'exactly', blocks: 2 } }), {
    timeOf: timed(clear),
    spoil,
  });
  expect(summarizeStudy(found).loads).toMatchObject({ counted: 6, void: 1, superseded: 2, failed: 0 });
});

test('a load over another protocol than its arm fails, loses, and is not run again', async () => {
  const spoil: FakeLabOptions['spoil'] = (capture, { protocol }) =>
    protocol === 'h3'
      ? { ...(JSON.parse(JSON.stringify(capture).replaceAll('"h3"', '"h2"')) as typeof capture), page: capture.page }
      : capture;
  const { found } = await run(planOf({ sites: ['a'], links: ['4g'] }), { timeOf: timed(clear), spoil });
  const summary = summarizeStudy(found);
  expect(summary.conditions[0]).toMatchObject({
    answer: { serve: 'h2', asGood: [] },
    arms: { h3: { ok: 0, failures: { fallback: summary.conditions[0]!.blocks } } },
  });
});

describe('a link that is not what was asked for', () => {
  const check = { figure: 'rtt', unit: 'ms', asked: 40, measured: 55, within: [39.5, 40.5], ok: false } as const;
  const falseOne = { ok: false, checks: [check], attempts: 6, stolenShare: 0.042 };
  const timeOf = timed(clear);

  test('is tried in new labs, then stops the study, by name and figure', async () => {
    const tried = new Set<number>();
    const calibration: FakeLabOptions['calibration'] = (_, lab) => {
      tried.add(lab);
      return falseOne;
    };
    await expect(run(plan, { timeOf, calibration }, { pausesMs: [0, 1] })).rejects.toThrow(
      /the link '\w+' is not what was asked: rtt is 55 ms, allowed 39.5 to 40.5, in the last of 6 measurements, while 4.2 % of/,
    );
    expect([...tried]).toEqual([0, 1, 2]);
  });

  test('and is so in a new lab lets it go on, once that has been said', async () => {
    const calibration: FakeLabOptions['calibration'] = ({ name }, lab) => (name === '4g' && lab === 0 ? falseOne : {});
    const { ending, events } = await run(plan, { timeOf, calibration });
    expect(ending).toBe('finished');
    expect(events.filter(({ event }) => event === 'false-link')).toEqual([
      expect.objectContaining({ link: '4g', pauseMs: 0, says: expect.stringContaining('rtt is 55 ms') }),
    ]);
    expect(events.filter(({ event }) => event === 'calibrated')).toHaveLength(3);
  });

  test('is none for Lighthouse either', async () => {
    const calibration: FakeLabOptions['calibration'] = (_, lab) => (lab === 0 ? falseOne : {});
    const { ending, events } = await run(
      { ...plan, lighthouse: 1 },
      { timeOf, calibration },
      { pausesMs: [0] },
      runLighthouseTrials,
    );
    expect(ending).toBe('finished');
    expect(events.map(({ event }) => event).slice(0, 3)).toEqual(['false-link', 'calibrated', 'lighthouse']);
    expect(events.filter(({ event }) => event === 'lighthouse')).toHaveLength(6);
    using store = openStore(join(folder, 'study.sqlite'));
    expect(store.measuredLinks().map(({ calibration: { ok } }) => ok)).toEqual([true, true]);
  });

  test('ends it without a word where it is asked to stop meanwhile', async () => {
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 50);
    const { ending, found } = await run(
      plan,
      { timeOf, calibration: () => falseOne },
      { stop: stop.signal, pausesMs: [60_000] },
    );
    expect(ending).toBe('stopped');
    expect(found.measurements).toEqual([]);
  });
});

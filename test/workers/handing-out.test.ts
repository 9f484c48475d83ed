import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import type { Job, Queue } from 'bullmq';
import type { StudyEvent } from '../../harness/model/event.ts';
import type { BlockOrder } from '../../harness/model/session.ts';
import type { Condition, Plan } from '../../harness/model/study.ts';
import { conduct } from '../../harness/run/loop.ts';
import { openStore, type Store } from '../../harness/store/store.ts';
import { nextBlocks } from '../../harness/study/next-blocks.ts';
import { type Blob, putBlob } from '../../harness/workers/blobs.ts';
import { type Coordinator, openCoordinator, studyIdOf } from '../../harness/workers/coordinator.ts';
import { jobIdOf, type Order } from '../../harness/workers/messages.ts';
import { openOrders } from '../../harness/workers/orders.ts';
import { type Connection, connect } from '../../harness/workers/redis.ts';
import { MACHINE } from '../fakes/machine.ts';
import { planOf, studyOf } from '../study/plans.ts';
import { announce, announcementOf, openByHand, returnedFor, type Times } from './by-hand.ts';
import { type RedisServer, startRedis } from './redis-server.ts';

/* What a coordinator hands out, takes back and counts, with workers whose every step is the test's. */

let redis: RedisServer;
let connection: Connection;
let folder: string;
let store: Store;
let stop: AbortController;
/** When a study's time is over. */
let untilMs: number;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(async () => redis[Symbol.asyncDispose]());
beforeEach(async () => {
  connection = await connect(redis.url);
  folder = mkdtempSync(join(tmpdir(), 'photofinish-handing-out-'));
  [stop, untilMs] = [new AbortController(), Number.POSITIVE_INFINITY];
  store = openStore(join(folder, 'study.sqlite'));
});
afterEach(async () => {
  await connection[Symbol.asyncDispose]();
  store[Symbol.dispose]();
  rmSync(folder, { recursive: true });
});

/** Begins a study, or goes on with it. */
function begin(plan: Plan) {
  store.writeStudy({ study: studyOf(), plan });
  const session = store.beginSession(MACHINE, Date.now(), []);
  return { session, id: studyIdOf(plan, store) };
}

/** A coordinator as `measure --workers` has one, on a connection of its own. */
async function open(plan: Plan, tell: (event: StudyEvent) => void = () => {}, own?: Connection) {
  own ??= await connect(redis.url);
  return openCoordinator(plan, {
    connection: own,
    store,
    folder,
    tell,
    stop: stop.signal,
    get untilMs() {
      return untilMs;
    },
    sites: new Map(),
    mixed: false,
    keeps: { pcap: false, netLog: false },
    lookEveryMs: 5,
  });
}

/** Conducts a study until it is asked to stop. */
function conducting(plan: Plan, session: number, coordinator: Coordinator, tell: (event: StudyEvent) => void) {
  const options = {
    store,
    session,
    folder,
    tell,
    stop: stop.signal,
    get untilMs() {
      return untilMs;
    },
  };
  const ended = conduct(plan, options, (news) => {
    coordinator.follow(news);
    return coordinator;
  });
  return {
    ended,
    async [Symbol.asyncDispose]() {
      stop.abort();
      await ended;
    },
  };
}

/** Waits until something is so; a test that waits in vain fails by that. */
async function until(isSo: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (const endMs = performance.now() + 30_000; !(await isSo()); await setTimeout(2))
    if (performance.now() > endMs) throw new Error(`not so within 30 s: ${what}`);
}

/** The blocks among some jobs. */
const blocksOf = (jobs: readonly Job[]) =>
  jobs.flatMap(({ data: { order } }: { readonly data: { readonly order: Order } }) => ('block' in order ? order : []));
const clear = { h1: 300, h2: 200, h3: 100 };

test('what is worth most is handed out first, and what has become pointless is taken back before a worker begins it', async () => {
  const plan = planOf({ sites: ['a'], links: ['dsl', '4g', 'fibre'] });
  const { session, id } = begin(plan);
  await announce(connection, id, announcementOf('by-hand'));
  await using worker = openByHand(connection, id);
  const queue = connection.openQueue(id);
  const closed = new Set<string>();
  let [blocks, judgements] = [0, 0];
  let workers: unknown;
  const tell = (event: StudyEvent) => {
    if (event.event === 'block') [blocks, judgements] = [blocks + 1, 0];
    if (event.event === 'closed') closed.add(event.condition);
    if (event.event !== 'progress') return;
    // News of workers come every two seconds, with a list of their own; others come of a judgement.
    if (event.workers === workers) judgements += 1;
    workers = event.workers;
  };
  await using coordinator = await open(plan, tell);
  await using _study = conducting(plan, session, coordinator, tell);
  await until(async () => (await queue.getWaitingCount()) === 8, 'two blocks are handed out for each place');
  const [noisy] = plan.conditions;
  // In one condition no arm is the best: it goes on when the others are settled.
  const times: Times = ({ block: { condition, index } }) =>
    condition === noisy!.id ? { h1: 100 + 9 * (index % 2), h2: 104, h3: 100 + 9 * ((index + 1) % 2) } : clear;
  const taken: BlockOrder[] = [];
  const handedOut = new Set<number>();
  const isPointless = ({ block: { condition } }: BlockOrder) => closed.has(condition);
  while (closed.size < 2 && taken.length < 40) {
    for (const { serial } of blocksOf(await queue.getWaiting())) handedOut.add(serial);
    const order = await worker.finish((await worker.take())!, times);
    if (!('block' in order)) continue;
    taken.push(order);
    await until(() => blocks === taken.length && judgements > 0, 'the block is stored and judged');
    await until(
      async () => !blocksOf(await queue.getWaiting()).some(isPointless),
      'nothing pointless waits for a worker',
    );
  }
  const inOrder = nextBlocks(plan, []).map(({ condition }) => condition);
  expect(taken.slice(0, 6).map(({ block }) => [block.condition, block.index])).toEqual(
    [0, 1].flatMap((index) => inOrder.map((condition) => [condition, index])),
  );
  expect(closed).toEqual(new Set(inOrder.filter((condition) => condition !== noisy!.id)));
  const waiting = new Set(blocksOf(await queue.getWaiting()).map(({ serial }) => serial));
  const withdrawn = [...handedOut].filter(
    (serial) => !waiting.has(serial) && !taken.some((each) => each.serial === serial),
  );
  expect(withdrawn.length).toBeGreaterThanOrEqual(1);
  expect(waiting.size).toBeGreaterThan(0);
});

const PLAN = planOf({ sites: ['a'], links: ['fibre'], stopping: { kind: 'exactly', blocks: 3 } });

/** Has a coordinator hand out all blocks of the study. */
async function handOutAll(coordinator: Coordinator, id: string) {
  const queue = connection.openQueue(id);
  const noneTaken = { has: () => false, conditions: () => new Set<string>() };
  let places: ReturnType<Coordinator['choose']> = [];
  await until(() => {
    places = coordinator.choose(nextBlocks(PLAN, []), noneTaken, () => new Map());
    return places.length > 0;
  }, 'a worker is there');
  const results = places.map(({ block, run }, number) => run({ block, serial: number + 1, launches: 0 }));
  await until(async () => (await queue.getWaitingCount()) === 3, 'all blocks are handed out');
  return results;
}

test('blocks that were finished while the coordinator was dead are collected by the next one, and not run again', async () => {
  const { id } = begin(PLAN);
  await announce(connection, id, announcementOf('by-hand'));
  await using worker = openByHand(connection, id);
  await using dead = await open(PLAN);
  await handOutAll(dead, id);
  await dead[Symbol.asyncDispose](); // As a machine that loses power, it says nothing to anyone.
  for (let done = 0; done < 2; done += 1) await worker.finish((await worker.take())!, () => clear);
  const { session } = begin(PLAN);
  await using coordinator = await open(PLAN);
  expect(coordinator.begun.map(({ order }) => order.serial).toSorted()).toEqual([1, 2, 3]);
  await using _study = conducting(PLAN, session, coordinator, () => {});
  await until(() => store.blocks().length === 2, 'what was finished is collected');
  const last = await worker.finish((await worker.take())!, () => clear);
  await until(() => store.blocks().length === 3, 'what was waiting is collected once it is finished');
  expect(last).toMatchObject({ serial: 3 });
  expect(store.blocks().map(({ serial, block }) => [serial, block.index])).toEqual(
    [1, 2, 3].map((each) => [each, each - 1]),
  );
});

test('a job that is delivered again after a stall counts once, whoever comes with it later', async () => {
  const { session, id } = begin(PLAN);
  await announce(connection, id, announcementOf('by-hand'));
  const said: string[] = [];
  const tell = (event: StudyEvent) => {
    if (event.event === 'worker') said.push(event.says);
  };
  await using coordinator = await open(PLAN, tell);
  await using _study = conducting(PLAN, session, coordinator, tell);
  const queue = connection.openQueue(id);
  await until(async () => (await queue.getWaitingCount()) === 3, 'the blocks are handed out');
  await using stalled = openByHand(connection, id, { name: 'stalled', lockMs: 100 });
  const job = (await stalled.take())!;
  const delivered: string[] = [];
  // BullMQ gives it what the other one has not been heard of with.
  const other = connection.openWorker(
    id,
    async (data) => {
      const { order } = data as { readonly order: Order };
      delivered.push(jobIdOf(order));
      return returnedFor(connection, order, clear, 'other');
    },
    { places: 1, recovery: { lockMs: 1_000, lookEveryMs: 50 } },
  );
  await using _other = { [Symbol.asyncDispose]: () => other.close() };
  await until(() => store.blocks().length >= 3, 'the other worker has run all blocks');
  expect(delivered).toContain(job.id);
  await expect(stalled.finish(job, () => ({ h1: 1, h2: 1, h3: 1 }))).rejects.toThrow();
  // A Redis that was brought back from an older state delivers what is stored already.
  const { redis: raw } = connection;
  await queue.add('block', job.data, { jobId: job.id! });
  await until(async () => (await queue.getJob(job.id!)) === undefined, 'what is stored already is thrown away');
  expect(await raw.exists(`photofinish:${id}:${job.id}`)).toBe(0);
  const names = store.blocks().map(({ block }) => `${block.condition} ${block.index}`);
  expect(new Set(names).size).toBe(names.length);
  expect(
    store.measurements().filter(({ block, condition }) => condition === PLAN.conditions[0]!.id && block === 0),
  ).toHaveLength(3);
  expect(said.filter((line) => /worth nothing/.test(line))).toEqual([]);
});

test('films and trials of Lighthouse that an earlier coordinator handed out are taken up, unless they are stored', async () => {
  const { session } = begin(PLAN);
  const [{ id: film }] = PLAN.conditions as [Condition];
  const judge = { condition: film, arm: 'h2', run: 0 };
  await using queue = {
    own: connection.openQueue('9'.repeat(20)),
    [Symbol.asyncDispose]: () => queue.own.close(),
  };
  const openAll = () =>
    openOrders({
      connection,
      queue: queue.own,
      store,
      plan: 'digest',
      readResult: () => Promise.reject(new Error('nothing came')),
      tell() {},
      isClosed: () => false,
    });
  const first = await openAll();
  for (const order of [{ film }, { judge }]) await first.send(order);
  const next = await openAll();
  expect(next.begun.map(({ order }) => order).toSorted((a) => ('film' in a ? -1 : 1))).toEqual([{ film }, { judge }]);
  await next.send({ film });
  expect([next.count(), await queue.own.getWaitingCount()]).toEqual([2, 2]);
  store.addFilms(session, film, new Map([['h1', { pltMs: 1, frames: [] }]]));
  expect((await openAll()).begun.map(({ order }) => order)).toEqual([{ judge }]);
  store.addLighthouse(session, { ...judge, score: { status: 'failed', says: 'no page' } });
  expect((await openAll()).begun).toEqual([]);
});

test('once the time is over nobody waits for a film or a trial that no worker has begun, and what is under way is kept', async () => {
  const plan = {
    ...planOf({ sites: ['a'], links: ['fibre', '4g'], stopping: { kind: 'exactly', blocks: 1 } }),
    lighthouse: 1,
  };
  const { session, id } = begin({ ...plan, control: { ...plan.control, cap: 0 } });
  const own = store.readStudy()!.plan;
  await announce(connection, id, announcementOf('by-hand'));
  await using worker = openByHand(connection, id);
  await using coordinator = await open(own);
  await using study = conducting(own, session, coordinator, () => {});
  const queue = connection.openQueue(id);
  await until(async () => (await queue.getWaitingCount()) === 2, 'the blocks are handed out');
  for (let done = 0; done < 2; done += 1) await worker.finish((await worker.take())!, () => clear);
  await until(
    async () => (await queue.getWaitingCount()) === 2,
    'the films are handed out, and nothing else before them',
  );
  const job = (await worker.take())!;
  expect(job.id).toMatch(/^film-/);
  untilMs = performance.now();
  await until(async () => (await queue.getWaitingCount()) === 0, 'what nobody has begun is taken back');
  expect(store.blocks()).toHaveLength(2);
  await worker.finish(job, () => clear);
  expect(await study.ended).toBe('budget');
  expect(store.lighthouseTrials()).toEqual([]);
  expect(store.filmed()).toEqual([job.data.order.film]);
  expect(await queue.getJob(job.id!)).toBeUndefined();
});

test('a coordinator that Redis refuses something says so, though nothing is handed out', async () => {
  begin(PLAN);
  const own = await connect(redis.url);
  await using coordinator = await open(PLAN, () => {}, own);
  own.redis.sadd = () => Promise.reject(new Error('no memory is left'));
  const waiting = async () => {
    for (let time = 0; time < 40; time += 1) await coordinator.changed();
  };
  await expect(waiting()).rejects.toThrow('no memory is left');
});

/** Orders of which one is stored and forgotten, while Redis has not answered yet. */
async function forgetting(own: Connection, blobs: readonly Blob[]) {
  begin(PLAN);
  const answer = Promise.withResolvers<void>();
  const orders = await openOrders({
    connection: own,
    queue: { getJobs: async () => [], add: async () => {}, remove: () => answer.promise } as unknown as Queue,
    store,
    plan: 'digest',
    readResult: () => Promise.reject(new Error('nothing came')),
    tell() {},
    isClosed: () => false,
  });
  const handedOut = await orders.send({ film: PLAN.conditions[0]!.id });
  handedOut.blobs = blobs;
  orders.forget(handedOut);
  return { answer, orders };
}

test('of what is stored nothing is left in Redis, and that is waited for', async () => {
  const blob = await putBlob(connection.redis, 'forgotten', Buffer.from('a report'));
  const { answer, orders } = await forgetting(connection, [blob]);
  answer.resolve();
  await orders.forgotten();
  expect(await connection.redis.keys('*blob:forgotten:*')).toEqual([]);
});

test('a Redis that goes away while a stored block is deleted there fails nothing', async () => {
  const own = await connect(redis.url);
  const unhandled = jest.fn();
  process.on('unhandledRejection', unhandled);
  const { answer, orders } = await forgetting(own, [{ of: 'film', digest: '0', bytes: 1 }]);
  await own[Symbol.asyncDispose]();
  answer.resolve();
  await orders.forgotten();
  await setTimeout(20);
  process.off('unhandledRejection', unhandled);
  expect(unhandled).not.toHaveBeenCalled();
});

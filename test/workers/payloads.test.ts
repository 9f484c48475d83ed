import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Job } from 'bullmq';
import type { BlockOrder } from '../../harness/model/session.ts';
import { lighthouseFile } from '../../harness/run/lighthouse.ts';
import { pack } from '../../harness/store/json.ts';
import { CHUNK_BYTES, digestOf, dropBlobs, MOST_BLOB_BYTES, putBlob, takeBlob } from '../../harness/workers/blobs.ts';
import { ABOUT, type Order } from '../../harness/workers/messages.ts';
import { type Connection, connect } from '../../harness/workers/redis.ts';
import { openResults } from '../../harness/workers/results.ts';
import { readOrder } from '../../harness/workers/worker.ts';
import { planOf } from '../study/plans.ts';
import { reportOf, returnedFor, WORKER_MACHINE } from './by-hand.ts';
import { type RedisServer, startRedis } from './redis-server.ts';

/* What a program that may write to Redis could put there: both sides refuse what is not what they asked for. */

let redis: RedisServer;
let connection: Connection;
let folder: string;
beforeAll(async () => {
  redis = await startRedis();
  connection = await connect(redis.url);
});
afterAll(async () => {
  await connection[Symbol.asyncDispose]();
  await redis[Symbol.asyncDispose]();
});
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'photofinish-payloads-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const plan = planOf({ sites: ['a'], links: ['fibre'], lighthouse: 2 });
const [condition] = plan.conditions;
const block = { condition: condition!.id, index: 2, order: ['h3', 'h1'] };
const order: BlockOrder = { block, serial: 7, launches: 1, worth: 0.4 };
const judge = { condition: condition!.id, arm: 'h2', run: 1 };
const TIMES = { h1: 300, h3: 100 };

describe('a worker', () => {
  const job = { ...ABOUT, plan: 'digest', order };

  test('takes an order of its plan', () => {
    expect(readOrder(job, plan, 'digest')).toEqual(order);
    const { control } = plan;
    const own = {
      ...order,
      block: { condition: control.id, index: 0, order: [control.twin, control.arm] },
      delayMs: 20,
    };
    for (const each of [own, { film: condition!.id }, { judge }])
      expect(readOrder({ ...job, order: each }, plan, 'digest')).toEqual(each);
  });

  const withTrial = (more: object) => ({ ...job, order: { judge: { ...judge, ...more } } });
  const withBlock = (more: Partial<typeof block>) => ({ ...job, order: { ...order, block: { ...block, ...more } } });
  test.each([
    ['nothing', undefined, /an order is none/],
    ['a program', 'require("child_process")', /an order is none/],
    ['another version', { ...job, version: 2 }, /an order is none: version/],
    ['another plan', { ...job, plan: 'other' }, /of another plan/],
    ['an unknown condition', withBlock({ condition: '../../x' }), /of another plan/],
    ['an unknown arm', withBlock({ order: ['h1', 'h9'] }), /of another plan/],
    ['the control’s arm in a condition', withBlock({ order: [plan.control.twin] }), /of another plan/],
    ['an arm that is an argument', withBlock({ order: ['--x'] }), /an order is none: order/],
    ['no arms', withBlock({ order: [] }), /an order is none: order/],
    ['films of what it does not have', { ...job, order: { film: 'b' } }, /of another plan/],
    ['films of the control', { ...job, order: { film: plan.control.id } }, /of another plan/],
    ['a trial of an unknown arm', withTrial({ arm: 'h9' }), /of another plan/],
    ['a trial of an unknown condition', withTrial({ condition: 'b' }), /of another plan/],
    ['more trials than there are', withTrial({ run: 2 }), /of another plan/],
    ['no number', { ...job, order: { ...order, serial: 0 } }, /an order is none: order/],
    ['a delay of an hour', { ...job, order: { ...order, delayMs: 3_600_000 } }, /an order is none: order/],
  ])('refuses %s', (_, data, says) => {
    expect(() => readOrder(data, plan, 'digest')).toThrow(says);
  });
});

describe('a coordinator', () => {
  const read = (returnvalue: unknown, ordered: Order = order) =>
    openResults({ connection, folder, plan, sessionOf: () => 4 })({ returnvalue } as Job, ordered);
  /** What a worker returns with a report that is not as it should be. */
  const spoilt = async (more: object) => {
    const report = await putBlob(connection.redis, 'spoilt', pack({ ...reportOf(order, TIMES), ...more }));
    return { ...ABOUT, worker: 'one', machine: WORKER_MACHINE, report };
  };
  const name = 'har/00007-h3.har.gz';
  const [first, second] = reportOf(order, TIMES).trials as [Trial, Trial];

  test('takes what was measured, and lays its evidence into the study’s folder', async () => {
    const blob = await putBlob(connection.redis, 'evidence', Buffer.from('an archive'));
    const files = [{ name, blob }];
    const disturbed = [{ arm: second.measurement.arm, capture: second.capture }];
    const returned = await spoilt({ trials: [{ ...first, evidence: [name] }, second], disturbed, files });
    const { result, blobs } = await read(returned);
    const trials = block.order.map((arm) => ({ measurement: { arm } }));
    expect(result).toMatchObject({ session: 4, finished: { serial: 7, block, trials, disturbed } });
    expect(readFileSync(join(folder, name), 'utf8')).toBe('an archive');
    expect(blobs).toEqual([returned.report, blob]);
  });

  type Trial = ReturnType<typeof reportOf>['trials'][number];
  const measuredAs = (more: object) => ({
    trials: [{ ...first, measurement: { ...first.measurement, ...more } }, second],
  });
  test.each([
    ['another condition', measuredAs({ condition: 'b' }), /of another block/],
    ['another index', measuredAs({ block: 3 }), /of another block/],
    ['another order', { trials: [second, first] }, /of another block/],
    ['a part of a block', { trials: [first] }, /of another block/],
    ['more than a block', { trials: [first, second, second] }, /of another block/],
    [
      'a disturbed load of an arm that was not asked for',
      { disturbed: [{ ...second, arm: 'h2' }] },
      /of another block/,
    ],
    ['a figure that is text', measuredAs({ pltMs: '1; drop table' }), /the report of a block is none: .*pltMs/],
    ['a figure that nobody knows', measuredAs({ __proto: 1 }), /the report of a block is none: trials\.0\.measurement/],
    ['a file elsewhere', { trials: [{ ...first, evidence: ['../../etc/x'] }, second] }, /is none: trials\.0\.evidence/],
    ['the file of another block', { trials: [{ ...first, evidence: ['har/00006-h3.har.gz'] }, second] }, /not its own/],
    ['a file that is not there', { trials: [{ ...first, evidence: [name] }, second] }, /not its own/],
  ] as const)('refuses %s', async (_, more, says) => {
    await expect(read(await spoilt(more))).rejects.toThrow(says);
    expect(readdirSync(folder)).toEqual([]);
  });

  const frames = [{ atMs: 0, jpeg: 'aGk=' }];
  const films = { h1: { pltMs: 9, frames } };
  const score = { status: 'ok', score: 0.9, metrics: { 'speed-index': 1 } };

  test('takes what was filmed, and what Lighthouse said, with its report', async () => {
    const filmed = await read(await spoilt({ films, tookMs: 3 }), { film: condition!.id });
    expect(filmed.result).toMatchObject({ session: 4, taken: { films: new Map(Object.entries(films)), tookMs: 3 } });
    const blob = await putBlob(connection.redis, 'evidence', Buffer.from('a report'));
    const judged = await read(await spoilt({ score, files: [{ name: lighthouseFile(judge), blob }] }), { judge });
    expect(judged.result).toMatchObject({ session: 4, trial: { ...judge, score } });
    expect(readFileSync(join(folder, lighthouseFile(judge)), 'utf8')).toBe('a report');
  });

  const blob = { of: 'x', digest: 'f'.repeat(64), bytes: 1 };
  test.each([
    ['films of an unknown arm', { films: { h9: films.h1 }, tookMs: 3 }, /it is of other arms/],
    [
      'a picture that is none',
      { films: { h1: { pltMs: 9, frames: [{ atMs: 0, jpeg: '"><script>' }] } }, tookMs: 3 },
      /frames\.0\.jpeg/,
    ],
    ['films that took no time', { films }, /what was filmed is none: tookMs/],
    ['films with a file', { films, tookMs: 3, files: [{ name, blob }] }, /it is of other arms/],
  ])('refuses %s', async (_, more, says) => {
    await expect(read(await spoilt(more), { film: condition!.id })).rejects.toThrow(says);
  });

  test.each([
    ['a score of more than all', { score: { ...score, score: 2 } }, /what Lighthouse said is none: score\.score/],
    ['no score', {}, /what Lighthouse said is none: score/],
    [
      'the report of another trial',
      { score, files: [{ name: lighthouseFile({ ...judge, run: 0 }), blob }] },
      /not its own/,
    ],
    ['a file elsewhere', { score, files: [{ name: 'lighthouse/../../x', blob }] }, /is none: files\.0\.name/],
  ])('refuses of Lighthouse %s', async (_, more, says) => {
    await expect(read(await spoilt(more), { judge })).rejects.toThrow(says);
    expect(readdirSync(folder)).toEqual([]);
  });

  test('refuses what is no answer, is too large, or is not what its digest says', async () => {
    const { redis: raw } = connection;
    const returned = await returnedFor(connection, order, TIMES);
    const withReport = (more: object) => ({ ...returned, report: { ...returned.report, ...more } });
    await expect(read(null)).rejects.toThrow(/what a worker returned is none/);
    await expect(read({ ...returned, machine: { ...WORKER_MACHINE, cpu: 'a\u001b[2J' } })).rejects.toThrow(
      /machine\.cpu/,
    );
    await expect(read(withReport({ bytes: MOST_BLOB_BYTES + 1 }))).rejects.toThrow(/is none: report\.bytes/);
    await expect(read(withReport({ of: 'x\nSET y' }))).rejects.toThrow(/is none: report\.of/);
    await expect(read(withReport({ digest: digestOf('other') }))).rejects.toThrow(/is not there, or is something else/);
    await expect(read(withReport({ bytes: returned.report.bytes - 1 }))).rejects.toThrow(
      /is not there, or is something/,
    );
    const notPacked = await putBlob(raw, 'spoilt', Buffer.from('{}'));
    await expect(read({ ...returned, report: notPacked })).rejects.toThrow(/incorrect header check/);
    expect((await read(returned)).result.session).toBe(4);
    const evidence = await putBlob(raw, 'evidence', Buffer.from('an archive'));
    await raw.set(`photofinish:blob:evidence:${evidence.digest}:0`, 'an ARCHIVE');
    const files = [{ name, blob: evidence }];
    const trials = [{ ...first, evidence: [name] }, second];
    await expect(read(await spoilt({ trials, files }))).rejects.toThrow(/is not there, or is something else/);
    expect(existsSync(join(folder, name))).toBe(false);
  });
});

describe('what is large', () => {
  const key = ({ of, digest }: { readonly of: string; readonly digest: string }, chunk: number) =>
    `photofinish:blob:${of}:${digest}:${chunk}`;

  test('goes in chunks of four megabytes, comes out whole, and is gone when it is dropped', async () => {
    const { redis: raw } = connection;
    const content = Buffer.alloc(2 * CHUNK_BYTES + 1, 'evidence ');
    const blob = await putBlob(raw, 'large', content);
    const keys = (await raw.keys('photofinish:blob:large:*')).toSorted();
    expect(keys).toEqual([0, 1, 2].map((chunk) => key(blob, chunk)));
    expect(await Promise.all(keys.map((each) => raw.strlen(each)))).toEqual([CHUNK_BYTES, CHUNK_BYTES, 1]);
    expect(await raw.ttl(keys[0]!)).toBeGreaterThan(6 * 24 * 3600);
    expect((await takeBlob(raw, blob)).equals(content)).toBe(true);
    // A chunk that broke off is laid down again, one that somebody made longer is cut.
    await raw.set(keys[1]!, 'half');
    await expect(takeBlob(raw, blob)).rejects.toThrow(/is not there, or is something else/);
    await putBlob(raw, 'large', content);
    await raw.append(keys[0]!, 'more');
    expect((await takeBlob(raw, blob)).equals(content)).toBe(true);
    await dropBlobs(raw, [blob]);
    expect(await raw.keys('photofinish:blob:large:*')).toEqual([]);
  });

  test('is refused where it is larger than the limit, before any of it is there', async () => {
    const content = Buffer.allocUnsafeSlow(MOST_BLOB_BYTES + 1);
    await expect(putBlob(connection.redis, 'too-large', content)).rejects.toThrow(
      /more than may go through Redis: 256000000/,
    );
    expect(await connection.redis.keys('photofinish:blob:too-large:*')).toEqual([]);
  });
});

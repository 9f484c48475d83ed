import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { summarizeStudy } from '../../harness/findings/summary.ts';
import { RECORDING_SCHEMA, type RecordedSite } from '../../harness/model/recording.ts';
import { lighthouseFile } from '../../harness/run/lighthouse.ts';
import { factsOf } from '../../harness/run/sites.ts';
import { writeRecording } from '../../harness/site/record/store.ts';
import { readFoundStudy } from '../../harness/store/found-study.ts';
import { openStore, openStoreToRead } from '../../harness/store/store.ts';
import { planStudy } from '../../harness/study/plan.ts';
import { offerSites } from '../../harness/workers/offer.ts';
import { connect } from '../../harness/workers/redis.ts';
import { findSites } from '../../harness/workers/sites.ts';
import { planOf, studyOf } from '../study/plans.ts';
import { coordinate } from './coordinating.ts';
import { type RedisServer, startRedis } from './redis-server.ts';
import { type Serving, serve } from './serving.ts';

/* A coordinator and its workers in one process, with a Redis between them; no lab has anything behind it. */

let redis: RedisServer;
let folder: string;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(async () => redis[Symbol.asyncDispose]());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'photofinish-workers-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Has workers serve while something is done. */
async function withWorkers<T>(workers: readonly Partial<Serving>[], work: () => Promise<T>): Promise<T> {
  const stop = new AbortController();
  const serving = workers.map((each, number) =>
    serve({ url: redis.url, name: `machine-${number}`, stop: stop.signal, ...each }),
  );
  try {
    return await work();
  } finally {
    stop.abort();
    await Promise.all(serving);
  }
}

const plan = planOf({ sites: ['a'], links: ['fibre', '4g'], stopping: { kind: 'exactly', blocks: 12 }, lighthouse: 1 });

test('three workers run a study: every block once, each on one machine, which its session names', async () => {
  const { ending, blocks, twice, sessions, events, measured } = await withWorkers([{}, {}, {}], () =>
    coordinate({ url: redis.url, plan, folder }),
  );
  expect({ ending, twice }).toEqual({ ending: 'finished', twice: 0 });
  const own = blocks.filter(({ block }) => block.condition !== plan.control.id);
  expect(own).toHaveLength(24);
  expect(new Set(own.map(({ session }) => session)).size).toBe(3);
  const machines = sessions.map(({ machine }) => machine.worker).slice(1);
  expect(machines.toSorted()).toEqual(['machine-0', 'machine-1', 'machine-2']);
  const nameOf = new Map(sessions.map(({ number, machine }) => [number, machine.worker]));
  using store = openStoreToRead(join(folder, 'study.sqlite'));
  const named = [...store.trials()].map(({ session, measurement }) => [measurement.machine, nameOf.get(session)]);
  expect(measured).toEqual(store.measurements());
  expect(named.every(([machine, worker]) => machine !== undefined && machine === worker)).toBe(true);
  const progress = events.flatMap((event) => (event.event === 'progress' && event.workers ? [event.workers] : []));
  expect(progress.some((workers) => workers.length === 3)).toBe(true);
  // Workers film every condition, too, and have Lighthouse judge every arm, once each.
  expect(store.filmed().toSorted()).toEqual(plan.conditions.map(({ id }) => id).toSorted());
  expect(store.filmOf(plan.conditions[0]!.id, 'h3')).toEqual({ pltMs: 100, frames: [{ atMs: 0, jpeg: '' }] });
  const trials = store.lighthouseTrials();
  expect(new Set(trials.map(({ condition, arm }) => `${condition} ${arm}`)).size).toBe(6);
  for (const trial of trials)
    expect(gunzipSync(readFileSync(join(folder, lighthouseFile(trial)))).toString()).toBe('{}');
  expect(events.filter(({ event }) => event === 'lighthouse')).toHaveLength(6);
});

const small = planOf({ sites: ['a'], links: ['fibre'], stopping: { kind: 'exactly', blocks: 6 } });
const old = { name: 'old', machine: { chromium: '150.0' } } as const;

test('a worker with another browser is refused, and the difference named', async () => {
  const heard: string[] = [];
  const { ending, said, sessions } = await withWorkers([{}], () =>
    withWorkers([{ ...old, print: (line) => heard.push(line) }], () => coordinate({ url: redis.url, plan, folder })),
  );
  expect(ending).toBe('finished');
  const machines = sessions.map(({ machine }) => machine.worker).slice(1);
  // Which of the two is the first decides for the study.
  const refused = machines[0] === 'old' ? 'machine-0' : 'old';
  expect(machines).toHaveLength(1);
  expect(said.find((line) => line.startsWith(`${refused}: refused`))).toMatch(
    /Chromium is 15[06]\.0 on \S+, and 15[06]\.0 on \S+\. With --mixed it takes part/,
  );
  if (refused === 'old') expect(heard.join()).toMatch(/takes no part in study \w+: Chromium is 150\.0 on old/);
});

test('with mixed it takes part, and the findings say so of its machine', async () => {
  const { ending, sessions } = await withWorkers([{}, old], () =>
    coordinate({ url: redis.url, plan, folder, mixed: true }),
  );
  expect(ending).toBe('finished');
  expect(sessions.map(({ machine }) => machine.chromium).toSorted()).toEqual(['150.0', '156.0', '156.0']);
  using store = openStore(join(folder, 'study.sqlite'));
  const { machines } = summarizeStudy(readFoundStudy(store));
  expect(machines!.map(({ name }) => name).toSorted()).toEqual(['machine-0', 'old']);
  expect(machines!.flatMap(({ says }) => says).join()).toMatch(/Chromium is 15[06]\.0 on/);
  for (const { loadTimes, armRatios } of machines!) {
    expect(loadTimes!.ratio).toBeCloseTo(1, 1);
    expect(armRatios!.ratio).toBeCloseTo(1, 1);
  }
});

test('a plan that Redis has lost is laid down again, and a worker that looked for it meanwhile takes part then', async () => {
  const heard: string[] = [];
  await using connection = await connect(redis.url);
  const losePlan = async () => {
    for (const untilMs = performance.now() + 5_000; heard.length === 0 && performance.now() < untilMs; ) {
      const keys = await connection.redis.keys('photofinish:blob:plan:*');
      if (keys.length > 0) await connection.redis.del(keys);
    }
  };
  const { ending } = await withWorkers([{ print: (line) => heard.push(line) }], async () => {
    const [result] = await Promise.all([coordinate({ url: redis.url, plan: small, folder }), losePlan()]);
    return result;
  });
  expect(ending).toBe('finished');
  expect(heard[0]).toMatch(/^takes no part in study .* is not there/);
  expect(heard[1]).toMatch(/asks to take part/);
});

test('a worker whose link is not what it claims takes no more blocks and says why; another one runs them', async () => {
  const check = { figure: 'rtt', unit: 'ms', asked: 40, measured: 55, within: [39.5, 40.5], ok: false } as const;
  const lab = { calibration: () => ({ ok: false, checks: [check], attempts: 6 }) };
  const { ending, said, sessions } = await withWorkers([{ name: 'false', lab, pausesMs: [] }, { loadMs: 60 }], () =>
    coordinate({ url: redis.url, plan, folder }),
  );
  expect(ending).toBe('finished');
  expect(said.join('\n')).toMatch(/false: takes no more blocks: the link '\S+' is not what was asked: rtt is 55 ms/);
  expect(sessions.map(({ machine }) => machine.worker)).toEqual([undefined, 'machine-1']);
});

test('a worker gives browsers no arguments, and goes nowhere else, unless it is told to trust', async () => {
  const arms = [
    { name: 'h2', protocol: 'h2' },
    { name: 'h2-more', protocol: 'h2', browserFlags: ['--lang=de'] },
  ] as const;
  const flagged = planOf({ sites: ['a'], links: ['fibre'], arms, stopping: { kind: 'exactly', blocks: 2 } });
  const heard: string[] = [];
  const stop = new AbortController();
  const print = (line: string) => {
    heard.push(line);
    if (line.startsWith('takes no part')) stop.abort();
  };
  const { ending, blocks } = await withWorkers([{ print }], () =>
    coordinate({ url: redis.url, plan: flagged, folder, stop: stop.signal }),
  );
  expect([ending, blocks.length]).toEqual(['stopped', 0]);
  expect(heard.join()).toMatch(/it gives the browser arguments, which a worker does only with --trust/);
  const trusted = await withWorkers([{ trust: true }], () => coordinate({ url: redis.url, plan: flagged, folder }));
  expect([trusted.ending, trusted.blocks.length > 0]).toEqual(['finished', true]);
});

test('what is no order is given to nobody, and what is no result counts for nothing', async () => {
  await using connection = await connect(redis.url);
  let spoilt = 0;
  const { ending, blocks, twice, said } = await withWorkers([{}], () =>
    coordinate({
      url: redis.url,
      plan: small,
      folder,
      tell({ event }) {
        if (event !== 'block' || spoilt > 0) return;
        spoilt += 1;
        void (async () => {
          const [id] = await connection.redis.smembers('photofinish:studies');
          const queue = connection.openQueue(id!);
          await queue.add(
            'block',
            { order: { block: { condition: '../../x', index: 0, order: ['h2'] } } },
            { jobId: 'x-1' },
          );
          await queue.close();
          // A report that says that it is there, and is not.
          for (const key of await connection.redis.keys('photofinish:blob:*'))
            await connection.redis.set(key, 'nothing');
        })();
      },
    }),
  );
  expect({ ending, twice, some: blocks.length >= 6 }).toEqual({ ending: 'finished', twice: 0, some: true });
  expect(said.join()).not.toMatch(/x-1/);
});

test('a recorded site travels by its digest, once, and comes out as it went in', async () => {
  await using connection = await connect(redis.url);
  const { site, plan: own } = recordedSite(join(folder, 'sites'));
  await connection.redis.config('RESETSTAT');
  const sites = await offerSites(connection, new Map([['mine', site]]));
  // Another name, the same page: only its manifest is another.
  const other = { ...site, manifest: { ...site.manifest, site: 'other' } };
  await offerSites(
    connection,
    new Map([
      ['mine', site],
      ['other', other],
    ]),
  );
  expect(await offerSites(connection, new Map([['mine', site]]))).toEqual(sites);
  expect(await connection.redis.info('commandstats')).toMatch(/cmdstat_set:calls=3,/);
  expect(sites.mine!.bodies.map(({ digest }) => digest)).toEqual([site.manifest.responses[0]!.body]);
  const offer = { sites } as Parameters<typeof findSites>[1]['offer'];
  const find = (plan: typeof own) => findSites(connection.redis, { plan, offer, trust: false }, join(folder, 'worker'));
  const [found] = (await find(own)) as [RecordedSite];
  expect(found.manifest).toEqual(site.manifest);
  expect(factsOf(found).digest).toBe(own.sites.mine!.digest);
  expect(await connection.redis.info('commandstats')).toMatch(/cmdstat_getrange:calls=2,/);
  const unknown = { ...own, sites: { mine: { ...own.sites.mine!, digest: 'f'.repeat(64) } } };
  await expect(find(unknown)).rejects.toThrow(
    /the site "mine" of the study is not on this machine, or is another here/,
  );
});

function recordedSite(below: string) {
  const body = Buffer.from('<!doctype html><title>mine</title>');
  const sha256 = createHash('sha256').update(body).digest('hex');
  const url = 'https://mine.example/';
  const response = {
    method: 'GET',
    url,
    requestHeaders: [],
    status: 200,
    headers: [['content-type', 'text/html']],
    body: sha256,
    bytes: body.length,
    encoded: 'as-received',
    kind: 'Document',
    wantedMs: 0,
  };
  const origin = { origin: 'https://mine.example', offersH3: false, certificateNames: [] };
  const manifest = {
    schema: RECORDING_SCHEMA,
    site: 'mine',
    url,
    recordedAtMs: 1,
    seed: 1,
    device: 'desktop',
    by: 'a test',
    secrets: 'removed',
    origins: [origin],
    responses: [response],
    leftOut: [],
    notes: [],
  } as unknown as RecordedSite['manifest'];
  const site = writeRecording({ manifest, bodies: new Map([[sha256, body]]) }, below);
  const facts = factsOf(site);
  return { site, plan: planStudy(studyOf({ sites: ['mine'] }), () => facts) };
}

test('a user of Redis that an ACL keeps to our keys is enough, and nothing says the password', async () => {
  await using connection = await connect(redis.url);
  const rights = ['resetkeys', '~photofinish:*', '+@all', '-@admin', '-@dangerous', '+info'];
  await connection.redis.call('ACL', 'SETUSER', 'lab', 'on', '>sesame', ...rights);
  const url = redis.url.replace('redis://', 'redis://lab:sesame@');
  const heard: string[] = [];
  const print = (line: string) => heard.push(line);
  const { ending, events } = await withWorkers([{ url, print }], () => coordinate({ url, plan: small, folder }));
  expect(ending).toBe('finished');
  expect(JSON.stringify([heard, events])).not.toMatch(/sesame/);
});

import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openStore } from '../../harness/store/store.ts';
import { readVersion } from '../../harness/system/version.ts';
import { KEYS } from '../../harness/workers/messages.ts';
import { type Connection, connect } from '../../harness/workers/redis.ts';
import { openRoster } from '../../harness/workers/roster.ts';
import { MACHINE } from '../fakes/machine.ts';
import { temporaryFolder } from '../store/studies.ts';
import { announce, announcementOf, WORKER_MACHINE } from './by-hand.ts';
import { type RedisServer, startRedis } from './redis-server.ts';

/* A coordinator admits workers or refuses them, and tells of each what became of it. */

let redis: RedisServer;
let connection: Connection;
beforeAll(async () => {
  redis = await startRedis();
  connection = await connect(redis.url);
});
afterAll(async () => {
  await connection[Symbol.asyncDispose]();
  await redis[Symbol.asyncDispose]();
});

/** Opens the roster of a study that has this id. */
async function openFor(id: string, mixed = false) {
  const folder = temporaryFolder();
  const store = openStore(`${folder.path}/study.sqlite`);
  store.beginSession(MACHINE, 0, []);
  const said: string[] = [];
  const roster = await openRoster({
    connection,
    store,
    id,
    mixed,
    tell: (event) => event.event === 'worker' && said.push(`${event.worker}: ${event.says}`),
  });
  const come = (name: string, more: object = {}, machine: object = {}) =>
    announce(
      connection,
      id,
      announcementOf(name, { ...more, machine: { ...WORKER_MACHINE, worker: name, ...machine } }),
    );
  const [leave, answer] = [
    (name: string) => connection.redis.del(KEYS.worker(id, name)),
    async (name: string) => JSON.parse((await connection.redis.hget(KEYS.admissions(id), name))!),
  ];
  return {
    roster,
    store,
    come,
    leave,
    answer,
    /** What is said in the next look. */
    async look() {
      said.length = 0;
      await roster.look();
      return [...said];
    },
    [Symbol.dispose]() {
      store[Symbol.dispose]();
      folder[Symbol.dispose]();
    },
  };
}

test('a worker is described by its processor, cores and kernel, once, and its launches have numbers of their own', async () => {
  using study = await openFor('a'.repeat(20));
  await study.come('one', {}, { cpu: 'Xeon', cores: 8, kernel: '6.12' });
  await study.come('two', { places: 2 });
  expect((await study.look()).toSorted()).toEqual([
    'one: takes part: Xeon, 8 cores, kernel 6.12',
    'two: takes part: none, 2 cores, kernel 6.1',
  ]);
  expect(await study.look()).toEqual([]);
  expect(study.roster.places()).toBe(6);
  const launches = await Promise.all(['one', 'two'].map(async (name) => (await study.answer(name)).firstLaunch));
  expect(launches.toSorted((a, b) => a - b)).toEqual([0, 1_000_000]);
  const session = study.roster.sessionOf('one', { ...WORKER_MACHINE, worker: 'one' });
  expect(study.roster.sessionOf('one', WORKER_MACHINE)).toBe(session);
  expect(study.store.sessions().find(({ number }) => number === session)?.machine.worker).toBe('one');
});

test('one that differs is refused with each difference, or takes part as what it is', async () => {
  const differs = { chromium: '150.0', servers: { nginx: '1.2', caddy: '2' }, link: 'netem of another kernel' };
  const text = [
    'Chromium is 150.0 on two, and 156.0 on one',
    'nginx is 1.2 on two, and 1.30.6, OpenSSL 3.6.5 on one',
    'the link is netem of another kernel on two, and none on one',
    'caddy is 2 on two, and absent on one',
  ];
  for (const mixed of [false, true]) {
    using study = await openFor(mixed ? 'b'.repeat(20) : 'c'.repeat(20), mixed);
    await study.come('one');
    await study.look();
    await study.come('two', {}, differs);
    const [said] = await study.look();
    for (const each of mixed ? [] : text) expect(said).toContain(each);
    expect(said).toMatch(mixed ? /^two: takes part: / : /^two: refused: .*With --mixed it takes part/);
    expect((await study.answer('two')).refused?.split('; ').toSorted()).toEqual(mixed ? undefined : text.toSorted());
    const session = study.roster.sessionOf('two', { ...WORKER_MACHINE, ...differs, worker: 'two' });
    const { notes } = study.store.sessions().find(({ number }) => number === session)!;
    expect(notes.toSorted()).toEqual(mixed ? text.toSorted() : []);
  }
});

test('another Photofinish takes part in nothing, mixed or not', async () => {
  using study = await openFor('d'.repeat(20), true);
  await study.come('old', {}, { photofinish: '0.1.0' });
  expect(await study.look()).toEqual([`old: refused: it has Photofinish 0.1.0, and the coordinator ${readVersion()}`]);
  expect(study.roster.isEmpty()).toBe(true);
});

test('what it does, how fast it is, and that it is unfit, gone or back', async () => {
  using study = await openFor('e'.repeat(20));
  const does = [{ condition: 'shop|4g|nginx|cold', arm: 'h3' }, { condition: 'control' }];
  await study.come('one', { does, loads: 30, forMs: 60_000 });
  await study.look();
  expect(study.roster.progress()).toEqual([
    { name: 'one', does: [{ title: 'shop|4g|nginx|cold', arm: 'h3' }, { title: 'control' }], loadsPerHour: 1_800 },
  ]);
  await study.leave('one');
  expect(await study.look()).toEqual(['one: is not heard of any more; others take its blocks']);
  expect([study.roster.places(), study.roster.isEmpty()]).toEqual([0, true]);
  await study.come('one');
  expect(await study.look()).toEqual(['one: is back']);
  await study.come('one', { unfit: 'the link is not what was asked' });
  expect(await study.look()).toEqual(['one: takes no more blocks: the link is not what was asked']);
  expect([study.roster.places(), study.roster.isEmpty()]).toEqual([0, false]);
});

test('what is no announcement is nobody', async () => {
  const id = 'f'.repeat(20);
  using study = await openFor(id);
  const { redis: raw } = connection;
  for (const [name, text] of [
    ['text', 'no JSON'],
    ['many', JSON.stringify(announcementOf('many', { places: 1_000 }))],
    ['steering', JSON.stringify(announcementOf('steering', { unfit: '\u001b[2J' }))],
  ] as const) {
    await raw.sadd(KEYS.workers(id), name);
    await raw.set(KEYS.worker(id, name), text);
  }
  await study.come('one');
  expect(await study.look()).toEqual(['one: takes part: none, 2 cores, kernel 6.1']);
  expect(study.roster.progress()).toHaveLength(1);
});

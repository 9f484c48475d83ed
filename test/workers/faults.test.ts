import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect as connectSocket, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { openStore } from '../../harness/store/store.ts';
import { connect } from '../../harness/workers/redis.ts';
import { type Coordinating, coordinate } from './coordinating.ts';
import { FAULTY_PLAN } from './faulty-plan.ts';
import { type RedisServer, startRedis } from './redis-server.ts';

/* Machines and networks fail while a study runs: no block is lost, and none counts twice. Workers are processes here. */

const LOAD_MS = 40;
/** The study's blocks; its control has up to 20 more. */
const BLOCKS = 60;

let folder: string;
let undo: AsyncDisposableStack;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'photofinish-faults-'));
  undo = new AsyncDisposableStack();
  undo.defer(() => rmSync(folder, { recursive: true }));
});
afterEach(() => undo.disposeAsync());

function start(script: string, ...args: readonly string[]): ChildProcess {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const env = { ...process.env, TMPDIR: folder }; // What is killed leaves its scratch behind.
  const child = spawn(process.execPath, [path, ...args], { stdio: ['ignore', 'pipe', 'inherit'], env });
  undo.defer(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
  });
  return child;
}

const startWorker = (url: string, name: string) => start('fake-worker.ts', url, name, `${LOAD_MS}`);

async function useRedis(...more: readonly string[]): Promise<RedisServer> {
  return undo.use(await startRedis(...more));
}

/** Coordinates the study, and does something once a number of blocks are done. */
async function runWith(more: Pick<Coordinating, 'url'>, afterBlocks: number, harm: () => unknown) {
  let blocks = 0;
  return coordinate({
    ...more,
    plan: FAULTY_PLAN,
    folder,
    tell({ event }) {
      if (event !== 'block') return;
      blocks += 1;
      if (blocks === afterBlocks) void harm();
    },
  });
}

/** Every block of the study is there, once. */
function expectWhole({
  ending,
  twice,
  blocks,
}: Pick<Awaited<ReturnType<typeof coordinate>>, 'ending' | 'twice' | 'blocks'>) {
  const names = blocks.map(({ block }) => `${block.condition} ${block.index}`);
  const own = names.filter((name) => !name.startsWith(FAULTY_PLAN.control.id));
  expect({ ending, twice, blocks: own.length, different: new Set(own).size }).toEqual({
    ending: 'finished',
    twice: 0,
    blocks: BLOCKS,
    different: BLOCKS,
  });
}

/** A way to a port that can be cut: nothing passes it then, and neither end is told. */
async function openWay(port: number) {
  let isCut = false;
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connectSocket(port, '127.0.0.1');
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('data', (data) => isCut || to.write(data));
      from.on('error', () => {});
      from.on('close', () => to.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  undo.defer(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return {
    url: `redis://127.0.0.1:${(server.address() as { port: number }).port}`,
    cut() {
      isCut = true;
    },
    mend() {
      isCut = false;
      // What was sent meanwhile is lost, as a connection of TCP would find out.
      for (const socket of sockets) socket.destroy();
    },
  };
}

test('a worker that is killed: another one takes its blocks', async () => {
  const { url } = await useRedis();
  const killed = startWorker(url, 'killed');
  startWorker(url, 'other');
  const result = await runWith({ url }, 15, () => killed.kill('SIGKILL'));
  expectWhole(result);
  expect(new Set(result.sessions.map(({ machine }) => machine.worker))).toEqual(
    new Set([undefined, 'killed', 'other']),
  );
});

test('a worker that is held for a while, and goes on later with a block that another has run meanwhile', async () => {
  const { url } = await useRedis();
  const held = startWorker(url, 'held');
  startWorker(url, 'other');
  const result = await runWith({ url }, 10, async () => {
    held.kill('SIGSTOP');
    await setTimeout(4_000);
    held.kill('SIGCONT');
  });
  expectWhole(result);
});

test('a worker that the network is cut off from, and that comes back', async () => {
  const { url, port } = await useRedis();
  const way = await openWay(port);
  startWorker(way.url, 'far');
  startWorker(url, 'near');
  const result = await runWith({ url }, 10, async () => {
    way.cut();
    await setTimeout(4_000);
    way.mend();
  });
  expectWhole(result);
});

test.each([
  ['that keeps all on its disk', ['--appendonly', 'yes', '--appendfsync', 'always']],
  ['that forgets all', []],
])('a Redis %s ends and comes back', async (_, more) => {
  const redis = await useRedis(...more);
  for (const name of ['one', 'two']) startWorker(redis.url, name);
  expectWhole(await runWith(redis, 10, () => redis.restart(1_500)));
});

test('a Redis that forgets all, of which the workers hear before the coordinator does', async () => {
  const { url } = await useRedis();
  for (const name of ['one', 'two']) startWorker(url, name);
  const result = await runWith({ url }, 10, async () => {
    await using connection = await connect(url);
    for (const untilMs = performance.now() + 6_000; performance.now() < untilMs; await setTimeout(50))
      await connection.redis.flushall();
  });
  expectWhole(result);
});

test('a coordinator that is killed: blocks are finished meanwhile, and the next coordinator collects them', async () => {
  const { url } = await useRedis();
  for (const name of ['one', 'two']) startWorker(url, name);
  const first = start('fake-coordinator.ts', url, folder);
  let blocks = 0;
  await new Promise<void>((resolve) => {
    first.stdout!.on('data', (text: Buffer) => {
      blocks += `${text}`.split('\n').filter((line) => line === 'block').length;
      if (blocks >= 10) first.kill('SIGKILL');
    });
    first.once('exit', () => resolve());
  });
  const before = countBlocks();
  await setTimeout(3_000); // Long enough for what was handed out to be finished.
  expect(countBlocks()).toBe(before);
  let [collected, loaded] = [0, false];
  const result = await coordinate({
    url,
    folder,
    plan: FAULTY_PLAN,
    tell(event) {
      if (event.event === 'block' && !loaded) collected += 1;
      if (event.event === 'progress' && event.workers?.some(({ does }) => does.length > 0)) loaded = true;
    },
  });
  expectWhole(result);
  expect(collected).toBeGreaterThanOrEqual(3);
});

function countBlocks(): number {
  using store = openStore(join(folder, 'study.sqlite'));
  return store.blocks().length;
}

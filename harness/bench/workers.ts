import { statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { EnvironmentError } from '../model/errors.ts';
import type { Machine } from '../model/session.ts';
import { renderTable, type TerminalColumn } from '../report/table.ts';
import { conduct } from '../run/loop.ts';
import { median } from '../stats/order.ts';
import { openStore, STORE_FILE } from '../store/store.ts';
import { start } from '../system/process.ts';
import { readVersion } from '../system/version.ts';
import { ADDRESS_VARIABLE, parseRedisAddress } from '../workers/address.ts';
import { openCoordinator } from '../workers/coordinator.ts';
import { connect } from '../workers/redis.ts';
import { measureApart, startCommand } from './child-study.ts';
import { openBenchFolder } from './folder.ts';
import { generatedPlan } from './generated-study.ts';

/** How much is run. */
export interface WorkersBench {
  readonly url: string;
  /** Workers that wait, side by side: how their blocks add up. */
  readonly scaling: { readonly workers: readonly number[]; readonly blockMs: number; readonly forMs: number };
  /** Workers with labs of their own, side by side on this machine. */
  readonly real: { readonly workers: readonly number[]; readonly settleMs: number; readonly forMs: number };
  /** Workers that do nothing, and blocks: what a block costs the coordinator. */
  readonly many: { readonly workers: number; readonly blocks: number };
}

/** Three loads of a small page over 218 ms and 2 Mbit/s, which hardly take the processor. */
const BLOCK_MS = 4_500;
/** The share of N times one worker's blocks that N workers must reach. */
const LEAST_SHARE = 0.9;
/** The simulation is told in this many parts, so that a growth shows. */
const PARTS = 10;
/** A block may cost this many times as much in the later half as in the earlier one. */
const MOST_GROWTH = 1.25;

/** How many blocks are simulated: 20,000 take minutes, 1,000,000 take hours. */
const BLOCKS_VARIABLE = 'PHOTOFINISH_BENCH_BLOCKS';

/** `photofinish bench workers`: how the blocks of workers add up, and what a block costs the coordinator. */
export async function benchWorkers(print: (line: string) => void): Promise<number> {
  if (process.env[ADDRESS_VARIABLE] === undefined)
    throw new EnvironmentError(`bench workers needs a Redis of its own: set ${ADDRESS_VARIABLE} to its address`);
  const blocks = Number(process.env[BLOCKS_VARIABLE] ?? 20_000);
  return measureWorkers(print, {
    url: parseRedisAddress('$', 'bench'),
    scaling: { workers: [1, 2, 4, 8], blockMs: BLOCK_MS, forMs: 60_000 },
    real: { workers: [1, 2, 3, 4], settleMs: 60_000, forMs: 90_000 },
    many: { workers: 100, blocks },
  });
}

/** Runs the bench in a given size. */
export async function measureWorkers(
  print: (line: string) => void,
  { url, scaling, real, many }: WorkersBench,
): Promise<number> {
  print(`Blocks that wait ${scaling.blockMs} ms each, for ${scaling.forMs / 1000} s, in false rigs:`);
  const shares = await sharesOf(scaling.workers, async (workers) => {
    const { parts } = await runStudy({ url, workers, blockMs: scaling.blockMs, blocks: 100_000, forMs: scaling.forMs });
    return parts.at(-1)!.blocks;
  });
  print(renderTable(SHARES, shares));
  print(`\nBlocks of ${REAL.site} over ${REAL.link}, for ${real.forMs / 1000} s, in a lab for each worker:`);
  const realShares = await sharesOf(real.workers, (workers) => countRealBlocks({ ...real, url, workers }));
  print(renderTable(SHARES, realShares));
  print(`\n${many.workers} workers, ${many.blocks.toLocaleString('en')} blocks that take no time, in false rigs:`);
  const { parts } = await runStudy({ url, ...many, blockMs: 0 });
  print(renderTable(PARTS_COLUMNS, parts));
  const carried = realShares.filter(({ workers }) => workers <= availableParallelism());
  const reached = [...shares, ...carried].every(({ share }) => share >= LEAST_SHARE);
  print(
    `each worker at least ${LEAST_SHARE} of one alone, of real labs one for each core: ${reached ? 'reached' : 'not reached'}`,
  );
  const growths = growthsOf(parts);
  const isFlat = growths.every(({ growth }) => growth <= MOST_GROWTH);
  const said = growths.map(({ what, growth }) => `${what} × ${growth.toFixed(2)}`).join(', ');
  print(`a block late costs at most ${MOST_GROWTH} times one early: ${said}: ${isFlat ? 'flat' : 'grows'}`);
  return reached && isFlat ? 0 : 1;
}

/**
 * How many times as much a block costs in the later half of the parts as in the earlier one, without the first part,
 * in which all begins, and without what comes after the last one, which is the control's.
 */
export function growthsOf(parts: readonly Part[]): readonly { readonly what: string; readonly growth: number }[] {
  const own = parts.slice(1, PARTS);
  const half = Math.floor(own.length / 2);
  const costs = { processor: 'cpuMsPerBlock', heap: 'heapBytesPerBlock', store: 'storeBytesPerBlock' } as const;
  return Object.entries(costs).map(([what, cost]) => {
    // A cache that is dropped in one part says nothing of a block.
    const usual = (some: readonly Part[]) => median(some.map((each) => each[cost]));
    return { what, growth: usual(own.slice(-half)) / usual(own.slice(0, half)) };
  });
}

interface Share {
  readonly workers: number;
  readonly blocks: number;
  readonly share: number;
}

/** What a part of the blocks came to. */
export interface Part {
  /** The blocks done so far. */
  readonly blocks: number;
  readonly seconds: number;
  /** What the coordinator took for each block of the part; what it keeps in memory is what is left of a collection. */
  readonly cpuMsPerBlock: number;
  readonly heapBytesPerBlock: number;
  readonly storeBytesPerBlock: number;
  readonly residentBytes: number;
}

/** How many blocks each number of workers does, beside that many times those of the first number. */
async function sharesOf(
  numbers: readonly number[],
  countBlocks: (workers: number) => Promise<number>,
): Promise<readonly Share[]> {
  const shares: Share[] = [];
  for (const workers of numbers) {
    const blocks = await countBlocks(workers);
    shares.push({ workers, blocks, share: blocks / (workers * (shares[0]?.blocks ?? blocks)) });
  }
  return shares;
}

const SHARES: readonly TerminalColumn<Share>[] = [
  { title: 'workers', align: 'right', text: ({ workers }) => `${workers}` },
  { title: 'blocks', align: 'right', text: ({ blocks }) => `${blocks}` },
  { title: 'of workers × one', align: 'right', text: ({ share }) => share.toFixed(2) },
];

const PARTS_COLUMNS: readonly TerminalColumn<Part>[] = [
  { title: 'blocks', align: 'right', text: ({ blocks }) => blocks.toLocaleString('en') },
  { title: 'seconds', align: 'right', text: ({ seconds }) => seconds.toFixed(0) },
  { title: 'processor ms/block', align: 'right', text: ({ cpuMsPerBlock }) => cpuMsPerBlock.toFixed(2) },
  { title: 'heap bytes/block', align: 'right', text: ({ heapBytesPerBlock }) => heapBytesPerBlock.toFixed(0) },
  { title: 'store bytes/block', align: 'right', text: ({ storeBytesPerBlock }) => storeBytesPerBlock.toFixed(0) },
  { title: 'resident MB', align: 'right', text: ({ residentBytes }) => (residentBytes / 1e6).toFixed(0) },
];

const COORDINATOR: Machine = {
  photofinish: readVersion(),
  chromium: '0',
  servers: {},
  kernel: '',
  cpu: '',
  cores: 1,
  memoryBytes: 0,
  packages: [],
};

/** What workers with real labs load. */
const REAL = { site: 'few-small', link: 'rate=2mbit,rtt=218ms' } as const;

/** How many blocks some workers do on this machine in a while, once all of them have opened their labs. */
async function countRealBlocks(how: {
  readonly url: string;
  readonly workers: number;
  readonly settleMs: number;
  readonly forMs: number;
}): Promise<number> {
  const { url, workers, settleMs, forMs } = how;
  using folder = openBenchFolder(`real-workers-${workers}`);
  await using running = new AsyncDisposableStack();
  for (let number = 1; number <= workers; number += 1)
    running.use(startCommand('worker', url, '--name', `real-${number}`, '--labs', '1', '--beside'));
  const budget = `${(settleMs + forMs) / 60_000}`;
  const what = ['--site', REAL.site, '--link', REAL.link, '--exactly', '10000', '--budget', budget];
  const beganMs = performance.now();
  let blocks = 0;
  for await (const { event } of measureApart([...what, '--workers', url, '--beside', '--out', folder.path])) {
    const atMs = performance.now() - beganMs;
    if (event === 'block' && atMs >= settleMs && atMs < settleMs + forMs) blocks += 1;
  }
  return blocks;
}

interface Simulated {
  readonly url: string;
  readonly workers: number;
  readonly blockMs: number;
  readonly blocks: number;
  /** From the first block on; absent: until all are done. */
  readonly forMs?: number;
}

/** Coordinates a generated study in this process, with its workers in another. */
async function runStudy({ url, workers, blockMs, blocks, forMs }: Simulated): Promise<{ parts: readonly Part[] }> {
  using folder = openBenchFolder(`workers-${workers}`);
  const { study, plan } = generatedPlan(blocks);
  const path = join(folder.path, STORE_FILE);
  const job = fileURLToPath(new URL('workers-job.ts', import.meta.url));
  await using _workers = start([process.execPath, ...process.execArgv, job, url, `${workers}`, `${blockMs}`]);
  using store = openStore(path);
  store.writeStudy({ study, plan });
  const session = store.beginSession(COORDINATOR, Date.now(), []);
  await using connection = await connect(url);
  const stop = new AbortController();
  const parts: Part[] = [];
  let [count, beganMs] = [0, 0];
  let told = { blocks: 0, cpuMs: 0, heapBytes: heapNow(), storeBytes: 0 };
  const tellPart = () => {
    const cpuMs = cpuMsNow();
    const now = { blocks: count, cpuMs, heapBytes: heapNow(), storeBytes: bytesOf(path) };
    const own = Math.max(1, now.blocks - told.blocks);
    parts.push({
      blocks: count,
      seconds: (performance.now() - beganMs) / 1000,
      cpuMsPerBlock: (cpuMs - told.cpuMs) / own,
      heapBytesPerBlock: (now.heapBytes - told.heapBytes) / own,
      storeBytesPerBlock: (now.storeBytes - told.storeBytes) / own,
      residentBytes: process.memoryUsage.rss(),
    });
    told = { ...now, cpuMs: cpuMsNow() };
  };
  const tell = ({ event }: { readonly event: string }) => {
    if (event !== 'block') return;
    if (count === 0) {
      beganMs = performance.now();
      told = { ...told, cpuMs: cpuMsNow() };
      if (forMs !== undefined) setTimeout(() => stop.abort(), forMs);
    }
    count += 1;
    if (count % Math.ceil(blocks / PARTS) === 0) tellPart();
  };
  await using coordinator = await openCoordinator(plan, {
    connection,
    store,
    folder: folder.path,
    tell,
    stop: stop.signal,
    sites: new Map(),
    mixed: false,
    keeps: { pcap: false, netLog: false },
    lookEveryMs: 20,
  });
  await conduct(plan, { store, session, folder: folder.path, stop: stop.signal, tell }, (news) => {
    coordinator.follow(news);
    return coordinator;
  });
  if (parts.at(-1)?.blocks !== count) tellPart();
  // Blocks that were handed out and given up are taken out of Redis.
  if (forMs !== undefined) await coordinator.end();
  return { parts };
}

/** What is in use once all that is not has been collected. */
function heapNow(): number {
  collect();
  return process.memoryUsage().heapUsed;
}

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

function cpuMsNow(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function bytesOf(path: string): number {
  return [path, `${path}-wal`].reduce((sum, each) => sum + (statSync(each, { throwIfNoEntry: false })?.size ?? 0), 0);
}

/*
 * Runs the live tests, each file in an enclosure of its own, so that whatever it leaves behind is gone with it: first those
 * in `beside/`, as many at a time as the cores have room for, then those that measure the machine and have it to
 * themselves. Where this machine can make no enclosure, they run all the same, outside: each then says why it cannot be
 * tried, and is counted.
 *
 * With `--all` the unit tests and those of the pages run as well, in the processor time that nothing else wants: half of the
 * time of a live test is waiting. Those of the pages begin when the last test in `beside/` has begun: three at a time would
 * slow live tests down, and one alone would leave a core idle at the end.
 */

import { spawn } from 'node:child_process';
import { availableParallelism, constants } from 'node:os';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EnvironmentError } from '../../harness/model/errors.ts';
import { sumOf } from '../../harness/stats/order.ts';
import { findEnclosure, runEnclosed } from '../../harness/system/enclosure.ts';
import { withShare } from '../../harness/system/give-way.ts';
import { type Argv, run } from '../../harness/system/process.ts';
import { makeSites } from './furnish.ts';
import { cpuMsOfChildren } from './processes.ts';

const jest = fileURLToPath(new URL('../../node_modules/jest/bin/jest.js', import.meta.url));
const flags = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];

const ALL = '--all';
const asked = process.argv.slice(2).filter((word) => word !== ALL);
const isAll = process.argv.includes(ALL);

/** The projects by their names in `jest.config.mjs`. */
type Project = 'live' | 'beside';

/** What a failed test left running goes with its enclosure: Jest does not wait for it, or all other files would wait as well. */
function argvOf(project: Project, ...more: readonly string[]): Argv {
  return [
    process.execPath,
    ...flags,
    jest,
    '--selectProjects',
    project,
    '--runInBand',
    '--forceExit',
    ...asked,
    ...more,
  ];
}

/** Tests that need no lab. They take only what live tests leave of the processor, which have sessions of their own. */
function argvWithoutLab(project: 'unit' | 'pages'): Argv {
  const idle = ['chrt', '--idle', '0', 'nice', '-n', '19'] as const;
  return [
    ...idle,
    process.execPath,
    ...flags,
    jest,
    '--selectProjects',
    project,
    '--ci',
    '--passWithNoTests',
    ...asked,
  ];
}

/** The files of a project that were asked for: all, or those with a pattern in their names. */
async function filesOf(project: Project): Promise<string[]> {
  return (await run(argvOf(project, '--listTests'))).match(/\/\S+\.test\.ts/g) ?? [];
}

/** What a file takes where nothing else runs: most of them wait for slow links most of the time. */
interface Need {
  readonly seconds: number;
  /** How many cores it takes on average. */
  readonly cores: number;
}

/**
 * What each file in `beside/` takes; `run.ts` prints what it took. Where times are measured more is asked for, so that no
 * more than one other file runs meanwhile.
 */
const NEEDS: Readonly<Record<string, Need>> = {
  remote: { seconds: 240, cores: 0.45 },
  dncs2020: { seconds: 125, cores: 0.35 },
  'own-page': { seconds: 190, cores: 0.5 },
  oliveira2020: { seconds: 130, cores: 0.3 },
  // Its round trips are counted in milliseconds: with a neighbour it had to be tried four times.
  load: { seconds: 75, cores: 1.8 },
  grid: { seconds: 75, cores: 0.4 },
  valle2023: { seconds: 110, cores: 0.35 },
  kramer2015: { seconds: 90, cores: 0.5 },
  // It plays a trace by the millisecond: beside two others it failed five times in a row.
  link: { seconds: 90, cores: 1.3 },
  network: { seconds: 50, cores: 0.5 },
  'oliveira2020-pairs': { seconds: 80, cores: 0.45 },
  together: { seconds: 86, cores: 0.65 },
  killed: { seconds: 115, cores: 0.55 },
  servers: { seconds: 61, cores: 0.5 },
  'live-page': { seconds: 85, cores: 0.4 },
  workers: { seconds: 70, cores: 0.4 },
  arms: { seconds: 60, cores: 0.2 },
  lighthouse: { seconds: 54, cores: 0.5 },
  offers: { seconds: 54, cores: 0.4 },
  enclosure: { seconds: 53, cores: 0.4 },
  upload: { seconds: 42, cores: 0.5 },
  'load-failures': { seconds: 36, cores: 0.4 },
  record: { seconds: 35, cores: 0.3 },
};
/** What is taken for a small file, and for one that is not written down yet. */
const UNKNOWN: Need = { seconds: 15, cores: 0.5 };
/** Cores that may be asked for at once: needs are averages. */
const ROOM = 0.9 * availableParallelism();

/**
 * Files that have no other live test beside them, but may have those without a lab, which give way: they ask for what came
 * about, or for times beside each other, which what gives way changes alike.
 */
const BESIDE_UNITS: ReadonlySet<string> = new Set(['study', 'goncalves2015', 'observer']);

interface Job extends Need {
  readonly name: string;
  readonly kind: Project | 'without lab';
  readonly run: () => Promise<number>;
  /** Begins when no file in `beside/` waits any longer. */
  readonly afterBeside?: true;
}

/**
 * The files that record pages by browsers in the machine's own network. Other tests give that network interfaces and take
 * them away, at which Chromium ends all requests, so that these files have a network of their own.
 */
const OWN_NETWORK: ReadonlySet<string> = new Set(['record', 'folder']);

function inOwnNetwork(argv: Argv): Argv {
  return ['unshare', '--net', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh', ...argv];
}

function jobOf(project: Project, file: string): Job {
  const name = basename(file, '.test.ts');
  const { seconds, cores } = NEEDS[name] ?? UNKNOWN;
  const argv = argvOf(project, `--testMatch=${file}`);
  const run = () => runEnclosed(OWN_NETWORK.has(name) ? inOwnNetwork(argv) : argv);
  const alone = BESIDE_UNITS.has(name) ? ROOM : Number.POSITIVE_INFINITY;
  return { name, kind: project, run, seconds, cores: project === 'live' ? alone : cores };
}

function withoutLab(project: 'unit' | 'pages'): Job {
  const run = () => runInherited(argvWithoutLab(project));
  return { name: project, kind: 'without lab', seconds: 0, cores: 0, run };
}

const WITHOUT_LAB: readonly Job[] = [withoutLab('unit'), { ...withoutLab('pages'), afterBeside: true }];

const { SIGABRT, SIGKILL, SIGSEGV } = constants.signals;
/** Jest ends with 0 or 1, or crashes; what was asked to stop ends by other signals. */
const CRASHES: ReadonlySet<number> = new Set([SIGABRT, SIGKILL, SIGSEGV].map((signal) => 128 + signal));
const isStopped = (code: number) => code > 1 && !CRASHES.has(code);

/** How many files may fail beside others and pass alone: more of them did not fail by chance. */
const MOST_AGAIN = 2;

/**
 * A file that failed beside others is run once more when it has the machine to itself: its neighbours, and other machines
 * on the same host, may hold up what it measures. Both results are printed.
 */
async function runAgainAlone(failed: readonly Job[]): Promise<number> {
  if (failed.length === 0 || failed.length > MOST_AGAIN) return Math.min(failed.length, 1);
  const codes: number[] = [];
  for (const job of failed) {
    process.stderr.write(`RUN AGAIN ALONE: ${job.name}, which failed beside others\n`);
    codes.push(await job.run());
    process.stderr.write(`${codes.at(-1) === 0 ? 'PASSED' : 'FAILED'} ALONE, FAILED BESIDE OTHERS: ${job.name}\n`);
  }
  return Math.max(...codes);
}

async function runInside(alone: readonly string[], beside: readonly string[]): Promise<number> {
  const hadOthers = new Set<Job>();
  const failedBeside: Job[] = [];
  let waiting = [
    ...(isAll ? WITHOUT_LAB : []),
    // The long ones first, so that all end together.
    ...beside.map((file) => jobOf('beside', file)).toSorted((a, b) => b.seconds - a.seconds),
    // Those that need less first.
    ...alone.map((file) => jobOf('live', file)).toSorted((a, b) => Number(a.cores > ROOM) - Number(b.cores > ROOM)),
  ];
  const running = new Map<Job, Promise<void>>();
  const codes: number[] = [];
  const isDue = ({ afterBeside }: Job) => !(afterBeside && waiting.some(({ kind }) => kind === 'beside'));
  const hasRoom = ({ cores }: Job) =>
    running.size === 0 || cores + sumOf([...running.keys()].map((each) => each.cores)) <= ROOM;
  const startedMs = performance.now();
  let knownCpuMs = cpuMsOfChildren();
  const begin = async (job: Job) => {
    const beganMs = performance.now();
    const code = await job.run();
    if (code !== 0 && !isStopped(code) && hadOthers.has(job)) failedBeside.push(job);
    else codes.push(code);
    const tookMs = performance.now() - beganMs;
    // The kernel adds what a job took once it has ended.
    const cpuMs = cpuMsOfChildren() - knownCpuMs;
    knownCpuMs += cpuMs;
    const sinceStart = Math.round((performance.now() - startedMs) / 1000);
    process.stderr.write(
      `TOOK: ${job.name}: ${Math.round(tookMs / 1000)} s, ${(cpuMs / tookMs).toFixed(2)} cores, until second ${sinceStart}\n`,
    );
    running.delete(job);
  };
  for (;;) {
    const next = codes.some(isStopped) ? undefined : waiting.find((job) => isDue(job) && hasRoom(job));
    if (next) {
      waiting = waiting.filter((job) => job !== next);
      running.set(next, begin(next));
      if (running.size > 1) for (const job of running.keys()) if (job.kind !== 'without lab') hadOthers.add(job);
    } else if (running.size > 0) await Promise.race(running.values());
    else return Math.max(...codes, codes.some(isStopped) ? 1 : await runAgainAlone(failedBeside));
  }
}

async function runOutside(alone: readonly string[], beside: readonly string[]): Promise<number> {
  const codes: number[] = [];
  if (isAll) for (const job of WITHOUT_LAB) codes.push(await job.run());
  if (alone.length > 0) codes.push(await runInherited(argvOf('live')));
  if (beside.length > 0) codes.push(await runInherited(argvOf('beside')));
  return Math.max(...codes);
}

/** Runs a program with this process's own terminal, in its process group; resolves with its exit code, or 4 for a signal. */
async function runInherited(argv: Argv): Promise<number> {
  const [command, ...args] = argv;
  const child = spawn(command, args, { stdio: 'inherit' });
  return new Promise<number>((resolve, reject) => {
    child.once('error', (cause) => reject(new Error(`cannot start '${argv.join(' ')}': ${cause.message}`, { cause })));
    child.once('exit', (code) => resolve(code ?? 4));
  });
}

const files = [await filesOf('live'), await filesOf('beside')] as const;
if (!isAll && files.flat().length === 0) throw new Error(`no live test is called ${asked.join(' ')}`);
try {
  await findEnclosure();
  makeSites(); // Once, and not in all enclosures that begin at the same time.
  // Live tests have sessions of their own: what gives way is this one, with the tests without a lab.
  process.exitCode = await (isAll
    ? withShare([process.pid], 'givesWay', () => runInside(...files))
    : runInside(...files));
} catch (error) {
  if (!(error instanceof EnvironmentError)) throw error;
  process.env.PHOTOFINISH_NO_LAB = error.message;
  process.exitCode = await runOutside(...files);
}

/*
 * `npm run test:faults`: does to a study whatever a night may bring, one thing after the other, and prints a line for each:
 * what was injected, what came of it, how many finished blocks were lost, and what was left behind. Both must be 0.
 */
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { recordPage } from '../../harness/browser/record/record-page.ts';
import { measure, parseMeasure } from '../../harness/commands/measure.ts';
import { parseReport, report } from '../../harness/commands/report.ts';
import { measurementOf } from '../../harness/measurement/measurement.ts';
import { DEVICES } from '../../harness/model/device.ts';
import { EnvironmentError, UsageError } from '../../harness/model/errors.ts';
import type { StudyEvent } from '../../harness/model/event.ts';
import { UNLIMITED } from '../../harness/model/link.ts';
import { type Lab, openLab } from '../../harness/run/lab.ts';
import { readMachine } from '../../harness/run/machine.ts';
import { findSite } from '../../harness/run/sites.ts';
import { openStoreToRead } from '../../harness/store/store.ts';
import { isDiskError } from '../../harness/system/disk-error.ts';
import { furnishEnclosure, isEnclosed, runEnclosed, SCRATCH } from '../../harness/system/enclosure.ts';
import { type Argv, run } from '../../harness/system/process.ts';
import { readTools } from '../../harness/system/tools.ts';
import { takeTurn } from '../../harness/system/turn.ts';
import { openFakeLab } from '../fakes/lab.ts';
import { MACHINE } from '../fakes/machine.ts';
import { findProcesses } from './processes.ts';
import { HOARD, scriptedSite } from './scripted-site.ts';

const LIMIT_MS = 360_000;
const SITE = 'few-small';
/** A load of the small site takes about a second. */
const LINK = 'rate=1mbit,rtt=150ms';
const TIMEOUT_S = 6;

/** What became of it, in words; throws where it is not what must become of it. */
type Fault = () => Promise<Outcome>;

interface Outcome {
  readonly says: string;
  readonly lost: number;
}

const scratch = mkdtempSync(join(tmpdir(), 'photofinish-faults-'));
let lab: Lab | undefined;
let studies = 0;

function must(holds: boolean, says: string): void {
  if (!holds) throw new Error(says);
}

/** The lab that all faults are done to, so that its link is measured but once. */
async function sharedLab(): Promise<Lab> {
  lab ??= await openLab({
    sites: [findSite(SITE), scriptedSite(scratch, 'hoards', HOARD)],
    setups: [{ name: 'nginx' }, ...(hasHaproxy() ? [{ name: 'haproxy' }] : [])] as never,
  });
  return { ...lab, async [Symbol.asyncDispose]() {} };
}

function hasHaproxy(): boolean {
  return !('missing' in readTools().servers.haproxy);
}

/** Runs a small study to its end, and has something happen in the middle of one of its loads. */
async function duringStudy(
  happens: () => void,
  flags: Readonly<Record<string, unknown>> = {},
): Promise<Outcome & { readonly voids: number; readonly failed: number; readonly tookMs: number }> {
  studies += 1;
  const out = join(scratch, `${studies}`);
  const events: StudyEvent[] = [];
  let hasHappened = false;
  let unlucky: Error | undefined;
  const output = {
    write(text: string) {
      const event = JSON.parse(text) as StudyEvent;
      events.push(event);
      // Whoever measures has browsers and servers by then, and the load is under way a moment later.
      if (hasHappened || event.event !== 'progress' || event.arm === undefined || told() < 1) return;
      hasHappened = true;
      setTimeout(() => {
        try {
          happens();
        } catch (error) {
          unlucky = error as Error;
        }
      }, 300);
    },
  };
  const told = () => events.filter(({ event }) => event === 'block').length;
  const asked = {
    site: [SITE],
    link: [LINK],
    arms: 'h1,h2',
    exactly: '3',
    timeout: `${TIMEOUT_S}`,
    seed: '7',
    out,
    ...flags,
  };
  const beganMs = performance.now();
  const code = await measure({ ...parseMeasure(asked), json: true }, output, { readMachine, openLab: sharedLab });
  must(code === 0, `the study ended with ${code}`);
  if (unlucky) throw unlucky;
  must(hasHappened, 'nothing was injected');
  using store = openStoreToRead(join(out, 'study.sqlite'));
  const trials = store.measurements();
  const count = (status: string) => trials.filter((trial) => trial.status === status).length;
  must(events.at(-1)?.event === 'ended', 'the end was not told');
  const lost = told() - store.blocks().length;
  return {
    says: `${count('void')} loads void, ${count('failed')} failed, ${count('ok')} good; the study finished`,
    ...{ lost, voids: count('void'), failed: count('failed'), tookMs: performance.now() - beganMs },
  };
}

/** Something of the lab is harmed: loads are void, and no arm has failed. */
async function harming(happens: () => void, flags?: Readonly<Record<string, unknown>>): Promise<Outcome> {
  const outcome = await duringStudy(happens, flags);
  must(outcome.failed === 0, `${outcome.failed} loads count as an arm's failure: ${outcome.says}`);
  must(outcome.voids > 0, `no load was void: ${outcome.says}`);
  return outcome;
}

function signalAll(pattern: RegExp, signal: NodeJS.Signals): void {
  const found = findProcesses(pattern).filter((pid) => pid !== process.pid);
  must(found.length > 0, `no process ${pattern}`);
  for (const pid of found) process.kill(pid, signal);
}

const NGINX = /nginx: (worker|master)|\/nginx .*nginx\.conf/;
const HAPROXY = /haproxy/;
const BACKEND = /site\/backend\.ts/;
const KERNEL = /linux\.uml .*mem=/;
const CHROMIUM = /chromium\/chromium .*--remote-debugging-pipe/;

/** Something is recorded from a server of this machine's. */
async function recordFrom(listener: RequestListener, limits: { answerMs: number; logBytes: number }) {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const { port } = server.address() as AddressInfo;
    return await recordPage({
      ...{ url: `http://127.0.0.1:${port}/`, chromium: readTools().chromium.path, folder: `${SCRATCH}/fault-record` },
      ...{ device: DEVICES.desktop, seed: 1, insecure: false, resolved: [], waitMs: 0, limits },
      signal: new AbortController().signal,
    });
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

async function refusal(work: () => Promise<unknown>): Promise<Error> {
  return work().then(
    () => {
      throw new Error('it went on as if nothing were');
    },
    (error: Error) => error,
  );
}

const fakeWorld = {
  readMachine: () => MACHINE,
  openLab: async () => openFakeLab({ timeOf: ({ protocol }) => (protocol === 'h1' ? 300 : 100) }).lab,
};
const quiet = { write: () => {} };

/** By what is injected. */
const FAULTS: Readonly<Record<string, Fault>> = {
  'nginx stopped (SIGSTOP)': () => harming(() => signalAll(NGINX, 'SIGSTOP')),
  ...(hasHaproxy() && {
    'HAProxy stopped (SIGSTOP)': () => harming(() => signalAll(HAPROXY, 'SIGSTOP'), { server: ['haproxy'] }),
  }),
  'the upload backend stopped (SIGSTOP)': () => harming(() => signalAll(BACKEND, 'SIGSTOP')),
  "the link's kernel stopped (SIGSTOP)": () => harming(() => signalAll(KERNEL, 'SIGSTOP')),
  "the link's kernel dead (SIGKILL)": () => harming(() => signalAll(KERNEL, 'SIGKILL')),
  'Chromium stopped, its pipe silent (SIGSTOP)': async () => {
    return await harming(() => signalAll(CHROMIUM, 'SIGSTOP'));
  },
  'Chromium dead (SIGKILL)': async () => {
    const outcome = await duringStudy(() => signalAll(CHROMIUM, 'SIGKILL'));
    return { ...outcome, says: `${outcome.says}; a crash of the browser is data` };
  },
  'a page that allocates without bound': async () => {
    const { load, setLink } = await sharedLab();
    await setLink(UNLIMITED);
    const loaded = async (site: string) => {
      const how = { protocol: 'h2', visit: 'cold', device: 'desktop', timeoutMs: 20_000 } as const;
      return measurementOf({ condition: site, block: 0, arm: 'h2' }, await load({ site, ...how }));
    };
    const hoarder = await loaded('hoards');
    const next = await loaded(SITE);
    must(hoarder.status !== 'void', `void: ${JSON.stringify(hoarder)}`);
    must(next.status === 'ok', `the next load: ${JSON.stringify(next)}`);
    return { says: `it was refused what it was not to have (${hoarder.status}); the next load is clean`, lost: 0 };
  },
  'a server that accepts and never answers, while recording': async () => {
    const error = await refusal(() => recordFrom(() => {}, { answerMs: 3_000, logBytes: 1e9 }));
    must(error instanceof UsageError && /did not answer within 3 s/.test(error.message), `${error.stack}`);
    return { says: error.message.replace(/http\S+/, 'ADDRESS'), lost: 0 };
  },
  'an endless response while recording': async () => {
    const chunk = Buffer.alloc(65_536, 'x');
    const seen = await recordFrom(
      ({ url }, response) => {
        if (url !== '/endless')
          return void response.setHeader('content-type', 'text/html').end('<script src="/endless"></script>');
        response.setHeader('content-type', 'text/javascript');
        const pour = () => {
          while (!response.destroyed && response.write(chunk));
        };
        response.on('drain', pour);
        pour();
      },
      { answerMs: 20_000, logBytes: 100_000_000 },
    );
    const note = seen.notes.find((each) => /no end/.test(each));
    must(note !== undefined, `no note: ${seen.notes.join('; ')}`);
    return { says: note!, lost: 0 };
  },
  'two studies at once': async () => {
    const [out, met, waited]: [string, unknown[], unknown[]] = [join(scratch, 'turn'), [], []];
    const stop = new AbortController().signal;
    const name = `photofinish-fault-${process.pid}`;
    const options = (study: string, beside: boolean) => ({
      ...{ own: { study, out }, beside, stop, name },
      ...{ waits: (other: unknown) => waited.push(other), meets: (other: unknown) => met.push(other) },
    });
    const first = await takeTurn(options('first', false));
    const second = takeTurn(options('second', false));
    await takeTurn(options('third', true));
    await new Promise((resolve) => setTimeout(resolve, 200));
    must(waited.length === 1, `it waited for ${JSON.stringify(waited)}`);
    must(
      JSON.stringify(met).includes('third') && JSON.stringify(met).includes('first'),
      `both must know: ${JSON.stringify(met)}`,
    );
    await first![Symbol.asyncDispose]();
    await (await second)![Symbol.asyncDispose]();
    return { says: 'the second waited and then began; the one beside is known to both', lost: 0 };
  },
  'the clock set back and forth by an hour': async () => {
    const now = Date.now;
    let apartMs = 0;
    Date.now = () => now() + apartMs;
    try {
      const outcome = await duringStudy(
        () => {
          apartMs = 3_600_000;
          setTimeout(() => {
            apartMs = 0;
          }, 5_000);
        },
        { budget: '30' },
      );
      must(outcome.voids > 0, `the load during which it was set counts: ${outcome.says}`);
      must(outcome.failed === 0, outcome.says);
      return outcome;
    } finally {
      Date.now = now;
    }
  },
  'disk full in mid-run': async () => {
    const out = join(scratch, 'full');
    mkdirSync(out);
    await run(['mount', '-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', out]);
    try {
      const asked = { site: [SITE], link: ['fibre'], exactly: '120', seed: '7', out };
      const told = countBlocks();
      const error = await refusal(() => measure({ ...parseMeasure(asked), json: true }, told, fakeWorld));
      const first = error instanceof SuppressedError ? (error.suppressed as Error) : error;
      must(first instanceof EnvironmentError || isDiskError(first), `${first.stack}`);
      await run(['mount', '-o', 'remount,size=200m', out]);
      const before = blocksIn(out);
      must(before >= told.blocks, `${told.blocks} were told of, ${before} are there`);
      must((await measure({ ...parseMeasure({ out }), json: true }, quiet, fakeWorld)) === 0, 'it does not go on');
      return {
        says: `exit code 3 after ${before} blocks (${first.message.slice(0, 60)}…); it went on`,
        lost: told.blocks - before,
      };
    } finally {
      await run(['umount', out]);
    }
  },
  '`report` beside a running `measure`': async () => {
    const out = join(scratch, 'beside');
    const told = countBlocks();
    const asked = { site: [SITE], link: ['fibre'], exactly: '60', seed: '7', out };
    const measured = measure({ ...parseMeasure(asked), json: true }, told, fakeWorld).then(() => true);
    let reports = 0;
    for (let over = false; !over; ) {
      over = await Promise.race([measured, new Promise<boolean>((resolve) => setTimeout(() => resolve(false), 150))]);
      try {
        await report(parseReport({}, [out]), () => {});
        reports += 1;
      } catch (error) {
        must(error instanceof UsageError, `${(error as Error).stack}`); // Nothing was written yet.
      }
    }
    JSON.parse(readFileSync(join(out, 'summary.json'), 'utf8'));
    const partial = (readdirSync(out, { recursive: true }) as string[]).filter((name) => name.includes('partial'));
    must(partial.length === 0, `left: ${partial.join(', ')}`);
    return { says: `${reports} reports meanwhile, each whole`, lost: told.blocks - blocksIn(out) };
  },
};

/** Counts the finished blocks that a study tells of. */
function countBlocks() {
  return {
    blocks: 0,
    write(text: string) {
      if (text.includes('"event":"block"')) this.blocks += 1;
    },
  };
}

function blocksIn(folder: string): number {
  using store = openStoreToRead(join(folder, 'study.sqlite'));
  return store.blocks().length;
}

/** Processes, network namespaces and scratch files that are there once all labs are closed. */
function leftovers(): readonly string[] {
  const processes = findProcesses(/chromium|nginx|haproxy|linux\.uml|tcpdump|backend\.ts/).map(
    (pid) => `process ${pid}`,
  );
  const namespaces = readdirSync('/run/netns').map((name) => `namespace ${name}`);
  return [...processes, ...namespaces];
}

async function closeLab(): Promise<void> {
  try {
    await lab?.[Symbol.asyncDispose]();
  } catch (error) {
    print(`the lab's end: ${(error as Error).stack}`);
  }
  lab = undefined;
}

async function main(): Promise<number> {
  const beganMs = performance.now();
  const wanted = process.argv.slice(2);
  let failures = 0;
  try {
    for (const [injected, fault] of Object.entries(FAULTS)) {
      if (wanted.length > 0 && !wanted.some((word) => injected.includes(word))) continue;
      const atMs = performance.now();
      const seconds = () => `${Math.round((performance.now() - atMs) / 1000)} s`;
      try {
        const { says, lost } = await fault();
        if (lost !== 0) failures += 1;
        print(`${lost === 0 ? 'ok  ' : 'FAIL'} ${injected}: ${says}; ${lost} blocks lost (${seconds()})`);
      } catch (error) {
        failures += 1;
        print(`FAIL ${injected}: ${(error as Error).stack} (${seconds()})`);
        await closeLab();
      }
    }
  } finally {
    await closeLab();
    rmSync(scratch, { recursive: true, force: true });
  }
  const left = leftovers();
  const tookMs = performance.now() - beganMs;
  print(
    `${left.length} left behind${left.length > 0 ? `: ${left.join(', ')}` : ''}; ${Math.round(tookMs / 1000)} s of ${LIMIT_MS / 1000}`,
  );
  return failures + left.length > 0 || tookMs > LIMIT_MS ? 1 : 0;
}

function print(line: string): void {
  writeFileSync(1, `${line}\n`);
}

if (isEnclosed()) {
  await furnishEnclosure();
  process.exit(await main());
}
process.exitCode = await runEnclosed([
  process.execPath,
  ...process.execArgv,
  ...process.argv.slice(1),
] as unknown as Argv);

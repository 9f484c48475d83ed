import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { measure, parseMeasure } from '../../../harness/commands/measure.ts';
import type { StudyEvent, TrialNews } from '../../../harness/model/event.ts';
import { readMachine } from '../../../harness/run/machine.ts';
import { sumOf } from '../../../harness/stats/order.ts';
import { openStoreToRead } from '../../../harness/store/store.ts';
import { start } from '../../../harness/system/process.ts';
import { findProcesses } from '../processes.ts';
import { LINK, must, type Outcome, processesLeft, SITE, scratch, sharedLab, signalAll, TIMEOUT_S } from './world.ts';

/* Faults in the middle of a study's loads: one study for all of them, one fault in every other block. */

interface InStudy {
  readonly happens: () => void;
  /** What the load becomes: void by the part that is at fault, or the arm's failure. */
  readonly becomes: `${'void' | 'failed'}: ${string}`;
}

const NGINX = /nginx: (worker|master)|\/nginx .*nginx\.conf/;
const BACKEND = /site\/backend\.ts/;
const KERNEL = /linux\.uml .*mem=/;
const CHROMIUM = /chromium\/chromium\S* .*--remote-debugging-pipe/;
const STOPPED_S = 4;

/** Sets the clock of this process, and of all that it reckons with, to an hour later, and soon to an hour earlier. */
function setClock(): void {
  const now = Date.now;
  let apartMs = 3_600_000;
  Date.now = () => now() + apartMs;
  setTimeout(() => {
    apartMs = -3_600_000;
  }, 1_500);
  setTimeout(() => {
    Date.now = now;
  }, 3_000);
}

/** Stops all processes in this enclosure, this one too, and lets them go on, as a laptop's lid does. */
function suspend(): void {
  start(['perl', '-e', `kill 'STOP', -1; sleep ${STOPPED_S}; kill 'CONT', -1`]);
}

/** What a first answer has, beside the handshake. */
const FIRST_BYTES = 5_000;

/** The bytes that browsers have received so far. */
function receivedBytes(): number {
  const ofAll = findProcesses(CHROMIUM).map((pid) => {
    const counters = readFileSync(`/proc/${pid}/net/dev`, 'utf8').matchAll(/^\s*(?!lo:)\S+:\s*(\d+)/gm);
    return sumOf([...counters].map(([, bytes]) => Number(bytes)));
  });
  return Math.max(0, ...ofAll);
}

/** Waits until a page has begun to come: a busy machine begins a load late. */
async function underWay(): Promise<void> {
  const before = receivedBytes();
  for (let looks = 0; looks < 400 && receivedBytes() < before + FIRST_BYTES; looks += 1) await sleep(25);
}

export const IN_STUDY: Readonly<Record<string, InStudy>> = {
  'nginx stopped (SIGSTOP)': { happens: () => signalAll(NGINX, 'SIGSTOP'), becomes: 'void: server' },
  'the upload backend stopped (SIGSTOP)': { happens: () => signalAll(BACKEND, 'SIGSTOP'), becomes: 'void: server' },
  'Chromium stopped, its pipe silent (SIGSTOP)': {
    happens: () => signalAll(CHROMIUM, 'SIGSTOP'),
    becomes: 'void: harness',
  },
  'Chromium dead (SIGKILL)': { happens: () => signalAll(CHROMIUM, 'SIGKILL'), becomes: 'failed: browser-crash' },
  'the clock set back and forth by an hour': { happens: setClock, becomes: 'void: harness' },
  'the machine suspended in mid-load': { happens: suspend, becomes: 'void: ' },
  "the link's kernel stopped (SIGSTOP)": { happens: () => signalAll(KERNEL, 'SIGSTOP'), becomes: 'void: link' },
  "the link's kernel dead (SIGKILL)": { happens: () => signalAll(KERNEL, 'SIGKILL'), becomes: 'void: link' },
};

/** Runs a study to its end, in which each of some faults happens; tells what became of each, or why it is not right. */
export async function runInStudy(names: readonly string[]): Promise<ReadonlyMap<string, Outcome | Error>> {
  const results = new Map<string, Outcome | Error>();
  const waiting = [...names];
  let [current, isClean, blocks, beganMs]: [string | undefined, boolean, number, number] = [undefined, true, 0, 0];
  const harm = async (name: string) => {
    try {
      await underWay();
      IN_STUDY[name]!.happens();
    } catch (error) {
      results.set(name, error as Error);
    }
  };
  const write = (text: string) => {
    const event = JSON.parse(text) as StudyEvent;
    if (event.event === 'block') {
      blocks += 1;
      const took = `${Math.round((performance.now() - beganMs) / 1000)} s`;
      if (current !== undefined && !results.has(current)) results.set(current, judge(current, event.trials, took));
      isClean = current === undefined;
      current = undefined;
    }
    // The browsers and servers of a study are there after its first block.
    if (event.event !== 'progress' || event.arm === undefined || blocks === 0 || current !== undefined || !isClean)
      return;
    current = waiting.shift();
    beganMs = performance.now();
    if (current !== undefined) void harm(current);
  };
  // Blocks before, between and after them; one that an arm's failure is in counts, too.
  const failing = names.filter((name) => IN_STUDY[name]!.becomes.startsWith('failed'));
  const exactly = `${names.length + failing.length + 1}`;
  const asked = {
    site: [SITE],
    link: [LINK],
    arms: 'h1,h2',
    exactly,
    timeout: `${TIMEOUT_S}`,
    seed: '7',
    budget: '600',
    out: join(scratch, 'study'),
  };
  const request = { ...parseMeasure(asked), json: true };
  const code = await measure(request, { write }, { readMachine, openLab: sharedLab });
  must(code === 0, `the study ended with ${code}`);
  using store = openStoreToRead(join(asked.out, 'study.sqlite'));
  const lost = blocks - store.blocks().length;
  for (const name of names) {
    const result = results.get(name) ?? new Error('it did not come to it');
    results.set(name, result instanceof Error ? result : { ...result, lost });
  }
  return results;
}

/** What became of the block in which something happened. */
function judge(name: string, trials: readonly TrialNews[], took: string): Outcome | Error {
  const { becomes } = IN_STUDY[name]!;
  const all = trials.map((trial) => (trial.status === 'ok' ? 'ok' : `${trial.status}: ${trial.reason}: ${trial.says}`));
  const [harmed] = all.filter((each) => each.startsWith(becomes));
  // A fault that is not the arm's never counts as its failure.
  const isWrong = harmed === undefined || (becomes.startsWith('void') && all.some((each) => each.startsWith('failed')));
  if (isWrong) return new Error(`it is to become ${becomes}, and became ${all.join(', ')}`);
  const left = processesLeft('strays');
  return { says: `the load is ${harmed}, its block done after ${took}; the study went on`, lost: 0, left };
}

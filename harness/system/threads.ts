import { readdirSync, readFileSync } from 'node:fs';
import { familyOf, orNone } from './family.ts';

/** What the threads of a program, and of all that it started, did in a while. */
export interface ThreadTimes {
  /** For how long they ran, all together. */
  readonly ranMs: number;
  /** For how long they waited for a core, all together. */
  readonly waitedMs: number;
  /** For how long the busiest of them had something to do: it ran, on whichever cores, or waited for one. */
  readonly busiestMs: number;
}

/** Begins to watch a program and all that it starts; the function returned says what their threads did since. */
export function watchThreads(pid: number): () => ThreadTimes {
  const before = readThreads(pid);
  const since = { ms: performance.now(), ticks: ticksSinceBoot() };
  return () => {
    const after = readThreads(pid);
    const isNew = (thread: IdentifiedThread) => beganAt(thread) >= since.ticks;
    return timesBetween(before, after, { isNew, whileMs: performance.now() - since.ms });
  };
}

/** A thread by its number, and what it did so far. */
export interface Thread {
  readonly process: number;
  readonly ranNs: number;
  readonly delayNs: number;
}

type IdentifiedThread = Pick<Thread, 'process'> & { readonly id: string };

/** A wait that had begun before the first reading counts in full once it ends; it is not longer than this. */
const WAITED_BEFORE_MS = 100;

/**
 * What threads did between two readings. The kernel may leave out a child while another one ends. A thread that began
 * before the first reading and is not in it counts for nothing. What a thread did that has ended cannot be read.
 *
 * Nothing waits longer than the time between the readings. Linux 6.18 sometimes says so: it lets a thread that has gone to
 * sleep stay among those that wait, and counts its sleep. Of such a thread only what it ran is taken.
 */
export function timesBetween(
  before: ReadonlyMap<string, Thread>,
  after: ReadonlyMap<string, Thread>,
  { isNew, whileMs }: { readonly isNew: (thread: IdentifiedThread) => boolean; readonly whileMs: number },
): ThreadTimes {
  let [allRanMs, waitedMs, busiestMs] = [0, 0, 0];
  for (const [id, { process, ranNs, delayNs }] of after) {
    const began = before.get(id) ?? (isNew({ id, process }) ? { ranNs: 0, delayNs: 0 } : undefined);
    if (!began) continue;
    const [ranMs, delayMs] = [(ranNs - began.ranNs) / 1e6, (delayNs - began.delayNs) / 1e6];
    const ownMs = ranMs + delayMs <= whileMs + WAITED_BEFORE_MS ? delayMs : 0;
    allRanMs += ranMs;
    waitedMs += ownMs;
    busiestMs = Math.max(busiestMs, ranMs + ownMs);
  }
  return { ranMs: allRanMs, waitedMs, busiestMs };
}

/** How long each thread of a program's family has run and has waited for a core so far, by its `schedstat`. */
function readThreads(pid: number): ReadonlyMap<string, Thread> {
  const threads = new Map<string, Thread>();
  for (const each of familyOf(pid))
    for (const thread of orNone(() => readdirSync(`/proc/${each}/task`)))
      for (const text of orNone(() => [readFileSync(`/proc/${each}/task/${thread}/schedstat`, 'utf8')])) {
        const [ranNs = 0, delayNs = 0] = text.split(' ').map(Number);
        threads.set(thread, { process: each, ranNs, delayNs });
      }
  return threads;
}

/** The kernel counts when something began in hundredths of a second, on all machines. */
const TICKS_A_SECOND = 100;

function ticksSinceBoot(): number {
  return TICKS_A_SECOND * Number(readFileSync('/proc/uptime', 'utf8').split(' ')[0]);
}

/** When a thread began, in ticks since the machine started; never where it has ended meanwhile. */
function beganAt({ process, id }: IdentifiedThread): number {
  // Its name stands in brackets, and may hold anything; the beginning is the twentieth figure after it.
  const [stat = ''] = orNone(() => [readFileSync(`/proc/${process}/task/${id}/stat`, 'utf8')]);
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? Number.NEGATIVE_INFINITY);
}

import { readdirSync, readFileSync } from 'node:fs';

/** What the threads of a program, and of all that it started, did in a while. */
export interface ThreadTimes {
  /** For how long they waited for a core, all together. */
  readonly waitedMs: number;
  /** For how long the busiest of them had something to do: it ran, on whichever cores, or waited for one. */
  readonly busiestMs: number;
}

/** Begins to watch a program and all that it starts; the function returned says what their threads did since. */
export function watchThreads(pid: number): () => ThreadTimes {
  const before = readThreads(pid);
  return () => {
    let [waitedNs, busiestNs] = [0, 0];
    // What a thread did that has ended is nowhere to be read.
    for (const [thread, { ranNs, delayNs }] of readThreads(pid)) {
      const began = before.get(thread);
      waitedNs += delayNs - (began?.delayNs ?? 0);
      busiestNs = Math.max(busiestNs, ranNs + delayNs - (began?.ranNs ?? 0) - (began?.delayNs ?? 0));
    }
    return { waitedMs: waitedNs / 1e6, busiestMs: busiestNs / 1e6 };
  };
}

interface Thread {
  readonly ranNs: number;
  readonly delayNs: number;
}

/** How long each thread of a program's family has run and has waited for a core so far, by its `schedstat`. */
function readThreads(pid: number): ReadonlyMap<string, Thread> {
  const threads = new Map<string, Thread>();
  for (const each of familyOf(pid))
    for (const thread of orNone(() => readdirSync(`/proc/${each}/task`)))
      for (const text of orNone(() => [readFileSync(`/proc/${each}/task/${thread}/schedstat`, 'utf8')])) {
        const [ranNs = 0, delayNs = 0] = text.split(' ').map(Number);
        threads.set(thread, { ranNs, delayNs });
      }
  return threads;
}

/** A program, and what it started, and what that started. */
function familyOf(pid: number): readonly number[] {
  const children = orNone(() =>
    readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean),
    ),
  );
  return [pid, ...children.flatMap((child) => familyOf(Number(child)))];
}

/** What is read of a process or a thread; nothing where it has ended meanwhile. */
function orNone(read: () => string[]): string[] {
  try {
    return read();
  } catch {
    return [];
  }
}

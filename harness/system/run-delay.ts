import { readdirSync, readFileSync } from 'node:fs';

/** Begins to watch processes; the function returned says for how many milliseconds their threads have waited for a core since. */
export function watchRunDelay(pids: readonly number[]): () => number {
  const before = readDelays(pids);
  return () => {
    let ns = 0;
    // What a thread had waited for when it ended is nowhere to be read.
    for (const [thread, delayNs] of readDelays(pids)) ns += delayNs - (before.get(thread) ?? 0);
    return ns / 1e6;
  };
}

/** Nanoseconds that each thread has waited for a core so far: the second figure of its `schedstat`. */
function readDelays(pids: readonly number[]): ReadonlyMap<string, number> {
  const delays = new Map<string, number>();
  for (const pid of pids)
    for (const thread of orNone(() => readdirSync(`/proc/${pid}/task`)))
      for (const text of orNone(() => [readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8')]))
        delays.set(thread, Number(text.split(' ')[1]));
  return delays;
}

/** Nothing of a process or a thread that has ended meanwhile. */
function orNone(read: () => string[]): string[] {
  try {
    return read();
  } catch {
    return [];
  }
}

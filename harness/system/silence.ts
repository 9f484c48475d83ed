import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Argv, run } from './process.ts';

/** Where a program of the lab can be asked whether it answers. */
export interface AskedPlace {
  readonly address: string;
  readonly port: number;
  readonly tls: boolean;
}

/** A part of the lab that serves, and may have fallen silent. */
export interface Asked {
  readonly name: string;
  readonly asked: readonly AskedPlace[];
  /** It does not answer: it counts as ended, and is started again by the next revival. */
  condemn(says: string): void;
}

const PROGRAM = fileURLToPath(new URL('./ask.ts', import.meta.url));
/** What answers at all answers long before: it is asked on its own host, and not over the link. */
const LIMIT_MS = 1_500;
const START_MS = 20_000;

/** Asks all parts from inside their host, at once, and condemns those that do not answer; without a host, from here. */
export async function condemnSilent(
  namespace: string | undefined,
  parts: readonly Asked[],
  limitMs = LIMIT_MS,
): Promise<void> {
  const textOf = ({ address, port, tls }: AskedPlace) => `${address}:${port}:${tls ? 'tls' : 'clear'}`;
  const places = [...new Set(parts.flatMap(({ asked }) => asked.map(textOf)))];
  if (places.length === 0) return;
  const argv = [process.execPath, '--disable-warning=ExperimentalWarning', PROGRAM, `${limitMs}`, ...places];
  const silent = (await run(argv as unknown as Argv, { namespace, timeoutMs: START_MS })).split('\n');
  for (const { name, asked, condemn } of parts)
    if (asked.some((place) => silent.includes(textOf(place))))
      condemn(`${name} did not answer within ${limitMs / 1000} s`);
}

/** Whether a process is stopped, as by SIGSTOP; for code that waits for it, it is as good as ended. */
export function isStopped(pid: number | string): boolean {
  try {
    // The program's name, in parentheses, may hold anything.
    const [state] = readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\) /s, '');
    return state === 'T' || state === 't';
  } catch {
    return false; // It has ended, which others tell.
  }
}

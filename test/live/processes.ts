import { readdirSync, readFileSync } from 'node:fs';

/** The numbers of this enclosure's processes whose command line matches. */
export function findProcesses(pattern: RegExp): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => pattern.test(readCommandLine(pid)));
}

function readCommandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return ''; // It has ended meanwhile.
  }
}

/** Picks the processes that neither this one started nor any that it started: their parents ended without them. */
export function findStrays(pids: readonly number[]): number[] {
  const isOwn = (pid: number): boolean => pid === process.pid || (pid > 1 && isOwn(parentOf(pid)));
  return pids.filter((pid) => !isOwn(pid));
}

/** The number of the process that started another; this one's where that has ended meanwhile. */
function parentOf(pid: number): number {
  try {
    return Number(statOf(pid)[1]);
  } catch {
    return process.pid;
  }
}

/** Time of a core that processes have had so far; a kernel's tick is 10 ms. */
export function cpuMs(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => {
    try {
      const [user, system] = statOf(pid).slice(11);
      return sum + 10 * (Number(user) + Number(system));
    } catch {
      return sum; // It has ended meanwhile.
    }
  }, 0);
}

/** Time of a core that the programs which this process has started had, as far as they have ended. */
export function cpuMsOfChildren(): number {
  const [user, system] = statOf('self').slice(13);
  return 10 * (Number(user) + Number(system));
}

/** What the kernel says of a process, from its state on. */
function statOf(pid: number | 'self'): readonly string[] {
  // The program's name, in parentheses, may hold blanks: fields count from behind it.
  return readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
}

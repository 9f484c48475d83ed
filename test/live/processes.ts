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

/** Time of a core that processes have had so far; a kernel's tick is 10 ms. */
export function cpuMs(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => {
    try {
      // The program's name, in parentheses, may hold blanks: fields count from behind it.
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ');
      return sum + 10 * (Number(fields[11]) + Number(fields[12]));
    } catch {
      return sum; // It has ended meanwhile.
    }
  }, 0);
}

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

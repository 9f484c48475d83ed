import { readdirSync, readFileSync } from 'node:fs';

/** A program, and what it started, and what that started, as numbers of processes. */
export function familyOf(pid: number): readonly number[] {
  const children = orNone(() => readdirSync(`/proc/${pid}/task`)).flatMap((thread) =>
    orNone(() => readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean)),
  );
  return [pid, ...children.flatMap((child) => familyOf(Number(child)))];
}

/** What is read of a process or a thread; nothing where it has ended meanwhile. */
export function orNone(read: () => string[]): string[] {
  try {
    return read();
  } catch {
    return [];
  }
}

/** The memory that a program and all that it started hold. What several of them share counts for each that uses it. */
export function memoryOf(pid: number): number {
  return familyOf(pid)
    .flatMap((each) => orNone(() => [readFileSync(`/proc/${each}/status`, 'utf8')]))
    .reduce((sum, status) => sum + bytesIn(status, 'RssAnon') + bytesIn(status, 'RssShmem'), 0);
}

/** A figure of `/proc/PID/status`, in bytes; 0 where the process has given its memory back. */
function bytesIn(status: string, name: string): number {
  return 1024 * Number(new RegExp(`^${name}:\\s*(\\d+) kB$`, 'm').exec(status)?.[1] ?? 0);
}

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { Argv } from './process.ts';

/*
 * A browser that opens a page's context, closes it, or starts, takes the cores from a neighbour whose load is timed. So it
 * gives way meanwhile: it takes what the others leave. A load that keeps the cores busy comes before its neighbours, whose loads
 * mostly wait for their links, and hardly notice.
 *
 * Linux shares the cores among sessions (its "autogroups"), and each program that is started here has one of its own. A
 * session's share is one number, which holds for all of its threads and leaves their order among themselves as it is.
 */

/**
 * The share of a session as the kernel takes it, from -20 to 19: 0 is the usual one, 10 a ninth of it, -10 nine times as much.
 * With less than a ninth, a machine that is busy with something else would have browsers wait for so long that they seem to have
 * died.
 */
const SHARES = { givesWay: 10, usual: 0, timed: -10, first: -20 } as const;

export type Share = keyof typeof SHARES;

/** Where the share of a process's session is read and set. */
function shareOf(pid: number | 'self'): string {
  return `/proc/${pid}/autogroup`;
}

let can: boolean | undefined;

/** Whether programs can give way on this machine, and have their usual share again at any time. */
export function canGiveWay(): boolean {
  can ??= sharesBySession() && maySetShares();
  return can;
}

/** Whether the kernel shares the cores among sessions, and not among control groups above them. */
function sharesBySession(): boolean {
  try {
    if (readFileSync('/proc/sys/kernel/sched_autogroup_enabled', 'utf8').trim() !== '1') return false;
    return !isContained() && isInRootGroup(readFileSync('/proc/self/cgroup', 'utf8'));
  } catch {
    return false; // A kernel without one of the two.
  }
}

/** Whether the topmost control group that is seen here is a container's: the machine's own has no events, but an agent. */
function isContained(): boolean {
  const groups = '/sys/fs/cgroup';
  return (
    existsSync(`${groups}/cgroup.events`) || (existsSync(`${groups}/cpu`) && !existsSync(`${groups}/cpu/release_agent`))
  );
}

/** Whether a process is in the topmost control group for cores, by its own `/proc/self/cgroup`. */
export function isInRootGroup(groups: string): boolean {
  const rows = groups
    .trim()
    .split('\n')
    .map((line) => line.split(':'));
  const ofCores =
    rows.find(([, controllers = '']) => controllers.split(',').includes('cpu')) ?? rows.find(([id]) => id === '0');
  return ofCores?.[2] === '/';
}

/** Root may set a share whenever it wants to; all others ten times a second, which is too seldom. */
function maySetShares(): boolean {
  try {
    const share = readShare(process.pid);
    for (let time = 0; time < 2; time += 1) writeFileSync(shareOf('self'), `${share}`);
    return true;
  } catch {
    return false;
  }
}

/** A program that gives way from its first moment on. */
export function givingWay(argv: Argv): Argv {
  return ['sh', '-c', `echo ${SHARES.givesWay} > ${shareOf('self')}; exec "$@"`, 'sh', ...argv];
}

/** Has the sessions of some processes have another share while something is done, where that can be. */
export async function withShare<T>(pids: readonly number[], share: Share, work: () => Promise<T>): Promise<T> {
  if (!canGiveWay()) return work();
  const before = pids.map((pid) => [pid, setShare(pid, SHARES[share])] as const);
  try {
    return await work();
  } finally {
    for (const [pid, own] of before) setShare(pid, own);
  }
}

function readShare(pid: number): number {
  const [, share] = readFileSync(shareOf(pid), 'utf8').split(' nice ');
  return Number(share);
}

/** Sets a share, and returns the one before; a process that has ended has none. */
function setShare(pid: number, share: number | undefined): number | undefined {
  if (share === undefined) return undefined;
  try {
    const before = readShare(pid);
    writeFileSync(shareOf(pid), `${share}`);
    return before;
  } catch {
    return undefined;
  }
}

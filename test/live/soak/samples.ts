import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { sumOf } from '../../../harness/stats/order.ts';
import { SCRATCH } from '../../../harness/system/enclosure.ts';
import { findProcesses } from '../processes.ts';

/** What is to stay as it is however long photofinish measures, and in what it is counted. */
export const FIGURES = {
  ownMb: 'memory of photofinish, MB',
  othersMb: 'memory of all that it runs, MB',
  ownDescriptors: 'open files of photofinish',
  othersDescriptors: 'open files of all that it runs',
  processes: 'processes',
  namespaces: 'network namespaces',
  files: 'temporary files',
  filesMb: 'temporary files, MB',
} as const;

export type Figure = keyof typeof FIGURES;

/** What the kernel counts a file's place in. */
const BLOCK_BYTES = 512;

/** All figures at a moment. */
export interface Sample extends Readonly<Record<Figure, number>> {
  readonly loads: number;
  readonly minutes: number;
}

/** Looks at this enclosure. */
export function takeSample(when: Pick<Sample, 'loads' | 'minutes'>): Sample {
  const others = findProcesses(/./).filter((pid) => pid !== process.pid);
  const files = ['/dev/shm', SCRATCH].flatMap(filesBelow);
  return {
    ...when,
    ownMb: privateMb(process.pid),
    othersMb: sumOf(others.map(privateMb)),
    ownDescriptors: descriptorsOf(process.pid),
    othersDescriptors: sumOf(others.map(descriptorsOf)),
    processes: others.length + 1,
    namespaces: readdirSync('/run/netns').length,
    files: files.length,
    filesMb: sumOf(files) / 1e6,
  };
}

/** A process's memory in MB, with its part of what it shares. */
function privateMb(pid: number): number {
  const text = orNothing(() => readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')) ?? '';
  return Number(/^Pss:\s+(\d+)/m.exec(text)?.[1] ?? 0) / 1000;
}

function descriptorsOf(pid: number): number {
  return orNothing(() => readdirSync(`/proc/${pid}/fd`))?.length ?? 0;
}

/** What each file below a folder takes of the disk: a log that was read is longer than that. */
function filesBelow(folder: string): number[] {
  const entries = orNothing(() => readdirSync(folder, { recursive: true, withFileTypes: true })) ?? [];
  return entries
    .filter((each) => each.isFile())
    .flatMap(({ parentPath, name }) => orNothing(() => statSync(join(parentPath, name)).blocks * BLOCK_BYTES) ?? []);
}

/** What a look finds, or nothing: what is looked at may end at any moment. */
function orNothing<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}

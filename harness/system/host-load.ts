import { readFileSync } from 'node:fs';
import type { HostLoad } from '../model/capture.ts';
import { watchThreads } from './threads.ts';

interface Reading {
  readonly atMs: number;
  readonly cores: readonly CoreTicks[];
  readonly stalledUs?: number | undefined;
}

/** What the ticks of a core went to. */
interface CoreTicks {
  /** Idle, waiting for a disk, or at work that gives way to all other. */
  readonly idle: number;
  /** Ticks that the host of this virtual machine gave to others. */
  readonly stolen: number;
  readonly all: number;
}

/** Begins to watch this machine, and a program on it; the function returned says what they did since. */
export function watchHost(pid?: number): () => HostLoad & { readonly stolenShare: number } {
  const lookAtThreads = pid === undefined ? undefined : watchThreads(pid);
  const before = readHost();
  return () => {
    const after = readHost();
    const threads = lookAtThreads?.();
    const lastedUs = (after.atMs - before.atMs) * 1000;
    return {
      cores: after.cores.map(({ idle, all }, core) => {
        const ticks = all - before.cores[core]!.all;
        return ticks > 0 ? 1 - (idle - before.cores[core]!.idle) / ticks : 0;
      }),
      busiestThreadShare: threads && threads.busiestMs / (after.atMs - before.atMs),
      ranMs: threads?.ranMs,
      coreWaitMs: threads?.waitedMs,
      stolenShare: ticksOf(after, 'stolen', before) / Math.max(1, ticksOf(after, 'all', before)),
      stalledShare:
        after.stalledUs !== undefined && before.stalledUs !== undefined
          ? Math.min(1, (after.stalledUs - before.stalledUs) / lastedUs)
          : undefined,
    };
  };
}

/** The ticks of all cores since another reading. */
function ticksOf({ cores }: Reading, what: keyof CoreTicks, before: Reading): number {
  return cores.reduce((sum, ticks, core) => sum + ticks[what] - before.cores[core]![what], 0);
}

function readHost(): Reading {
  const stalledUs = readStalled();
  return {
    atMs: performance.now(),
    cores: parseCores(readFileSync('/proc/stat', 'utf8')),
    stalledUs,
  };
}

/** Ticks of each core from `/proc/stat`. */
export function parseCores(text: string): CoreTicks[] {
  return [...text.matchAll(/^cpu\d+ (.*)$/gm)].map((match) => {
    // Without the two for guests, which `user` and `nice` hold already.
    const ticks = match[1]!.split(' ').slice(0, 8).map(Number);
    const [, nice, , idle, waiting] = ticks;
    return { idle: nice! + idle! + waiting!, stolen: ticks[7] ?? 0, all: ticks.reduce((sum, each) => sum + each, 0) };
  });
}

/** Microseconds in which something had to wait for a core, ever; kernels without pressure figures have none. */
function readStalled(): number | undefined {
  try {
    return Number(/^some .*total=(\d+)/m.exec(readFileSync('/proc/pressure/cpu', 'utf8'))?.[1]);
  } catch {
    return undefined;
  }
}

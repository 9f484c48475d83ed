import { readFileSync } from 'node:fs';
import type { HostLoad } from '../model/capture.ts';

interface Reading {
  readonly atMs: number;
  readonly cores: readonly { readonly idle: number; readonly all: number }[];
  readonly stalledUs?: number;
}

/** Begins to watch this machine; the function returned says what it did since. */
export function watchHost(): () => HostLoad {
  const before = readHost();
  return () => {
    const after = readHost();
    const lastedUs = (after.atMs - before.atMs) * 1000;
    return {
      cores: after.cores.map(({ idle, all }, core) => {
        const ticks = all - before.cores[core]!.all;
        return ticks > 0 ? 1 - (idle - before.cores[core]!.idle) / ticks : 0;
      }),
      ...(after.stalledUs !== undefined &&
        before.stalledUs !== undefined && {
          stalledShare: Math.min(1, (after.stalledUs - before.stalledUs) / lastedUs),
        }),
    };
  };
}

function readHost(): Reading {
  const stalledUs = readStalled();
  return {
    atMs: performance.now(),
    cores: parseCores(readFileSync('/proc/stat', 'utf8')),
    ...(stalledUs !== undefined && { stalledUs }),
  };
}

/** Ticks of each core from `/proc/stat`: idle or waiting for a disk, and all. */
export function parseCores(text: string): { readonly idle: number; readonly all: number }[] {
  return [...text.matchAll(/^cpu\d+ (.*)$/gm)].map((match) => {
    // Without the two for guests, which `user` and `nice` hold already.
    const ticks = match[1]!.split(' ').slice(0, 8).map(Number);
    return { idle: ticks[3]! + ticks[4]!, all: ticks.reduce((sum, each) => sum + each, 0) };
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

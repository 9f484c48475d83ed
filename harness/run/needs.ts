import type { Capture } from '../model/capture.ts';
import { sumOf } from '../stats/order.ts';
import { LOAD_MS } from '../study/block-forecast.ts';
import { canGiveWay } from '../system/give-way.ts';
import type { Stay } from './admission.ts';

/** A load of a condition by an arm, and what is expected of it. */
export interface ExpectedLoad {
  readonly condition: string;
  /** The page by the name that its reference loads have. */
  readonly page: string;
  readonly arm: string;
  /** The load time that is likely by the plan alone. */
  readonly forecastMs: number;
}

/** How long a load stayed, and how much of that it was timed: all of it where it did not come to its end. */
export interface Took {
  readonly ms: number;
  readonly timedMs: number;
}

/** What loads need of the processor, and for how long. */
export interface Needs {
  /** Where nothing is known of a page by an arm, a load of it needs the whole machine. */
  of(load: ExpectedLoad): Stay;
  /** Learns what a page takes of the processor from a load that had the machine to itself. */
  learnCores(page: string, arm: string, capture: Pick<Capture, 'host' | 'browser'>): void;
  /** Learns how long a load of a condition by an arm kept the processor's room, and for how much of that it was timed. */
  learnTime(condition: string, arm: string, took: Took): void;
  /** Learns what loads side by side take: the cores that were busy meanwhile, and those that they had asked for. */
  learnUse(cores: { readonly busy: number; readonly asked: number }): void;
}

/**
 * What a load takes of all cores beside what its page does: contexts, the link's kernel, proofs and archives. A load of
 * `article` over `fibre` takes 0.6 s of a core, and its page 0.25.
 */
const BESIDE_CORE_MS = 350;
/** The part of that which neighbours may have to wait for: the browser's own part gives way to them. */
const PRESSING_BESIDE_CORE_MS = 120;
/**
 * The part of that which quick loads may have to wait for, since they come before slow ones: in a default study a fifth of what
 * loads took was their links', which come before everything.
 */
const PRESSING_QUICK = 0.25;
/** What a lab takes while it waits for its link. */
const WAITING_CORES = 0.06;
/** What is seen of one load moves the estimate for all by this much. */
const LEARNING = 0.1;
/** An estimate that is further off than this is no estimate. */
const FACTORS = { least: 0.5, most: 4 } as const;

/**
 * What a page takes of the processor hardly depends on its link, which only spreads it over more time. So the load over a
 * link without limits that tells the machine's floor tells the need of all others.
 */
export function openNeeds({ givesWay = canGiveWay() }: { readonly givesWay?: boolean | undefined } = {}): Needs {
  const coreMs = new Map<string, number>();
  const times = new Map<string, Took & { readonly loads: number }>();
  /** How many times as much as estimated all loads take, on this machine. */
  let factor = 1;
  const nameOf = (...parts: readonly string[]) => parts.join(' ');
  return {
    of({ condition, page, arm, forecastMs }) {
      const seen = times.get(nameOf(condition, arm));
      const forMs = Math.max(1, seen ? seen.ms / seen.loads : forecastMs + LOAD_MS);
      const timedMs = Math.max(1, seen ? seen.timedMs / seen.loads : forecastMs);
      const ownMs = coreMs.get(nameOf(page, arm)) ?? Number.POSITIVE_INFINITY;
      const coresBeside = (besideMs: number) => (ownMs + besideMs) / forMs + WAITING_CORES;
      const cores = factor * coresBeside(BESIDE_CORE_MS);
      // What a machine takes more than estimated is mostly what gives way: a page alone was measured.
      const pressing = givesWay ? Math.min(cores, coresBeside(PRESSING_BESIDE_CORE_MS)) : cores;
      return {
        cores,
        timed: ownMs / timedMs,
        pressing,
        pressingQuick: givesWay ? PRESSING_QUICK * pressing : pressing,
        forMs,
      };
    },
    learnCores(page, arm, { host, browser }) {
      const pltMs = browser.timings?.loadEventEndMs;
      if (pltMs === undefined || host.cores.length === 0) return;
      coreMs.set(nameOf(page, arm), pltMs * sumOf(host.cores));
    },
    learnTime(condition, arm, took) {
      const { ms, timedMs, loads } = times.get(nameOf(condition, arm)) ?? { ms: 0, timedMs: 0, loads: 0 };
      times.set(nameOf(condition, arm), { ms: ms + took.ms, timedMs: timedMs + took.timedMs, loads: loads + 1 });
    },
    learnUse({ busy, asked }) {
      factor = Math.min(FACTORS.most, Math.max(FACTORS.least, factor * (busy / asked) ** LEARNING));
    },
  };
}

import type { Capture } from '../model/capture.ts';
import { sumOf } from '../stats/order.ts';
import { varianceParts } from '../stats/variance-parts.ts';
import { LOAD_MS } from '../study/block-forecast.ts';
import { canGiveWay } from '../system/give-way.ts';
import { isQuick, type Stay } from './admission.ts';

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
  /** How long the browser's threads ran while it was timed, all together; 0 where that is not known. */
  readonly ranMs: number;
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
/**
 * How many times as much a page takes of the processor over a slow link as without one: more of it is drawn before all of it
 * is there, and its packets come one by one. Six pages over 4G took 1.6 to 2.4 times as much.
 */
const OVER_SLOW_LINK = 2;
/** What is seen of one load moves the estimate for all by this much. */
const LEARNING = 0.1;
/** An estimate that is further off than this is no estimate. */
const FACTORS = { least: 0.5, most: 4 } as const;

/**
 * Where the load times of a condition differ by more than this anyway (the standard deviation of their logarithms), as over links
 * that lose packets, a neighbour's part in that is small: its loads may lack as many times as much of the processor. While they were
 * held to the same as others, five default studies settled 11 to 16 conditions by 241 to 277 loads, and what stayed open was nearly
 * all over such links. Now six settle 12 to 17 by 260 to 330.
 */
const SPREAD_OF_OTHERS = 0.12;
const MOST_BORNE = 3;
/** How many loads more than arms tell how much the load times of a condition differ. */
const LEAST_FREEDOM = 3;

/** What all loads of a condition by an arm took so far. */
interface Seen extends Took {
  /** The logarithms of their load times. */
  readonly logs: readonly number[];
}

const NOTHING_SEEN: Seen = { ms: 0, timedMs: 0, ranMs: 0, logs: [] };

/** How many times as much as others the loads of a condition may lack, by how much those of each arm differ. */
function bearsOf(arms: readonly Seen[]): number {
  const freedom = sumOf(arms.map(({ logs }) => logs.length - 1));
  if (freedom < LEAST_FREEDOM) return 1;
  const spread = Math.sqrt(varianceParts(arms.map(({ logs }) => logs)).within);
  return Math.min(MOST_BORNE, Math.max(1, spread / SPREAD_OF_OTHERS));
}

/** What a page takes of the processor over a slow link: as its loads did, or as is likely by its load without one. */
function overSlowLink(floorMs: number, seen = NOTHING_SEEN): number {
  return seen.ranMs > 0 ? Math.max(floorMs, seen.ranMs / seen.logs.length) : OVER_SLOW_LINK * floorMs;
}

/**
 * The needs of loads on a machine with this many cores. Until a condition was loaded, what is known of its page is the load over
 * a link without limits, which tells the machine's floor.
 */
export function openNeeds(
  allCores: number,
  { givesWay = canGiveWay() }: { readonly givesWay?: boolean | undefined } = {},
): Needs {
  const coreMs = new Map<string, number>();
  /** By condition and arm. */
  const times = new Map<string, Map<string, Seen>>();
  /** How many times as much as estimated all loads take, on this machine. */
  let factor = 1;
  const nameOf = (...parts: readonly string[]) => parts.join(' ');
  return {
    of({ condition, page, arm, forecastMs }) {
      const ofCondition = times.get(condition);
      const seen = ofCondition?.get(arm);
      const forMs = Math.max(1, seen ? seen.ms / seen.logs.length : forecastMs + LOAD_MS);
      const timedMs = Math.max(1, seen ? seen.timedMs / seen.logs.length : forecastMs);
      const floorMs = coreMs.get(nameOf(page, arm)) ?? Number.POSITIVE_INFINITY;
      const timed = floorMs / timedMs;
      // Quick loads come before slow ones, so that neighbours hardly matter to them: their floor is near enough.
      const ownMs = isQuick({ timed }, allCores) ? floorMs : overSlowLink(floorMs, seen);
      const coresOf = (pageMs: number, besideMs: number) => (pageMs + besideMs) / forMs + WAITING_CORES;
      const cores = factor * coresOf(floorMs, BESIDE_CORE_MS);
      // What a machine takes more than estimated is mostly what gives way: a page alone was measured.
      const pressing = (pageMs: number) =>
        givesWay ? Math.min(cores, coresOf(pageMs, PRESSING_BESIDE_CORE_MS)) : cores;
      return {
        cores,
        timed,
        wanted: ownMs / timedMs,
        pressing: pressing(ownMs),
        pressingQuick: givesWay ? PRESSING_QUICK * pressing(floorMs) : cores,
        bears: bearsOf([...(ofCondition?.values() ?? [])]),
        forMs,
      };
    },
    learnCores(page, arm, { host, browser }) {
      const pltMs = browser.timings?.loadEventEndMs;
      if (pltMs === undefined || host.cores.length === 0) return;
      coreMs.set(nameOf(page, arm), pltMs * sumOf(host.cores));
    },
    learnTime(condition, arm, took) {
      const ofCondition = times.get(condition) ?? new Map<string, Seen>();
      times.set(condition, ofCondition);
      const { ms, timedMs, ranMs, logs } = ofCondition.get(arm) ?? NOTHING_SEEN;
      ofCondition.set(arm, {
        ms: ms + took.ms,
        timedMs: timedMs + took.timedMs,
        ranMs: ranMs + took.ranMs,
        logs: [...logs, Math.log(took.timedMs)],
      });
    },
    learnUse({ busy, asked }) {
      factor = Math.min(FACTORS.most, Math.max(FACTORS.least, factor * (busy / asked) ** LEARNING));
    },
  };
}

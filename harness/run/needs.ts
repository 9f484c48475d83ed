import type { Capture } from '../model/capture.ts';
import type { Stay } from './admission.ts';

/** A load of a condition by an arm, and what is expected of it. */
export interface ExpectedLoad {
  readonly condition: string;
  /** The page by the name that its reference loads have. */
  readonly page: string;
  readonly arm: string;
  /** What the load is likely to take by the plan alone. */
  readonly forecastMs: number;
}

/** What loads need of the processor, and for how long. */
export interface Needs {
  /** Where nothing is known of a page by an arm, a load of it needs the whole machine. */
  of(load: ExpectedLoad): Stay;
  /** Learns what a page takes of the processor from a load that had the machine to itself. */
  learnCores(page: string, arm: string, capture: Pick<Capture, 'host' | 'browser'>): void;
  /** Learns how long a load of a condition by an arm kept the processor's room. */
  learnTime(condition: string, arm: string, tookMs: number): void;
}

/**
 * What opening the next visitor's context and closing this one's takes beside the load itself: measured as 0.2 to 0.3 s of a
 * core, in the time for which a load keeps its room.
 */
const CONTEXT_CORE_MS = 250;

/**
 * What a page takes of the processor hardly depends on its link, which only spreads it over more time. So the load over a
 * link without limits that tells the machine's floor tells the need of all others.
 */
export function openNeeds(): Needs {
  const coreMs = new Map<string, number>();
  const times = new Map<string, { ms: number; loads: number }>();
  const nameOf = (...parts: readonly string[]) => parts.join(' ');
  return {
    of({ condition, page, arm, forecastMs }) {
      const seen = times.get(nameOf(condition, arm));
      const forMs = Math.max(1, seen ? seen.ms / seen.loads : forecastMs);
      const ownMs = coreMs.get(nameOf(page, arm)) ?? Number.POSITIVE_INFINITY;
      return { cores: (ownMs + CONTEXT_CORE_MS) / forMs, forMs };
    },
    learnCores(page, arm, { host, browser }) {
      const pltMs = browser.timings?.loadEventEndMs;
      if (pltMs === undefined || host.cores.length === 0) return;
      coreMs.set(nameOf(page, arm), pltMs * host.cores.reduce((sum, share) => sum + share, 0));
    },
    learnTime(condition, arm, tookMs) {
      const { ms, loads } = times.get(nameOf(condition, arm)) ?? { ms: 0, loads: 0 };
      times.set(nameOf(condition, arm), { ms: ms + tookMs, loads: loads + 1 });
    },
  };
}

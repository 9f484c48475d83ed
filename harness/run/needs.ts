import type { Capture } from '../model/capture.ts';

/** How many cores loads need, on average while they last. */
export interface Needs {
  /** Of a load that is likely to take so long; where nothing is known of its page by that arm, the whole machine. */
  of(page: string, arm: string, pltMs: number): number;
  /** Learns from a load that had the machine to itself. */
  learn(page: string, arm: string, capture: Pick<Capture, 'host' | 'browser'>): void;
}

/**
 * What a page takes of the processor hardly depends on its link, which only spreads it over more time: so the load over a
 * link without limits that tells the machine's floor tells the need of all others.
 */
export function openNeeds(): Needs {
  const coreMs = new Map<string, number>();
  const nameOf = (page: string, arm: string) => `${page} ${arm}`;
  return {
    of: (page, arm, pltMs) => (coreMs.get(nameOf(page, arm)) ?? Number.POSITIVE_INFINITY) / Math.max(1, pltMs),
    learn(page, arm, { host, browser }) {
      const pltMs = browser.timings?.loadEventEndMs;
      if (pltMs === undefined || host.cores.length === 0) return;
      coreMs.set(nameOf(page, arm), pltMs * host.cores.reduce((sum, share) => sum + share, 0));
    },
  };
}

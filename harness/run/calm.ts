import type { Measurement } from '../model/measurement.ts';

/*
 * Admission foresees who would keep whom waiting for a core. What it did not foresee is seen here: how much longer the threads
 * of a load's browser waited, all together, than in calm loads of the same condition by the same arm. In 471 loads of three
 * default studies on two cores, over links without losses, what they waited longer made them this much longer at the median:
 *
 *     of the load time   below a quarter   to a half   to 3/4   to 1   to 1.5   above
 *     longer                  0 %             2 %        4 %     5 %     5 %     42 %
 */

/** A load was disturbed whose threads waited longer than in a calm load by more than this share of its load time. */
const MOST_EXCESS = 0.75;
/** A quarter of the loads of a kind waited no longer than a calm one. */
const CALM_QUANTILE = 0.25;

/** Tells disturbed loads from calm ones. */
export interface CalmLoads {
  /** Whether a load was disturbed; it is one of its kind from then on. */
  isDisturbed(kind: string, measurement: Measurement): boolean;
}

/** Knows no loads yet; a kind is a condition and an arm. The first load of a kind is a calm one. */
export function openCalmLoads(): CalmLoads {
  /** The shortest wait first. */
  const seen = new Map<string, readonly number[]>();
  return {
    isDisturbed(kind, measurement) {
      // The browsers of a crowd keep each other waiting.
      if (measurement.status !== 'ok' || measurement.coreWaitMs === undefined || measurement.tabs !== undefined)
        return false;
      const { coreWaitMs, pltMs } = measurement;
      const before = seen.get(kind) ?? [];
      seen.set(
        kind,
        [...before, coreWaitMs].toSorted((a, b) => a - b),
      );
      const calmMs = before[Math.floor((before.length - 1) * CALM_QUANTILE)];
      return calmMs !== undefined && coreWaitMs - calmMs > MOST_EXCESS * pltMs;
    },
  };
}

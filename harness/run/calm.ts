import type { Measurement } from '../model/measurement.ts';
import { median } from '../stats/order.ts';

/*
 * Admission estimates how long loads will keep each other waiting for a core. This module measures it: how much longer the
 * threads of a load's browser waited, all together, than in calm loads of the same condition by the same arm. In 471 loads of
 * three default studies on two cores, over links without losses, the longer they waited, the longer the loads took (medians):
 *
 *     extra wait, as a share of the load time   up to 1/4   1/2   3/4    1    1.5   above
 *     extra load time                                  0 %   2 %   4 %   5 %   5 %    42 %
 */

/** A load was disturbed whose threads waited longer than in a calm load by more than this share of its load time. */
const MOST_EXCESS = 0.75;
/**
 * What a calm load waits: a quarter of its kind wait no longer, or of two loads the one that waited less. When that was the longer
 * one, 22 of 2,837 loads of eight studies counted that took 4.5 % too long in the middle. Twenty of them were the third of their
 * kind, and three blocks may settle a condition.
 */
const CALM_QUANTILE = 0.25;

/** Tells disturbed loads from calm ones. */
export interface CalmLoads {
  /** Whether a load was disturbed; undefined where nothing tells. It is one of its kind from then on. */
  isDisturbed(kind: string, measurement: Measurement): boolean | undefined;
}

interface Seen {
  /** The shortest first. */
  readonly waitsMs: readonly number[];
  readonly pltsMs: readonly number[];
}

/** Knows no loads yet; a kind is a condition and an arm. */
export function openCalmLoads(): CalmLoads {
  const kinds = new Map<string, Seen>();
  return {
    isDisturbed(kind, measurement) {
      // The browsers of a crowd keep each other waiting.
      if (measurement.status !== 'ok' || measurement.coreWaitMs === undefined || measurement.tabs !== undefined)
        return undefined;
      const { coreWaitMs, pltMs } = measurement;
      const { waitsMs, pltsMs } = kinds.get(kind) ?? { waitsMs: [], pltsMs: [] };
      kinds.set(kind, { waitsMs: [...waitsMs, coreWaitMs].toSorted((a, b) => a - b), pltsMs: [...pltsMs, pltMs] });
      const calmMs = waitsMs[Math.round((waitsMs.length - 1) * CALM_QUANTILE)];
      if (calmMs === undefined) return undefined;
      // A load that lost packets takes longer, and waits for longer, through no fault of others.
      return coreWaitMs - calmMs > MOST_EXCESS * Math.max(pltMs, median(pltsMs));
    },
  };
}

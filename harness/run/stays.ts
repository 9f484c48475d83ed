import { type Link, meanRateKbps } from '../model/link.ts';
import type { Stay } from './admission.ts';

/*
 * What a lab needs of the processor for all that it does besides loading a condition's pages (`needs.ts`), and for several
 * loads in a row.
 *
 * Loads make each other much less longer than what surrounds them does. By traces of 244 loads over 20 Mbit/s and 60 ms in four
 * labs, and of 121 over 4G in six, load times beside
 *
 *     other loads alone          were 0.5 % longer in the middle, 1.2 % on average, and over 4G 0.4 and 0.0 %
 *     a link that was measured        1.6 %                      1.9 %                  0.5 and 2.7 %
 *     browsers that start             0.5 %                      4.0 %                  2.9 and 1.0 %
 *
 * and 12 % beside five links that were measured at once.
 */

/** What a lab takes while it is opened, while its browsers are launched and warmed up, and for the control's loads. */
export const STAYS = {
  opening: { cores: 0.3, timed: 0, pressing: 0.3, forMs: 5_000 },
  /** It gives way, but not while the kernel works for it, which that does a lot: it makes processes, and maps memory. */
  launching: { cores: 1, timed: 0, pressing: 1, forMs: 800 },
  /** A load of the control's small page. Photofinish opens a context for it, and reads its evidence. */
  control: { cores: 0.3, timed: 0.1, pressing: 0.2, forMs: 1_400 },
} as const satisfies Record<string, Stay>;

/** What a link without a rate is measured with. */
const UNLIMITED_KBPS = 100_000;

/**
 * What a lab takes while its link is measured: of two cores 0.13 over 4G, 0.2 over cable, 0.35 over fibre. Its probes and its
 * packets come before all else, so that quick loads wait for them several times as long as for a load that takes as much. Slow
 * ones go on beside it. When they waited as well, a default study counted 14 loads in the 49 s in which three labs measured a
 * link to help others, and 60 in as long before. Now that they go on, 2 of 57 loads beside such a lab were disturbed, and 17 of 350
 * others; 73 of them took 1.5 % less in the middle than others of their kind.
 */
export function calibrating({ down }: Pick<Link, 'down'>): Stay {
  const mbitPerSecond = (meanRateKbps(down.rate) ?? UNLIMITED_KBPS) / 1000;
  return {
    cores: 0.3,
    timed: 0,
    pressing: 0.3 + 0.01 * mbitPerSecond,
    pressingQuick: 0.6 + 0.04 * mbitPerSecond,
    forMs: 10_000,
  };
}

/** A stay that has the machine to itself for about this long. */
export function alone(forMs: number): Stay {
  const all = Number.POSITIVE_INFINITY;
  return { cores: all, timed: all, pressing: all, forMs };
}

/** The stay of some loads one after another, and of what comes before them. */
export function togetherOf(stays: readonly Stay[], beforeMs = 0): Stay {
  return {
    cores: Math.max(...stays.map((each) => each.cores)),
    timed: Math.max(...stays.map((each) => each.timed)),
    wanted: Math.max(...stays.map((each) => each.wanted ?? each.timed)),
    pressing: Math.max(...stays.map((each) => each.pressing)),
    bears: Math.min(...stays.map((each) => each.bears ?? 1)),
    forMs: stays.reduce((sum, { forMs }) => sum + forMs, beforeMs),
  };
}

/** What taking a picture of every change takes of the cores. */
const FILMING_CORES = 0.3;

/** What loads need while pictures are taken of them. */
export function filmed(loads: Stay): Stay {
  return { ...loads, cores: loads.cores + FILMING_CORES, pressing: loads.pressing + FILMING_CORES };
}

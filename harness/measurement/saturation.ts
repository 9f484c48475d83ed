import type { HostLoad } from '../model/capture.ts';
import type { Measurement } from '../model/measurement.ts';
import { meanOf } from '../stats/order.ts';

/**
 * The share of the time in which the busiest core was busy, or the browser's busiest thread had something to do: one that moves
 * between cores leaves none of them busy throughout.
 */
export function busiestShare({ cores, busiestThreadShare = 0 }: HostLoad): number {
  return Math.min(1, Math.max(busiestThreadShare, ...cores));
}

/** A core that is as busy as this decides by itself how long a load takes. */
const SATURATED_SHARE = 0.95;
/** The kernel's clock of what a core does ticks every 10 ms: in less than twenty ticks one of them is 5 %. */
const TELLING_MS = 200;

/** Whether a core was so busy that it decided how long the load took. */
export function isSaturated(coreBusyShare: number, lastedMs: number): boolean {
  return coreBusyShare >= SATURATED_SHARE && lastedMs >= TELLING_MS;
}

/** What part of this machine's processor its host gave to others during the loads that finished, on average. */
export function stolenShare(measurements: readonly Measurement[]): number | undefined {
  const shares = measurements.flatMap((each) => (each.status === 'ok' ? (each.stolenShare ?? []) : []));
  return shares.length === 0 ? undefined : meanOf(shares);
}

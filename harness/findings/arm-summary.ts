import { timeOf } from '../comparison/records.ts';
import type { LighthouseTrial } from '../model/lighthouse.ts';
import type { Measurement } from '../model/measurement.ts';
import type { Metric } from '../model/study.ts';
import { median, percentile } from '../stats/order.ts';

/** What a study measured of one arm in one condition. */
export interface ArmSummary {
  readonly ok: number;
  readonly failed: number;
  readonly void: number;
  /** The arm that was loaded for both, since their loads are the same: what stands here is of its loads. */
  readonly loadedAs?: string | undefined;
  /** The median of the time that decides. */
  readonly medianMs?: number | undefined;
  readonly p95Ms?: number | undefined;
  readonly requests?: number;
  /** Medians of the loads that finished. */
  readonly connections?: number;
  readonly usedConnections?: number;
  readonly resumedConnections?: number;
  readonly earlyRequests?: number;
  readonly strayPackets?: number;
  readonly cpuSlowdown?: number | undefined;
  readonly peakInFlight?: number;
  readonly h3SharePercent?: number | undefined;
  readonly packetsDown?: number;
  readonly packetsUp?: number;
  readonly bytesDown?: number;
  readonly bytesUp?: number;
  readonly overheadPercent?: number | undefined;
  readonly throughputKbps?: number;
  readonly retransmittedSegments?: number | undefined;
  /** The median of all loads; absent where delay ended no slow start in most of them. */
  readonly slowStartPackets?: number | undefined;
  readonly uploadMs?: number | undefined;
  readonly loadedRttMs?: number | undefined;
  readonly tabs?: number | undefined;
  readonly evenness?: number;
  readonly ownKbps?: number;
  readonly besideKbps?: number;
  readonly fairness?: number | undefined;
  readonly pltMs?: number | undefined;
  readonly ttfbMs?: number;
  readonly fcpMs?: number | undefined;
  readonly lcpMs?: number | undefined;
  readonly cls?: number;
  readonly lastByteMs?: number;
  readonly quietMs?: number;
  readonly doneMs?: number | undefined;
  /** How often a load failed, by reason. */
  readonly failures?: Readonly<Record<string, number>> | undefined;
  readonly voids?: Readonly<Record<string, number>> | undefined;
  /** The median score of Lighthouse's category "performance", from 0 to 1. */
  readonly lighthouse?: number;
}

/** Whether no load of any arm of a condition came to its end. */
export function failsAlways({ arms }: { readonly arms: Readonly<Record<string, ArmSummary>> }): boolean {
  const all = Object.values(arms);
  return all.every(({ ok }) => ok === 0) && all.some(({ failed }) => failed > 0);
}

/** The figures of which a summary has the median. */
const MEDIANS = [
  ...(['requests', 'connections', 'peakInFlight', 'packetsDown', 'packetsUp', 'bytesDown', 'bytesUp'] as const),
  ...(['usedConnections', 'resumedConnections', 'earlyRequests', 'strayPackets'] as const),
  ...(['cpuSlowdown', 'h3SharePercent'] as const),
  ...(['overheadPercent', 'throughputKbps', 'retransmittedSegments'] as const),
  ...(['uploadMs', 'loadedRttMs', 'tabs', 'evenness', 'ownKbps', 'besideKbps', 'fairness'] as const),
  ...(['pltMs', 'ttfbMs', 'fcpMs', 'lcpMs', 'cls', 'lastByteMs', 'quietMs', 'doneMs'] as const),
] as const;

/** What an arm came to in a condition, and the time that decides. */
export interface ArmTrials {
  readonly measurements: readonly Measurement[];
  readonly scores: readonly LighthouseTrial[];
  readonly metric: Metric;
}

/** Sums up one arm in one condition. */
export function summarizeArm({ measurements, scores, metric }: ArmTrials): ArmSummary {
  const finished = measurements.filter((each) => each.status === 'ok');
  const counts = {
    ok: finished.length,
    failed: measurements.filter((each) => each.status === 'failed').length,
    void: measurements.filter((each) => each.status === 'void').length,
  };
  const reasons = {
    failures: counts.failed > 0 ? countReasons(measurements, 'failed') : undefined,
    voids: counts.void > 0 ? countReasons(measurements, 'void') : undefined,
  };
  const judged = { ...reasons, ...summarizeScores(scores) };
  if (finished.length === 0) return { ...counts, ...judged };
  const times = finished.flatMap((each) => timeOf(each, metric) ?? []);
  const medians = MEDIANS.flatMap((figure) => {
    const values = finished.flatMap((each) => each[figure] ?? []);
    return values.length === 0 ? [] : [[figure, toThousandths(median(values))]];
  });
  // A window whose growth nothing ended grew beyond any other.
  const slowStartPackets = median(finished.map((each) => each.slowStartPackets ?? Number.POSITIVE_INFINITY));
  return {
    ...counts,
    slowStartPackets: Number.isFinite(slowStartPackets) ? toThousandths(slowStartPackets) : undefined,
    medianMs: times.length > 0 ? toThousandths(median(times)) : undefined,
    p95Ms: times.length > 0 ? toThousandths(percentile(times, 0.95)) : undefined,
    ...(Object.fromEntries(medians) as Partial<Record<(typeof MEDIANS)[number], number>>),
    ...judged,
  };
}

function summarizeScores(trials: readonly LighthouseTrial[]): Pick<ArmSummary, 'lighthouse'> {
  const scores = trials.flatMap(({ score }) => (score.status === 'ok' ? score.score : []));
  return scores.length === 0 ? {} : { lighthouse: toThousandths(median(scores)) };
}

function countReasons(measurements: readonly Measurement[], status: 'failed' | 'void'): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const each of measurements)
    if (each.status !== 'ok' && each.status === status) counts[each.reason] = (counts[each.reason] ?? 0) + 1;
  return counts;
}

/** To a thousandth: no clock here tells finer. */
export function toThousandths(value: number): number {
  return Math.round(value * 1000) / 1000;
}

import type { LinkFigures } from '../model/calibration.ts';
import { meanLossPercent, meanRateKbps, rttMs } from '../model/link.ts';
import type { Measurement } from '../model/measurement.ts';
import type { Plan } from '../model/study.ts';
import { median, percentile } from '../stats/order.ts';
import type { LighthouseScore } from '../verdict/lighthouse.ts';
import { type Column, renderTable } from './table.ts';

/** What a study measured of one arm in one condition. */
export interface ArmSummary {
  readonly ok: number;
  readonly failed: number;
  readonly void: number;
  readonly medianMs?: number;
  readonly p95Ms?: number;
  readonly requests?: number;
  /** Medians of the loads that finished. */
  readonly connections?: number;
  readonly usedConnections?: number;
  readonly resumedConnections?: number;
  readonly earlyRequests?: number;
  readonly strayPackets?: number;
  readonly peakInFlight?: number;
  readonly packetsDown?: number;
  readonly packetsUp?: number;
  readonly bytesDown?: number;
  readonly bytesUp?: number;
  readonly overheadPercent?: number;
  readonly throughputKbps?: number;
  readonly retransmittedSegments?: number;
  readonly ttfbMs?: number;
  readonly fcpMs?: number;
  readonly lcpMs?: number;
  readonly cls?: number;
  readonly lastByteMs?: number;
  readonly quietMs?: number;
  readonly doneMs?: number;
  /** How often a load failed, by reason. */
  readonly failures?: Readonly<Record<string, number>>;
  readonly voids?: Readonly<Record<string, number>>;
  /** Of the category performance, from 0 to 1. */
  readonly lighthouse?: number;
}

/** The figures of which a summary has the median. */
const MEDIANS = [
  ...(['requests', 'connections', 'peakInFlight', 'packetsDown', 'packetsUp', 'bytesDown', 'bytesUp'] as const),
  ...(['usedConnections', 'resumedConnections', 'earlyRequests', 'strayPackets'] as const),
  ...(['overheadPercent', 'throughputKbps', 'retransmittedSegments'] as const),
  ...(['ttfbMs', 'fcpMs', 'lcpMs', 'cls', 'lastByteMs', 'quietMs', 'doneMs'] as const),
] as const;

/** The findings of a study for programs: `summary.json`. */
export interface Summary {
  readonly schema: 1;
  readonly study: string;
  readonly seed: number;
  readonly version: Readonly<Record<string, unknown>>;
  /** What was installed for it, and the lab as its kernels said it was. */
  readonly provenance: Readonly<Record<string, unknown>>;
  readonly conditions: readonly ConditionSummary[];
  readonly loads: LoadCounts;
  /** What a load costs beyond itself; absent where none finished. */
  readonly overheadMsMedian?: number;
  readonly wallSeconds: number;
}

/** Loads by what became of them; void and warming ones count for nothing. */
export interface LoadCounts {
  readonly counted: number;
  readonly void: number;
  readonly failed: number;
  readonly warmup: number;
}

export interface ConditionSummary {
  readonly id: string;
  readonly site: string;
  readonly server: string;
  readonly visit: string;
  readonly link: Readonly<Record<string, unknown>>;
  readonly calibration: Readonly<Record<string, unknown>>;
  readonly arms: Readonly<Record<string, ArmSummary>>;
  /** The share of its finished loads during which a core was saturated. */
  readonly cpuBoundShare: number;
}

/** How many loads there were of each status; failed ones are counted too. */
export function countLoads(measurements: readonly Measurement[]): Omit<LoadCounts, 'warmup'> {
  const of = (status: Measurement['status']) => measurements.filter((each) => each.status === status).length;
  return { counted: of('ok') + of('failed'), void: of('void'), failed: of('failed') };
}

/** What the calibration of a condition's link came to. */
interface MeasuredLink {
  readonly figures: LinkFigures;
  readonly ok: boolean;
  /** How often it was measured until it held. */
  readonly attempts: number;
}

/** What a plan has come to. */
export interface Measured {
  readonly measurements: readonly Measurement[];
  /** By the condition's id. */
  readonly calibrations: ReadonlyMap<string, MeasuredLink>;
  readonly scores: readonly { readonly condition: string; readonly arm: string; readonly score: LighthouseScore }[];
}

/** Sums up what was measured. */
export function summarize(plan: Plan, { measurements, calibrations, scores }: Measured): ConditionSummary[] {
  return plan.conditions.map((condition) => {
    const { link } = condition;
    const calibration = calibrations.get(condition.id);
    const here = measurements.filter((measurement) => measurement.condition === condition.id);
    return {
      id: condition.id,
      ...{ site: condition.site, server: condition.server, visit: condition.visit },
      link: {
        downKbps: meanRateKbps(link.down.rate),
        upKbps: meanRateKbps(link.up.rate),
        rttMs: rttMs(link),
        lossPercent: meanLossPercent(link.down.loss),
        queuePackets: link.down.queuePackets,
      },
      calibration: calibration
        ? { ...flatFigures(calibration.figures, calibration.ok), attempts: calibration.attempts }
        : {},
      arms: Object.fromEntries(
        plan.arms.map(({ name }) => {
          const judged = scores.filter((each) => each.condition === condition.id && each.arm === name);
          return [name, { ...summarizeArm(here.filter((each) => each.arm === name)), ...summarizeScores(judged) }];
        }),
      ),
      cpuBoundShare: shareOf(here.flatMap((each) => (each.status === 'ok' ? each.cpuBound : []))),
    };
  });
}

function shareOf(flags: readonly boolean[]): number {
  return flags.length === 0 ? 0 : rounded(flags.filter(Boolean).length / flags.length);
}

function flatFigures({ rttMs, directions: { down, up } }: LinkFigures, ok: boolean) {
  return {
    rttMs,
    tcpDownKbps: down.tcpKbps,
    tcpUpKbps: up.tcpKbps,
    udpDownKbps: down.udpKbps,
    udpUpKbps: up.udpKbps,
    lossDownPercent: down.lossPercent,
    lossUpPercent: up.lossPercent,
    queueDownPackets: down.queuePackets,
    queueUpPackets: up.queuePackets,
    ok,
  };
}

function summarizeArm(measurements: readonly Measurement[]): ArmSummary {
  const finished = measurements.filter((each) => each.status === 'ok');
  const counts = {
    ok: finished.length,
    failed: measurements.filter((each) => each.status === 'failed').length,
    void: measurements.filter((each) => each.status === 'void').length,
  };
  const reasons = {
    ...(counts.failed > 0 && { failures: countReasons(measurements, 'failed') }),
    ...(counts.void > 0 && { voids: countReasons(measurements, 'void') }),
  };
  if (finished.length === 0) return { ...counts, ...reasons };
  const plts = finished.map((each) => each.pltMs);
  const medians = MEDIANS.flatMap((figure) => {
    const values = finished.flatMap((each) => each[figure] ?? []);
    return values.length === 0 ? [] : [[figure, rounded(median(values))]];
  });
  return {
    ...counts,
    medianMs: rounded(median(plts)),
    p95Ms: rounded(percentile(plts, 0.95)),
    ...(Object.fromEntries(medians) as Partial<Record<(typeof MEDIANS)[number], number>>),
    ...reasons,
  };
}

function summarizeScores(judged: Measured['scores']): Pick<ArmSummary, 'lighthouse'> {
  const scores = judged.flatMap(({ score }) => (score.status === 'ok' ? score.score : []));
  return scores.length === 0 ? {} : { lighthouse: rounded(median(scores)) };
}

function countReasons(measurements: readonly Measurement[], status: 'failed' | 'void'): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const each of measurements)
    if (each.status !== 'ok' && each.status === status) counts[each.reason] = (counts[each.reason] ?? 0) + 1;
  return counts;
}

/** To a thousandth: no clock here tells finer. */
function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}

/** The page load times of each condition and arm, as a table on the terminal. */
export function renderSummary(conditions: readonly ConditionSummary[]): string {
  const rows = conditions.flatMap((condition) =>
    Object.entries(condition.arms).map(([arm, summary]) => ({ condition, arm, summary })),
  );
  type Row = (typeof rows)[number];
  const whole = (value: number | undefined) => (value === undefined ? '' : value.toFixed(0));
  const columns: Column<Row>[] = [
    { title: 'condition', text: (row) => row.condition.id },
    { title: 'arm', text: (row) => row.arm },
    { title: 'PLT median', align: 'right', text: (row) => whole(row.summary.medianMs) },
    { title: 'p95 ms', align: 'right', text: (row) => whole(row.summary.p95Ms) },
    { title: 'loads', align: 'right', text: (row) => `${row.summary.ok}` },
    { title: 'failed', align: 'right', text: (row) => `${row.summary.failed}` },
    { title: 'requests', align: 'right', text: (row) => whole(row.summary.requests) },
    { title: 'in flight', align: 'right', text: (row) => whole(row.summary.peakInFlight) },
    { title: 'connections', align: 'right', text: (row) => whole(row.summary.connections) },
    { title: 'bytes down', align: 'right', text: (row) => whole(row.summary.bytesDown) },
    { title: 'up', align: 'right', text: (row) => whole(row.summary.bytesUp) },
    { title: 'overhead %', align: 'right', text: (row) => row.summary.overheadPercent?.toFixed(1) ?? '' },
  ];
  return renderTable(columns, rows);
}

import type { LinkFigures } from '../model/calibration.ts';
import { meanLossPercent, meanRateKbps, rttMs } from '../model/link.ts';
import type { Measurement, Plan } from '../model/study.ts';
import { median, percentile } from '../stats/order.ts';
import { type Column, renderTable } from './table.ts';

/** What a study measured of one arm in one condition. */
export interface ArmSummary {
  readonly ok: number;
  readonly failed: number;
  readonly void: number;
  readonly medianMs?: number;
  readonly p95Ms?: number;
  readonly connections?: number;
  readonly requests?: number;
  readonly bytes?: number;
}

/** The findings of a study for programs: `summary.json`. */
export interface Summary {
  readonly schema: 1;
  readonly study: string;
  readonly seed: number;
  readonly version: Readonly<Record<string, unknown>>;
  /** What was installed for it, and the lab as its kernels said it was. */
  readonly provenance: Readonly<Record<string, unknown>>;
  readonly conditions: readonly ConditionSummary[];
  readonly wallSeconds: number;
}

export interface ConditionSummary {
  readonly id: string;
  readonly site: string;
  readonly link: Readonly<Record<string, unknown>>;
  readonly calibration: Readonly<Record<string, unknown>>;
  readonly arms: Readonly<Record<string, ArmSummary>>;
}

/** Sums up what was measured. */
export function summarize(
  plan: Plan,
  measurements: readonly Measurement[],
  calibrations: ReadonlyMap<string, { readonly figures: LinkFigures; readonly ok: boolean }>,
): ConditionSummary[] {
  return plan.conditions.map((condition) => {
    const { link } = condition;
    const calibration = calibrations.get(condition.id);
    const here = measurements.filter((measurement) => measurement.condition === condition.id);
    return {
      id: condition.id,
      site: condition.site,
      link: {
        downKbps: meanRateKbps(link.down.rate),
        upKbps: meanRateKbps(link.up.rate),
        rttMs: rttMs(link),
        lossPercent: meanLossPercent(link.down.loss),
        queuePackets: link.down.queuePackets,
      },
      calibration: calibration ? flatFigures(calibration.figures, calibration.ok) : {},
      arms: Object.fromEntries(
        plan.arms.map((arm) => [arm.name, summarizeArm(here.filter((each) => each.arm === arm.name))]),
      ),
    };
  });
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
  if (finished.length === 0) return counts;
  const plts = finished.map((each) => each.pltMs);
  return {
    ...counts,
    medianMs: median(plts),
    p95Ms: percentile(plts, 0.95),
    connections: median(finished.map((each) => each.connections)),
    requests: median(finished.map((each) => each.requests)),
    bytes: median(finished.map((each) => each.bytes)),
  };
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
    { title: 'connections', align: 'right', text: (row) => whole(row.summary.connections) },
    { title: 'requests', align: 'right', text: (row) => whole(row.summary.requests) },
    { title: 'bytes', align: 'right', text: (row) => whole(row.summary.bytes) },
  ];
  return renderTable(columns, rows);
}

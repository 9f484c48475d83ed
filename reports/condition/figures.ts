import type { ArmSummary } from '../../harness/findings/arm-summary.ts';
import { element, type HtmlColumn, htmlTable } from '../elements.ts';
import type { Report, ReportCondition } from '../report.ts';
import { bytes, figure, percent, rate, time } from '../wording.ts';

/** A figure of an arm, and its text. */
type Metric = readonly [title: string, text: (summary: ArmSummary) => string | undefined];

const known = (value: number | undefined, text: (value: number) => string) =>
  value === undefined ? undefined : text(value);

const packets = (value: number) => `at ${figure(value, 0)} packets`;

const METRIC_ROWS: readonly Metric[] = [
  ['Deciding time, median', ({ medianMs }) => known(medianMs, time)],
  ['95th percentile', ({ p95Ms }) => known(p95Ms, time)],
  ['Time to first byte', ({ ttfbMs }) => known(ttfbMs, time)],
  ['First contentful paint', ({ fcpMs }) => known(fcpMs, time)],
  ['Largest contentful paint', ({ lcpMs }) => known(lcpMs, time)],
  ['Layout shift', ({ cls }) => known(cls, (value) => figure(value, 3))],
  ['Lighthouse', ({ lighthouse }) => known(lighthouse, (value) => figure(100 * value, 0))],
  ['Requests', ({ requests }) => known(requests, figure)],
  ['Connections', ({ connections }) => known(connections, figure)],
  ['Peak in flight', ({ peakInFlight }) => known(peakInFlight, figure)],
  ['Packets down', ({ packetsDown }) => known(packetsDown, (value) => figure(value, 0))],
  ['Packets up', ({ packetsUp }) => known(packetsUp, (value) => figure(value, 0))],
  ['Bytes down', ({ bytesDown }) => known(bytesDown, bytes)],
  ['Bytes up', ({ bytesUp }) => known(bytesUp, bytes)],
  ['Overhead', ({ overheadPercent }) => known(overheadPercent, percent)],
  ['Throughput', ({ throughputKbps }) => known(throughputKbps, rate)],
  ['Sent again (TCP)', ({ retransmittedSegments }) => known(retransmittedSegments, figure)],
  ['Slow start ended by delay (TCP)', ({ slowStartPackets }) => known(slowStartPackets, packets)],
  ['Loads finished', ({ ok }) => `${ok}`],
  ['Failed', ({ failed, failures }) => `${failed}${reasons(failures)}`],
  ['Void', ({ void: voids, voids: why }) => `${voids}${reasons(why)}`],
];

function reasons(counts: Readonly<Record<string, number>> | undefined): string {
  return counts
    ? ` (${Object.entries(counts)
        .map(([reason, number]) => `${reason} ${number}`)
        .join(', ')})`
    : '';
}

/** The figures of all arms side by side. */
export function drawFigures(report: Report, { arms }: ReportCondition): HTMLElement {
  const rows = METRIC_ROWS.filter(([, text]) => report.looks.some(({ name }) => text(arms[name]!) !== undefined));
  const columns: HtmlColumn<Metric>[] = [
    { title: 'Median of all loads', cell: ([title]) => title },
    ...report.looks.map((look) => ({
      title: look.title,
      numeric: true,
      cell: ([, text]: Metric) => text(arms[look.name]!) ?? '–',
    })),
  ];
  return element(
    'div',
    { class: 'wide metrics' },
    element('h3', {}, 'Figures'),
    htmlTable('Figures of each arm', columns, rows),
  );
}

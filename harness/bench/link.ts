import { availableParallelism } from 'node:os';
import { LINK_SOURCES } from '../commands/sources.ts';
import type { Calibration, LinkCheck } from '../model/calibration.ts';
import type { DirectionName } from '../model/link.ts';
import type { Network } from '../network/network.ts';
import { renderTable, type TerminalColumn } from '../report/table.ts';
import { calibrateLink, openLabNetwork } from '../run/lab-network.ts';
import { parseLink } from '../study/link.ts';
import { type RunningProcess, start } from '../system/process.ts';
import { stopRequested } from '../system/stop.ts';

interface Row {
  readonly spec: string;
  readonly load: 'idle' | 'loaded';
  readonly calibration: Calibration;
}

const RATES = ['500kbit', '2mbit', '10mbit', '50mbit', '100mbit'] as const;
const DELAYS_MS = [0, 9, 109] as const;
/** Losses, each measured on 40,000 probes and more. */
const LOSSES = ['loss=0.148%', 'loss=2%', 'loss=4%', 'loss=5%', 'burst=2%:5'] as const;
const LOSS_SCALE = 40;

/** `photofinish bench link`: what the link does over its whole range, idle and with every core of the machine busy. */
export async function benchLink(print: (line: string) => void): Promise<number> {
  const specs = [
    ...RATES.flatMap((rate) => DELAYS_MS.map((delayMs) => ({ spec: `rate=${rate},delay=${delayMs}ms`, scale: 3 }))),
    ...LOSSES.map((loss) => ({ spec: `rate=100mbit,delay=9ms,${loss}`, scale: LOSS_SCALE })),
  ];
  const stop = stopRequested();
  await using network = await openLabNetwork();
  const rows: Row[] = [];
  for (const load of ['idle', 'loaded'] as const) {
    await using _busy = load === 'loaded' ? occupyCores() : undefined;
    for (const { spec, scale } of specs) {
      if (stop.aborted) return 4;
      const calibration = await calibrateLink(network, parseLink(spec, LINK_SOURCES), scale);
      rows.push({ spec, load, calibration });
      for (const check of calibration.checks.filter((each) => !each.ok))
        print(`OUT OF TOLERANCE: ${spec}, ${load}: ${describe(check)}`);
    }
  }
  print(describeRouter(network));
  print(renderTable(COLUMNS, rows));
  const out = rows.filter((row) => !row.calibration.ok).length;
  print(out === 0 ? `all ${rows.length} within tolerance` : `${out} of ${rows.length} out of tolerance`);
  return out === 0 ? 0 : 1;
}

function describeRouter({ router }: Network): string {
  const priority = router.realtime ? 'before all else' : 'as one process among others';
  return `link: netem of ${router.driver === 'uml' ? 'a user-mode kernel' : 'this kernel'} (${router.kernel}), running ${priority}`;
}

const COLUMNS: readonly TerminalColumn<Row>[] = [
  { title: 'link', text: (row) => row.spec },
  { title: 'cores', text: (row) => row.load },
  { title: 'RTT asked', align: 'right', text: (row) => shown(find(row, 'rtt')?.asked) },
  { title: 'median', align: 'right', text: (row) => shown(row.calibration.figures.rttMs) },
  { title: 'p99 ms', align: 'right', text: (row) => shown(row.calibration.figures.rttP99Ms) },
  ...(['down', 'up'] as const).flatMap((name) => directionColumns(name)),
  { title: 'frame B', align: 'right', text: (row) => `${row.calibration.figures.longestFrameBytes}` },
  { title: 'link cores', align: 'right', text: (row) => shown(row.calibration.figures.linkCores) },
  { title: '', text: (row) => (row.calibration.ok ? 'ok' : 'OUT') },
];

function directionColumns(name: DirectionName): TerminalColumn<Row>[] {
  const figures = (row: Row) => row.calibration.figures.directions[name];
  return [
    { title: `${name} TCP`, align: 'right', text: (row) => shown(figures(row).tcpKbps, 0) },
    { title: 'UDP kbit/s', align: 'right', text: (row) => shown(figures(row).udpKbps, 0) },
    { title: 'loss %', align: 'right', text: (row) => shown(figures(row).lossPercent, 3) },
    { title: 'of', align: 'right', text: (row) => `${figures(row).lossProbes}` },
    { title: 'burst', align: 'right', text: (row) => shown(figures(row).meanBurstPackets) },
    { title: 'queue', align: 'right', text: (row) => queueText(row, name) },
  ];
}

function queueText(row: Row, name: DirectionName): string {
  const check = find(row, `${name} queue`);
  return check ? `${Number.isNaN(check.measured) ? '-' : check.measured}/${check.asked}` : '';
}

function find(row: Row, figure: string): LinkCheck | undefined {
  return row.calibration.checks.find((check) => check.figure === figure);
}

function describe(check: LinkCheck): string {
  return `${check.figure} ${shown(check.measured, 3)} ${check.unit}, asked ${shown(check.asked, 3)}, allowed ${check.within?.map((limit) => shown(limit, 3)).join(' to ')}`;
}

function shown(value: number | undefined, digits = 2): string {
  return value === undefined ? '' : value.toFixed(digits);
}

/** Keeps every core of the machine busy. */
function occupyCores(): AsyncDisposable {
  const busy: RunningProcess[] = Array.from({ length: availableParallelism() }, () =>
    start(['sha256sum', '/dev/zero']),
  );
  return {
    async [Symbol.asyncDispose]() {
      await Promise.all(busy.map((process) => process[Symbol.asyncDispose]()));
    },
  };
}

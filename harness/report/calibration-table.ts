import type { LinkCheck, LinkFigures } from '../model/calibration.ts';
import { renderTable, type TerminalColumn } from './table.ts';

const COLUMNS: readonly TerminalColumn<LinkCheck>[] = [
  { title: 'figure', text: (check) => check.figure },
  { title: 'asked', align: 'right', text: (check) => number(check.asked) },
  { title: 'measured', align: 'right', text: (check) => number(check.measured) },
  { title: 'allowed', align: 'right', text: (check) => (check.within ? check.within.map(number).join(' – ') : '') },
  { title: 'unit', text: (check) => check.unit },
  {
    title: '',
    text: (check) => [check.within ? (check.ok ? 'ok' : 'OUT OF TOLERANCE') : '', check.why].filter(Boolean).join(': '),
  },
];

/** The figures of a link beside what was asked for, as a table on the terminal. */
export function renderCalibration(checks: readonly LinkCheck[]): string {
  return renderTable(COLUMNS, checks);
}

/** What a link was seen to do, in half a line. */
export function describeFigures({ rttMs, directions: { down, up } }: LinkFigures): string {
  const rate = (kbps: number | undefined) => (kbps === undefined ? 'unlimited' : `${number(kbps)} kbit/s`);
  const loss = (percent: number) => `${number(percent)} % lost`;
  const way = ({ udpKbps, lossPercent }: typeof down) => `${rate(udpKbps)}, ${loss(lossPercent)}`;
  return `measured RTT ${number(rttMs)} ms, down ${way(down)}, up ${way(up)}`;
}

function number(value: number): string {
  if (Number.isNaN(value)) return 'none';
  return Math.abs(value) >= 1000 ? value.toFixed(0) : `${Number(value.toFixed(3))}`;
}

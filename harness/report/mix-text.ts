import type { Advice } from '../model/advice.ts';
import type { Gain } from '../model/answer.ts';
import { fullTitleOfLink } from '../model/link-title.ts';
import { percentInWords } from '../model/wording.ts';
import { type Led, markLead } from './lead-text.ts';
import { renderTable, type TerminalColumn } from './table.ts';

/** A mix's profiles, or all of it, as a row of its table. */
interface Row extends Omit<Led, 'gain'> {
  readonly name: string;
  readonly share: number;
  readonly gain: Gain;
}

/** A line for each profile of the traffic: its share, what is best for it, and what the advice gains it; then all of it. */
export function renderMix(advice: Advice, arms: readonly string[]): string {
  const { byProfile, serve, gain } = advice;
  const rows: readonly Row[] = [
    ...byProfile.map(({ profile, ...row }) => ({ name: fullTitleOfLink(profile), ...row })),
    { ...advice, name: 'all of it', share: 1 },
  ];
  const columns: readonly TerminalColumn<Row>[] = [
    { title: 'traffic', text: ({ name }) => name },
    { title: 'share', align: 'right', text: ({ share }) => percentInWords(100 * share) },
    { title: 'best for it', text: (row) => markLead(row, arms) },
    ...(serve === gain.over
      ? []
      : [
          {
            title: `gain of ${serve} over ${gain.over}`,
            align: 'right',
            text: (row) => percentInWords(row.gain.percent),
          } as const satisfies TerminalColumn<Row>,
          {
            title: '95 % interval',
            text: (row) => row.gain.interval.map(percentInWords).join(' to '),
          } as const satisfies TerminalColumn<Row>,
        ]),
  ];
  return renderTable(columns, rows);
}

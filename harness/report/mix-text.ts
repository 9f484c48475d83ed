import type { Advice, Saving } from '../model/advice.ts';
import { savingEndsOf } from './saving-ends.ts';
import { renderTable, type TerminalColumn } from './table.ts';

/** A mix's profiles, or all of it, as a row of its table. */
interface Row {
  readonly name: string;
  readonly share: number;
  readonly serve: readonly string[];
  readonly saving?: Saving;
}

/** A line for each profile of the traffic: its share, what is best for it, and what the advice saves it; then all of it. */
export function renderMix({ byProfile, serve, against, saving }: Advice, arms: readonly string[]): string {
  const rows: readonly Row[] = [
    ...byProfile.map(({ profile, ...row }) => ({ name: profile, ...row })),
    { name: 'all of it', share: 1, serve, ...(saving && { saving }) },
  ];
  const columns: readonly TerminalColumn<Row>[] = [
    { title: 'traffic', text: ({ name }) => name },
    { title: 'share', align: 'right', text: ({ share }) => percent(100 * share) },
    { title: 'best to serve', text: (row) => bestOf(row.serve, arms) },
    ...(against === undefined
      ? []
      : [
          {
            title: `${serve[0]} takes less time than ${against} by`,
            align: 'right',
            text: (row) => estimateOf(row.saving),
          } as const satisfies TerminalColumn<Row>,
          {
            title: 'with 95 % confidence',
            text: (row) => intervalOf(row.saving),
          } as const satisfies TerminalColumn<Row>,
        ]),
  ];
  const table = renderTable(columns, rows);
  return against === undefined ? table : `${table}\n${AS_MEASURED}`;
}

const AS_MEASURED = 'As measured, undecided conditions too; the advice counts what is proven alone.';

/** What nothing proven tells apart, each as good as the others. */
export function bestOf(serve: readonly string[], arms: readonly string[]): string {
  return serve.length === arms.length && arms.length > 1 ? 'any, as far as is known' : serve.join(' or ');
}

function estimateOf(saving: Saving | undefined): string {
  return saving && Number.isFinite(saving.percent) ? percent(saving.percent) : '–';
}

function intervalOf(saving: Saving | undefined): string {
  const { low, high } = savingEndsOf(saving);
  if (low !== undefined && high !== undefined) return `${percent(low)} to ${percent(high)}`;
  if (low !== undefined) return `at least ${percent(low)}`;
  return high === undefined ? 'cannot be told yet' : `at most ${percent(high)}`;
}

/** Whole from ten on. */
function percent(value: number): string {
  const size = Number(Math.abs(value).toFixed(Math.abs(value) < 9.95 ? 1 : 0));
  return `${value < 0 && size > 0 ? '−' : ''}${size} %`;
}

import { type Child, element, htmlTable, unfolding } from '../elements.ts';
import type { Report, ReportCondition } from '../report.ts';
import { moment, time } from '../wording.ts';

/** Each load with its files. */
export function drawLoads(report: Report, condition: ReportCondition): HTMLElement {
  return element(
    'div',
    { class: 'wide' },
    unfolding('Every load, and its evidence', () =>
      htmlTable<ReturnType<ReportCondition['rows']>[number]>(
        'Loads and their evidence',
        [
          { title: 'Block', numeric: true, cell: ({ index }) => `${index + 1}` },
          { title: 'Began', cell: ({ beganMs }) => moment(beganMs) },
          { title: 'Launch', numeric: true, cell: ({ launch }) => `${launch}` },
          ...report.looks.map(({ name, title }) => ({
            title,
            cell: (row: ReturnType<ReportCondition['rows']>[number]) => {
              const outcome = row.outcomes[name];
              if (outcome === undefined) return element('span', { class: 'quiet' }, 'left out');
              return element(
                'span',
                { class: 'load' },
                typeof outcome === 'number' ? time(outcome) : 'failed',
                ...filesOf(report, row, name),
              );
            },
          })),
        ],
        condition.rows(),
      ),
    ),
  );
}

function filesOf(
  report: Report,
  { serial, evidence }: ReturnType<ReportCondition['rows']>[number],
  arm: string,
): Child[] {
  const own = `${`${serial}`.padStart(5, '0')}-${arm}`;
  return (report.data.evidence[evidence[arm] ?? 0] ?? []).map((template) => {
    const path = template.replace('*', own);
    const href = `./${path.split('/').map(encodeURIComponent).join('/')}`;
    return element('a', { href, title: path.slice(0, 200), 'aria-label': `${kindOf(path)} of ${own}` }, kindOf(path));
  });
}

function kindOf(path: string): string {
  return path.split('/')[0]!.toUpperCase().slice(0, 10);
}

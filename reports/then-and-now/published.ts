import type { RowFinding, TableFinding } from '../../harness/model/then-and-now.ts';
import { type Child, element, type HtmlColumn, htmlTable, named } from '../elements.ts';
import type { Deeds } from '../part.ts';
import type { Report } from '../report.ts';
import { figure } from '../wording.ts';
import { linkToCondition } from './links.ts';

/** A table as it was printed, beside our medians with their intervals. */
export function drawPublished(
  { title, where, labels, columns, rows }: TableFinding,
  report: Report,
  deeds: Deeds,
): HTMLElement {
  const ours = rows.some(({ condition }) => condition !== undefined);
  return element(
    'div',
    { class: 'published' },
    element('h3', {}, title),
    element(
      'p',
      { class: 'quiet' },
      `Then: ${where}. ${ours ? 'Now: the median of our loads, and the 95 % interval of it.' : 'None of it was measured here.'}`,
    ),
    htmlTable<RowFinding>(
      `${title}: then and now`,
      [
        ...labels.map((label, index): HtmlColumn<RowFinding> => ({ title: label, cell: (row) => row.labels[index] })),
        ...columns.flatMap(({ title: own, decimals }, index): HtmlColumn<RowFinding>[] => [
          { title: `${own}, then`, numeric: true, cell: ({ cells }) => figure(cells[index]!.published, AS_PRINTED) },
          { title: 'now', numeric: true, cell: ({ cells }) => tellOurs(cells[index]!, decimals) },
        ]),
        {
          title: 'loads',
          cell: ({ condition, arm, cells }): Child =>
            condition === undefined || cells.every(({ measured }) => measured === undefined)
              ? 'not measured'
              : element(
                  'span',
                  { class: 'chips' },
                  linkToCondition(condition, 'open', report, deeds),
                  element(
                    'span',
                    { class: 'quiet' },
                    named(arm ?? '', 30),
                    ` ${cells.find(({ loads }) => loads !== undefined)?.loads ?? 0}`,
                  ),
                ),
        },
      ],
      rows,
    ),
  );
}

/** More decimals than any paper prints. */
const AS_PRINTED = 6;

function tellOurs({ measured, interval }: RowFinding['cells'][number], decimals: number): Child {
  if (measured === undefined) return '–';
  const tell = (value: number) =>
    Number.isFinite(value)
      ? value.toLocaleString('en', { minimumFractionDigits: decimals, maximumFractionDigits: decimals })
      : 'fails';
  const ends = interval?.map(tell);
  const isWide = ends?.some((end) => end !== tell(measured));
  return element('span', {}, element('b', {}, tell(measured)), isWide && element('small', {}, ` ${ends!.join('–')}`));
}

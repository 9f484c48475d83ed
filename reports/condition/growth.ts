import type { ComparisonSummary } from '../../harness/findings/summary.ts';
import { lineSample } from '../arms.ts';
import { drawPlot } from '../charts.ts';
import { element, htmlTable, unfolding } from '../elements.ts';
import type { Report } from '../report.ts';
import { figure, large, superscript, whole } from '../wording.ts';
import { endOf, type PairRow } from './pair-rows.ts';

/** The evidence on two arms as it grew, with the moment of decision. */
export function drawGrowth(
  report: Report,
  { a, b, verdict, decidedAfter, eValue }: ComparisonSummary,
  rows: readonly PairRow[],
): HTMLElement {
  const [ofA, ofB] = [report.lookOf(a), report.lookOf(b)];
  const line = (claim: 'a' | 'b' | 'tie') => [
    { x: 0, y: 0 },
    ...rows.map(({ block, evidence }) => ({ x: block + 1, y: Math.max(-1, evidence[claim]) })),
  ];
  const most = Math.max(2, ...rows.map(({ evidence }) => Math.max(evidence.a, evidence.b, evidence.tie)));
  const decided =
    verdict === 'undecided'
      ? 'Undecided'
      : `Decided after ${decidedAfter ?? rows.length} blocks: ${verdict === 'tie' ? 'a tie' : `${verdict === 'a' ? a : b} faster`}`;
  return element(
    'div',
    {},
    element(
      'ul',
      { class: 'key' },
      element('li', {}, lineSample({ ...ofA, dash: [] }), `${a} faster`),
      element('li', {}, lineSample({ ...ofB, dash: [7, 4] }), `${b} faster`),
      element('li', {}, lineSample({ ...ofA, className: 'neither', dash: [2, 3] }), 'a tie'),
    ),
    drawPlot({
      says: `Evidence for each claim after each block. ${decided}`,
      x: { title: 'block', min: 0, max: endOf(rows), tick: whole },
      y: {
        title: 'e-value',
        min: -1,
        max: most * 1.08,
        tick: (value) => (Number.isInteger(value) ? `10${superscript(value)}` : ''),
      },
      marks: decidedAfter === undefined ? undefined : [{ x: decidedAfter, says: 'decided' }],
      series: [
        { label: `${a} faster`, look: ofA, line: 'straight', points: line('a') },
        { label: `${b} faster`, look: ofB, line: 'straight', dash: [7, 4], points: line('b') },
        { label: 'a tie', line: 'straight', dash: [2, 3], points: line('tie') },
      ],
      hint: ({ label }, x, y) => `After block ${x}: ${large(10 ** y)} for “${label}”`,
    }),
    element('p', { class: 'quiet' }, `${decided}; e-value ${large(eValue)}.`),
    unfolding('Evidence as a table', () =>
      htmlTable<PairRow>(
        'Evidence',
        [
          { title: 'Block', numeric: true, cell: ({ block }) => `${block + 1}` },
          ...(
            [
              ['a', `${a} faster`],
              ['b', `${b} faster`],
              ['tie', 'a tie'],
            ] as const
          ).map(([claim, title]) => ({
            title,
            numeric: true,
            cell: ({ evidence }: PairRow) =>
              evidence[claim] < 0 ? figure(10 ** evidence[claim], 2) : large(10 ** evidence[claim]),
          })),
        ],
        rows,
      ),
    ),
  );
}

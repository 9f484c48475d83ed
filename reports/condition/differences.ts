import type { ComparisonSummary } from '../../harness/findings/summary.ts';
import { inWords } from '../../harness/model/wording.ts';
import { drawPlot } from '../charts.ts';
import { element, htmlTable, unfolding } from '../elements.ts';
import type { Report } from '../report.ts';
import { change, interval, moment, ratio, time, whole } from '../wording.ts';
import { endOf, type PairRow } from './pair-rows.ts';

/** The differences of two arms, block by block in order of time. */
export function drawDifferences(report: Report, pair: ComparisonSummary, rows: readonly PairRow[]): HTMLElement {
  const { a, b } = pair;
  const { advantage } = report.data.summary.rule;
  // Where one failed there is no ratio: it stands at the edge.
  const finite = rows.map((row) => (row.ratio > 0 ? 100 * (row.ratio - 1) : Number.NaN)).filter(Number.isFinite);
  const [low, high] = [Math.min(-8, ...finite), Math.max(8, ...finite)].map(
    (each) => 10 * Math.sign(each) * Math.ceil(Math.abs(each) / 9),
  ) as [number, number];
  const looks = [report.lookOf(a), report.lookOf(b)];
  const points = rows.map(({ block, ratio: own }) => ({
    x: block + 1,
    y: Math.min(high, Math.max(low, 100 * (own - 1))),
    look: looks[own <= 1 ? 0 : 1]!,
  }));
  return element(
    'div',
    {},
    drawPlot({
      says: `${a} against ${b} in each block: median ratio ${ratio(pair.ratio)}, 95 % interval: ${interval(pair.ci)}`,
      x: { title: 'block', min: 0, max: endOf(rows), tick: whole },
      y: { title: `${a} against ${b}`, min: low, max: high, tick: (value) => change(Math.round(value)) },
      band: [-100 * advantage, 100 * (1 / (1 - advantage) - 1)],
      series: [{ label: '', points, radius: 4 }],
      hint: (_, x, y) => tellBlock(pair, rows.find(({ block }) => block + 1 === x)!, y),
    }),
    element(
      'p',
      { class: 'quiet' },
      `${a} faster in ${pair.aWon}, ${b} in ${pair.bWon} of ${pair.blocks}; ratio ${ratio(pair.ratio)} (${interval(pair.ci)}). The band is what counts as equal.`,
    ),
    unfolding('Blocks as a table', () =>
      htmlTable<PairRow>(
        'Blocks',
        [
          { title: 'Block', numeric: true, cell: ({ block }) => `${block + 1}` },
          { title: 'Began', cell: ({ beganMs }) => moment(beganMs) },
          ...[a, b].map((arm) => ({
            title: arm,
            numeric: true,
            cell: ({ outcomes }: PairRow) => {
              const outcome = outcomes[arm];
              return typeof outcome === 'number' ? time(outcome) : 'failed';
            },
          })),
          { title: `${a} / ${b}`, numeric: true, cell: (row) => ratio(row.ratio) },
        ],
        rows,
      ),
    ),
  );
}

/** A block's difference in words. */
function tellBlock({ a, b }: ComparisonSummary, { block, outcomes }: PairRow, y: number): string {
  const failed = [a, b].filter((arm) => outcomes[arm] === 'failed');
  if (failed.length > 0) return `Block ${block + 1}: ${inWords(failed, 'and')} failed`;
  return `Block ${block + 1}: ${a} takes ${change(y)} against ${b}`;
}

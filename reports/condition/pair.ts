import type { ComparisonSummary } from '../../harness/findings/summary.ts';
import { clearCharts } from '../charts.ts';
import { element } from '../elements.ts';
import type { Report, ReportCondition } from '../report.ts';
import { drawDifferences } from './differences.ts';
import { drawGrowth } from './growth.ts';
import { pairRows } from './pair-rows.ts';

/** Which two arms a reader looks at, in whatever condition. */
export interface PairChoice {
  pair?: number;
}

/** Two arms against each other: block by block, and the evidence as it grew. */
export function drawPair(report: Report, condition: ReportCondition, choice: PairChoice): HTMLElement[] {
  const { comparisons } = condition;
  if (comparisons.length === 0) return [];
  const differences = element('div');
  const growth = element('div');
  const show = (pair: ComparisonSummary) => {
    const rows = pairRows(report, condition, pair);
    for (const place of [differences, growth]) clearCharts(place);
    differences.replaceChildren(drawDifferences(report, pair, rows));
    growth.replaceChildren(drawGrowth(report, pair, rows));
  };
  const last = comparisons.findLastIndex(({ blocks }) => blocks > 0);
  const chosen = Math.min(choice.pair ?? Number.POSITIVE_INFINITY, last < 0 ? comparisons.length - 1 : last);
  show(comparisons[chosen]!);
  const chooser = element(
    'fieldset',
    { class: 'pairs', hidden: comparisons.length === 1 },
    element('legend', { class: 'hidden' }, 'Which two'),
    ...comparisons.map((pair, index) => {
      const change = () => {
        choice.pair = index;
        show(pair);
      };
      const input = element('input', { type: 'radio', name: 'pair', value: index, checked: index === chosen, change });
      return element('label', {}, input, ` ${pair.a} against ${pair.b}`);
    }),
  );
  return [
    element(
      'figure',
      { class: 'chart', 'data-chart': 'differences' },
      element(
        'figcaption',
        {},
        element('b', {}, 'Block by block'),
        element('span', { class: 'quiet' }, 'in order of time'),
      ),
      chooser,
      differences,
    ),
    element(
      'figure',
      { class: 'chart', 'data-chart': 'evidence' },
      element(
        'figcaption',
        {},
        element('b', {}, 'Evidence'),
        element('span', { class: 'quiet' }, 'as it grew, for the same two'),
      ),
      growth,
    ),
  ];
}

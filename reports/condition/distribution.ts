import { outcomesOf } from '../../harness/comparison/outcome.ts';
import { chip, lineSample } from '../arms.ts';
import { drawPlot } from '../charts.ts';
import { element, htmlTable, unfolding } from '../elements.ts';
import type { Report, ReportCondition } from '../report.ts';
import { percent, time } from '../wording.ts';

/** The times of all arms, from the fastest load to the slowest. */
export function drawDistribution(report: Report, condition: ReportCondition): HTMLElement {
  const rows = condition.rows();
  // An arm has loads in those blocks that loaded it, or the arm whose loads count for both.
  const outcomes = report.looks.map(({ name }) => outcomesOf(rows, condition.arms[name]?.loadedAs ?? name));
  const times = outcomes.map((own) => own.filter((each) => each !== 'failed').sort((a, b) => a - b));
  const all = times.flat();
  const metric = METRICS[report.data.summary.metric] ?? report.data.summary.metric;
  const summary = report.looks
    .map(({ title, name }) => `${title}: median ${time(condition.arms[name]?.medianMs)}`)
    .join('; ');
  return element(
    'figure',
    { class: 'chart', 'data-chart': 'distribution' },
    element(
      'figcaption',
      {},
      element('b', {}, metric),
      element('span', { class: 'quiet' }, 'share of loads that took at most this time'),
    ),
    element('ul', { class: 'key' }, ...report.looks.map((look) => element('li', {}, lineSample(look), chip(look)))),
    all.length === 0
      ? element('p', {}, 'No load finished.')
      : drawPlot({
          says: `Distribution of ${metric}. ${summary}`,
          x: { title: '', tick: time },
          y: { title: '', min: 0, max: 100, tick: percent },
          series: report.looks.map((look, index) => {
            const own = times[index]!;
            const points = own.map((x, rank) => ({ x, y: (100 * (rank + 1)) / outcomes[index]!.length }));
            return {
              label: look.title,
              look,
              dash: look.dash,
              line: 'stepped',
              points: own.length === 0 ? [] : [{ x: own[0]!, y: 0 }, ...points],
              radius: own.length > 24 ? 0 : 3,
            };
          }),
          hint: ({ label }, x, y) => `${label}: ${percent(y)} within ${time(x)}`,
        }),
    unfolding('Distribution as a table', () => {
      const shares = [0, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 1];
      return htmlTable<number>(
        'Distribution',
        [
          { title: 'Share of loads', cell: (share) => percent(100 * share) },
          ...report.looks.map(({ title }, index) => ({
            title,
            numeric: true,
            cell: (share: number) => quantile(times[index]!, share, outcomes[index]!.length),
          })),
        ],
        shares,
      );
    }),
  );
}

/** A quantile over all loads, in which failed loads are slower than all others. */
function quantile(sorted: readonly number[], share: number, loads: number): string {
  if (loads === 0) return '–';
  const at = Math.max(0, Math.ceil(share * loads) - 1);
  return at < sorted.length ? time(sorted[at]) : 'failed';
}

const METRICS: Readonly<Record<string, string>> = {
  plt: 'Page load time',
  lcp: 'Largest contentful paint',
  fcp: 'First contentful paint',
};

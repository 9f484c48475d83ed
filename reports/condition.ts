import type { ArmSummary } from '../harness/report/arm-summary.ts';
import type { ComparisonSummary } from '../harness/report/summary.ts';
import { claimEvidence } from '../harness/verdict/evidence.ts';
import { beat, outcomeOf, outcomeRatio } from '../harness/verdict/outcome.ts';
import { chip, lineSample } from './arms.ts';
import { clearCharts, drawPlot } from './charts.ts';
import { type Child, type Column, element, named, section, tableOf, unfolding } from './elements.ts';
import type { Part } from './explorer.ts';
import { drawFilms } from './filmstrip.ts';
import { tell } from './grid.ts';
import type { Report, ReportCondition } from './report.ts';
import { drawWaterfalls } from './waterfall-drawing.ts';
import { bytes, change, count, figure, large, moment, percent, rate, ratio, superscript, time } from './wording.ts';

/** One condition, down to the single load. */
export function drawCondition(report: Report, open: (condition: string) => void): Part {
  const select = element(
    'select',
    { id: 'condition-choice', change: () => open(report.conditions[Number(select.value)]!.id) },
    ...report.conditions.map(({ title, index }) => element('option', { value: index }, title.slice(0, 100))),
  );
  const body = element('div', { id: 'condition-body' });
  const step = (by: number) => () => {
    const next = report.conditions[Number(select.value) + by];
    if (next) open(next.id);
  };
  const node = section(
    'condition',
    'A condition',
    element(
      'div',
      { class: 'choice' },
      element('label', { for: 'condition-choice', class: 'hidden' }, 'Condition'),
      select,
      element('button', { type: 'button', click: step(-1) }, '← previous'),
      element('button', { type: 'button', click: step(1) }, 'next →'),
    ),
    body,
  );
  let shown: ReportCondition | undefined;
  return {
    node,
    show({ condition: id }) {
      const condition = report.conditions.find((each) => each.id === id) ?? report.conditions[0];
      if (!condition || condition === shown) return;
      shown = condition;
      select.value = `${condition.index}`;
      clearCharts(body);
      body.replaceChildren(...drawBody(report, condition).filter((each) => each instanceof Node));
      body.dataset.condition = `${condition.index}`;
    },
  };
}

function drawBody(report: Report, condition: ReportCondition): Child[] {
  const { features, blocks, state, title } = condition;
  const heading = element(
    'div',
    { class: 'condition-head' },
    element('h3', {}, named(title, 120)),
    element('p', { class: 'says' }, `${capital(tell(report, condition))}.`),
    element(
      'p',
      { class: 'quiet' },
      `${rate(features.rateKbps)}, ${figure(features.rttMs)} ms, ${percent(features.lossPercent)} loss, queue of ${figure(features.queuePackets, 0)} packets; ${count(features.objects, 'object')}, ${bytes(features.totalBytes)}; ${features.visit} visit. ${count(blocks, 'block')}, ${STATES[state]}.`,
    ),
  );
  if (blocks === 0) return [heading, element('p', {}, 'No block of this condition is finished yet.')];
  return [
    heading,
    element('div', { class: 'plots' }, drawDistribution(report, condition), ...drawPair(report, condition)),
    drawMetrics(report, condition),
    drawWaterfalls(report, condition),
    drawFilms(report, condition),
    drawEvidence(report, condition),
  ];
}

const STATES: Readonly<Record<ReportCondition['state'], string>> = {
  open: 'more to come',
  waiting: 'waiting for its turn',
  broken: 'ended because a block was void too often',
  decided: 'ended because all is decided',
  hopeless: 'ended because more blocks would hardly decide what is open',
  full: 'all that it may have',
};

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** The times of all arms, from the fastest load to the slowest. */
function drawDistribution(report: Report, condition: ReportCondition): HTMLElement {
  const rows = condition.rows();
  const times = report.looks.map(({ name }) =>
    rows
      .flatMap((row) => {
        const outcome = row.outcomes[name];
        return typeof outcome === 'number' ? [outcome] : [];
      })
      .sort((a, b) => a - b),
  );
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
      element('span', { class: 'quiet' }, 'share of loads that took at most so long'),
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
            const points = own.map((x, rank) => ({ x, y: (100 * (rank + 1)) / rows.length }));
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
      return tableOf<number>(
        'Distribution',
        [
          { title: 'Share of loads', cell: (share) => percent(100 * share) },
          ...report.looks.map(({ title }, index) => ({
            title,
            numeric: true,
            cell: (share: number) => quantile(times[index]!, share, rows.length),
          })),
        ],
        shares,
      );
    }),
  );
}

/** Of all loads, those that failed being slower than any. */
function quantile(sorted: readonly number[], share: number, loads: number): string {
  const at = Math.max(0, Math.ceil(share * loads) - 1);
  return at < sorted.length ? time(sorted[at]) : 'failed';
}

const METRICS: Readonly<Record<string, string>> = {
  plt: 'Page load time',
  lcp: 'Largest contentful paint',
  fcp: 'First contentful paint',
};

/** What a block says of a pair, and how much is shown by then. */
interface PairRow {
  readonly block: number;
  readonly beganMs: number;
  readonly outcomes: Readonly<Record<string, number | 'failed'>>;
  /** a's time over b's. */
  readonly ratio: number;
  /** Logarithms to the base of ten. */
  readonly evidence: Readonly<Record<'a' | 'b' | 'tie', number>>;
}

/** The rows of a pair in order, each with what was shown after it. */
export function pairRows(report: Report, condition: ReportCondition, { a, b }: ComparisonSummary): readonly PairRow[] {
  const { rule } = report.data.summary;
  const tally = { blocks: 0, aWon: 0, bWon: 0 };
  return condition.rows().map((row) => {
    const [ofA, ofB] = [outcomeOf(row, a), outcomeOf(row, b)];
    tally.blocks += 1;
    if (beat(ofA, ofB, rule.advantage)) tally.aWon += 1;
    if (beat(ofB, ofA, rule.advantage)) tally.bWon += 1;
    const { a: forA, b: forB, tie } = claimEvidence(tally, rule);
    return {
      ...{ block: row.index, beganMs: row.beganMs, outcomes: row.outcomes, ratio: outcomeRatio(ofA, ofB) },
      evidence: { a: forA / Math.LN10, b: forB / Math.LN10, tie: tie / Math.LN10 },
    };
  });
}

function drawPair(report: Report, condition: ReportCondition): HTMLElement[] {
  const { comparisons } = condition;
  if (comparisons.length === 0) return [];
  const places = [element('div', {}), element('div', {})];
  const choose = (pair: ComparisonSummary) => {
    for (const place of places) clearCharts(place);
    const rows = pairRows(report, condition, pair);
    places[0]!.replaceChildren(drawDifferences(report, pair, rows));
    places[1]!.replaceChildren(drawGrowth(report, pair, rows));
  };
  const first = comparisons.length - 1;
  choose(comparisons[first]!);
  const chooser = element(
    'fieldset',
    { class: 'pairs', hidden: comparisons.length === 1 },
    element('legend', { class: 'hidden' }, 'Which two'),
    ...comparisons.map((pair, index) =>
      element(
        'label',
        {},
        element('input', { type: 'radio', name: 'pair', checked: index === first, change: () => choose(pair) }),
        ` ${pair.a} against ${pair.b}`,
      ),
    ),
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
      places[0],
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
      places[1],
    ),
  ];
}

function drawDifferences(report: Report, pair: ComparisonSummary, rows: readonly PairRow[]): HTMLElement {
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
      says: `${a} against ${b} in each block: median ratio ${ratio(pair.ratio)}, 95 % interval ${ratio(pair.ci[0])} to ${ratio(pair.ci[1])}`,
      x: { title: 'block', min: 0, max: rows.length + 1, tick: whole },
      y: { title: `${a} against ${b}`, min: low, max: high, tick: (value) => change(Math.round(value)) },
      band: [-100 * advantage, 100 * (1 / (1 - advantage) - 1)],
      series: [{ label: '', points, radius: 4 }],
      hint: (_, x, y) => tellBlock(pair, rows[x - 1]!, y),
    }),
    element(
      'p',
      { class: 'quiet' },
      `${a} faster in ${pair.aWon}, ${b} in ${pair.bWon} of ${pair.blocks}; ratio ${ratio(pair.ratio)} (${ratio(pair.ci[0])} to ${ratio(pair.ci[1])}). The band is what counts as equal.`,
    ),
    unfolding('Blocks as a table', () =>
      tableOf<PairRow>(
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
  if (failed.length > 0) return `Block ${block + 1}: ${failed.join(' and ')} failed`;
  return `Block ${block + 1}: ${a} takes ${change(y)} against ${b}`;
}

function whole(value: number): string {
  return Number.isInteger(value) ? `${value}` : '';
}

function drawGrowth(
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
      x: { title: 'block', min: 0, max: rows.length + 1, tick: whole },
      y: {
        title: 'e-value',
        min: -1,
        max: most * 1.08,
        tick: (value) => (Number.isInteger(value) ? `10${superscript(value)}` : ''),
      },
      ...(decidedAfter !== undefined && { marks: [{ x: decidedAfter, says: 'decided' }] }),
      series: [
        { label: `${a} faster`, look: ofA, line: 'straight', points: line('a') },
        { label: `${b} faster`, look: ofB, line: 'straight', dash: [7, 4], points: line('b') },
        { label: 'a tie', line: 'straight', dash: [2, 3], points: line('tie') },
      ],
      hint: ({ label }, x, y) => `After block ${x}: ${large(10 ** y)} for “${label}”`,
    }),
    element('p', { class: 'quiet' }, `${decided}; e-value ${large(eValue)}.`),
    unfolding('Evidence as a table', () =>
      tableOf<PairRow>(
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

/** A figure of an arm, and its text. */
type Metric = readonly [title: string, text: (summary: ArmSummary) => string | undefined];

const known = (value: number | undefined, text: (value: number) => string) =>
  value === undefined ? undefined : text(value);

const METRIC_ROWS: readonly Metric[] = [
  ['Deciding time, median', ({ medianMs }) => known(medianMs, time)],
  ['95th percentile', ({ p95Ms }) => known(p95Ms, time)],
  ['Time to first byte', ({ ttfbMs }) => known(ttfbMs, time)],
  ['First contentful paint', ({ fcpMs }) => known(fcpMs, time)],
  ['Largest contentful paint', ({ lcpMs }) => known(lcpMs, time)],
  ['Layout shift', ({ cls }) => known(cls, (value) => figure(value, 3))],
  ['Lighthouse', ({ lighthouse }) => known(lighthouse, (value) => figure(100 * value, 0))],
  ['Requests', ({ requests }) => known(requests, figure)],
  ['Connections', ({ connections }) => known(connections, figure)],
  ['Peak in flight', ({ peakInFlight }) => known(peakInFlight, figure)],
  ['Packets down', ({ packetsDown }) => known(packetsDown, (value) => figure(value, 0))],
  ['Packets up', ({ packetsUp }) => known(packetsUp, (value) => figure(value, 0))],
  ['Bytes down', ({ bytesDown }) => known(bytesDown, bytes)],
  ['Bytes up', ({ bytesUp }) => known(bytesUp, bytes)],
  ['Overhead', ({ overheadPercent }) => known(overheadPercent, percent)],
  ['Throughput', ({ throughputKbps }) => known(throughputKbps, rate)],
  ['Sent again (TCP)', ({ retransmittedSegments }) => known(retransmittedSegments, figure)],
  ['Loads finished', ({ ok }) => `${ok}`],
  ['Failed', ({ failed, failures }) => `${failed}${reasons(failures)}`],
  ['Void', ({ void: voids, voids: why }) => `${voids}${reasons(why)}`],
];

function reasons(counts: Readonly<Record<string, number>> | undefined): string {
  return counts
    ? ` (${Object.entries(counts)
        .map(([reason, number]) => `${reason} ${number}`)
        .join(', ')})`
    : '';
}

function drawMetrics(report: Report, { arms }: ReportCondition): HTMLElement {
  const rows = METRIC_ROWS.filter(([, text]) => report.looks.some(({ name }) => text(arms[name]!) !== undefined));
  const columns: Column<Metric>[] = [
    { title: 'Median of all loads', cell: ([title]) => title },
    ...report.looks.map((look) => ({
      title: look.title,
      numeric: true,
      cell: ([, text]: Metric) => text(arms[look.name]!) ?? '–',
    })),
  ];
  return element(
    'div',
    { class: 'wide metrics' },
    element('h3', {}, 'Figures'),
    tableOf('Figures of each arm', columns, rows),
  );
}

/** Each load with its files. */
function drawEvidence(report: Report, condition: ReportCondition): HTMLElement {
  return element(
    'div',
    { class: 'wide' },
    unfolding('Every load, and its evidence', () =>
      tableOf<ReturnType<ReportCondition['rows']>[number]>(
        'Loads and their evidence',
        [
          { title: 'Block', numeric: true, cell: ({ index }) => `${index + 1}` },
          { title: 'Began', cell: ({ beganMs }) => moment(beganMs) },
          { title: 'Launch', numeric: true, cell: ({ launch }) => `${launch}` },
          ...report.looks.map(({ name, title }) => ({
            title,
            cell: (row: ReturnType<ReportCondition['rows']>[number]) => {
              const outcome = row.outcomes[name];
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

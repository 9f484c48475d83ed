import { type ArmSummary, failsAlways } from '../findings/arm-summary.ts';
import { largestPart, processorParts } from '../findings/floor.ts';
import type { ConditionSummary, Summary } from '../findings/summary.ts';
import { type Advice, ALL_LINKS } from '../model/advice.ts';
import { fullTitleOfLink, titleOfLink, wordsForLink } from '../model/link-title.ts';
import { counted } from './counted.ts';
import { describeCell, describeMarks, describePage, leadInWords } from './lead-text.ts';
import { renderTable, type TerminalColumn } from './table.ts';
import { TERMINAL_COLUMNS, wrapped } from './wrapped.ts';

/** Up to this number of conditions the terminal shows the figures of each; those of more are in the report. */
const DETAILED = 4;

/**
 * What to serve in each condition, in the form that fits: few conditions with their figures; pages down and links across,
 * where that is all in which they differ and it is not too wide; a line a condition elsewhere.
 */
export function renderConditions({
  conditions,
  advice,
  rule,
  served,
}: Pick<Summary, 'conditions' | 'advice' | 'rule' | 'served'>): string {
  if (conditions.length <= DETAILED) return conditions.map(renderDetails).join('\n\n');
  if (Object.keys(conditions[0]!.arms).length === 1) return renderLines(conditions);
  const grid = renderGrid(conditions, advice);
  const marks = describeMarks({ conditions, rule, served }, grid === undefined ? {} : advice);
  const links = describeLinks(conditions, advice?.text);
  const legends = [...marks, ...(links === '' ? [] : [links])].map((legend) => wrapped(legend));
  return [...legends, grid ?? renderLines(conditions)].join('\n');
}

type Cells = ReadonlyMap<string, string>;

/**
 * Links down and pages across, or the other way round where there are more pages or only that fits, with what to serve over
 * all links if there is room for it.
 */
function renderGrid(
  conditions: readonly ConditionSummary[],
  { byPage = [], serve }: Partial<Advice> = {},
): string | undefined {
  const namesOf = (of: (condition: ConditionSummary) => string) => [...new Set(conditions.map(of))];
  const [sites, links] = [namesOf(({ site }) => site), namesOf(linkOf)];
  const others = namesOf(({ server, visit, topology, tabs }) => [server, visit, topology, tabs].join(' '));
  if (others.length > 1 || conditions.length !== sites.length * links.length) return undefined;
  const arms = Object.keys(conditions[0]!.arms);
  const cells: Cells = new Map([
    ...conditions.map((each) => [`${each.site} ${linkOf(each)}`, describeCell(each, serve)] as const),
    ...byPage.map((each) => [`${each.site} ${ALL_LINKS}`, describePage(each, arms, serve)] as const),
  ]);
  const table = (
    rows: readonly string[],
    columns: readonly string[],
    nameOf: (row: string, column: string) => string,
  ) =>
    renderTable<string>(
      [
        { title: '', text: (row) => row },
        ...columns.map((column) => ({ title: column, text: (row: string) => cells.get(nameOf(row, column)) ?? '–' })),
      ],
      rows,
    );
  const pagesDown = (columns: readonly string[]) => table(sites, columns, (site, link) => `${site} ${link}`);
  const linksDown = (rows: readonly string[]) => table(rows, sites, (link, site) => `${site} ${link}`);
  const withAll = byPage.length > 0 ? [[ALL_LINKS, ...links]] : [];
  const forms = [...withAll, links].flatMap((names) => {
    const both = [linksDown(names), pagesDown(names)];
    return links.length >= sites.length ? both : both.toReversed();
  });
  return forms.find((text) => text.split('\n').every((line) => line.length <= TERMINAL_COLUMNS));
}

function linkOf({ link }: ConditionSummary): string {
  return titleOfLink(`${link.name}`);
}

/** What the links are whose names do not say it, but for those of which the advice has said so. */
function describeLinks(conditions: readonly ConditionSummary[], advised = ''): string {
  const names = [...new Set(conditions.map(({ link }) => `${link.name}`))];
  return names
    .flatMap((name) => {
      const words = wordsForLink(name);
      return words === undefined || advised.includes(fullTitleOfLink(name)) ? [] : [`${name}: ${words}`];
    })
    .join(', ');
}

/** A line for each condition: what each arm takes, and what to serve. */
function renderLines(conditions: readonly ConditionSummary[]): string {
  const bound: TerminalColumn<ConditionSummary> = {
    title: 'processor',
    align: 'right',
    text: (condition) => {
      const part = largestPart(condition);
      return part ? `${Math.round(100 * part.share)} %` : '';
    },
  };
  const arms = Object.keys(conditions[0]!.arms);
  const columns: readonly TerminalColumn<ConditionSummary>[] = [
    { title: 'condition', text: ({ title }) => title },
    ...arms.map(
      (arm): TerminalColumn<ConditionSummary> => ({
        title: `${arm} ms`,
        align: 'right',
        text: (condition) => timeOf(condition.arms[arm]!),
      }),
    ),
    ...(conditions.some((each) => largestPart(each)?.weighty) ? [bound] : []),
    ...(arms.length > 1 ? [{ title: 'serve', text: (condition: ConditionSummary) => describeCell(condition) }] : []),
  ];
  return renderTable(columns, conditions);
}

/** How long an arm's loads take that finish. */
function timeOf({ medianMs, ok, failed }: ArmSummary): string {
  return ok === 0 && failed > 0 ? 'fails' : whole(medianMs);
}

/** What to serve in a condition, in words, and below it the figures of each arm. */
function renderDetails(condition: ConditionSummary): string {
  const rows = Object.entries(condition.arms).map(([arm, summary]) => ({ arm, summary }));
  type Row = (typeof rows)[number];
  const figure = (title: string, of: (summary: ArmSummary) => number | undefined): TerminalColumn<Row> => ({
    title,
    align: 'right',
    text: ({ summary }) => whole(of(summary)),
  });
  const any = (of: (summary: ArmSummary) => number | undefined, columns: readonly TerminalColumn<Row>[]) =>
    rows.some(({ summary }) => of(summary) !== undefined) ? columns : [];
  const kilo = (of: (summary: ArmSummary) => number | undefined) => (summary: ArmSummary) => {
    const value = of(summary);
    return value === undefined ? undefined : value / 1000;
  };
  const slowdown: TerminalColumn<Row> = {
    title: 'CPU slowdown',
    align: 'right',
    text: ({ summary }) => (summary.cpuSlowdown === undefined ? '' : `${summary.cpuSlowdown.toFixed(1)} times`),
  };
  const index = (title: 'fairness' | 'evenness'): TerminalColumn<Row> => ({
    title,
    align: 'right',
    text: ({ summary }) => summary[title]?.toFixed(3) ?? '',
  });
  const parts = new Map(processorParts(condition).map((part) => [part.arm, part]));
  const processor: TerminalColumn<Row> = {
    title: 'processor ms',
    align: 'right',
    text: ({ arm }) => whole(parts.get(arm)?.floorMs),
  };
  const columns: readonly TerminalColumn<Row>[] = [
    { title: '  arm', text: ({ arm }) => `  ${arm}` },
    { title: 'median ms', align: 'right', text: ({ summary }) => timeOf(summary) },
    figure('p95 ms', ({ p95Ms }) => p95Ms),
    ...(parts.size > 0 ? [processor] : []),
    figure('loads', ({ ok }) => ok),
    figure('failed', ({ failed }) => failed),
    figure('requests', ({ requests }) => requests),
    figure(
      'kB down',
      kilo(({ bytesDown }) => bytesDown),
    ),
    figure(
      'kB up',
      kilo(({ bytesUp }) => bytesUp),
    ),
    ...any(({ loadedRttMs }) => loadedRttMs, [figure('RTT under load ms', ({ loadedRttMs }) => loadedRttMs)]),
    ...any(
      ({ besideKbps }) => besideKbps,
      [
        figure('own kbit/s', ({ ownKbps }) => ownKbps),
        figure('other kbit/s', ({ besideKbps }) => besideKbps),
        index('fairness'),
      ],
    ),
    ...any(({ cpuSlowdown }) => cpuSlowdown, [slowdown]),
    ...any(({ evenness }) => evenness, [index('evenness')]),
    ...any(({ lighthouse }) => lighthouse, [figure('Lighthouse', ({ lighthouse }) => lighthouse && 100 * lighthouse)]),
  ];
  return `${wrapped(`${condition.title}: ${describeAnswer(condition)}`)}\n${renderTable(columns, rows)}`;
}

function whole(value: number | undefined): string {
  return value === undefined ? '' : value.toFixed(0);
}

/** What to serve in a condition, how sure that is and what it rests on. */
function describeAnswer(condition: ConditionSummary): string {
  const { answer, state, arms, blocks } = condition;
  if (failsAlways(condition)) return 'no load finished';
  if (Object.keys(arms).length === 1) return 'one arm, nothing to compare it with';
  const unknown = blocks > 0 ? 'too few blocks to say' : 'not measured yet';
  const measured = state === 'broken' ? 'could not be measured' : unknown;
  if (!answer) return measured;
  if (answer.predicted) return `${measured}; the tree predicts: ${leadInWords(answer)}`;
  return `${leadInWords(answer)}, ${answer.sureness} after ${counted(answer.blocks, 'block')}`;
}

import { chip, markOf } from './arms.ts';
import { conditionStandingOf } from './condition-standing.ts';
import { element, htmlTable, lead, named, section, unfolding } from './elements.ts';
import { hasOwnName, linkInWords } from './links.ts';
import type { Deeds, Part } from './part.ts';
import { openPlace } from './place.ts';
import type { Report, ReportCondition } from './report.ts';
import { openNotes } from './tooltip.ts';
import { count, interval, joinWords, percent, ratio, time } from './wording.ts';

/** The grid: every condition by its site and link, coloured by its winner; choosing one opens it. */
export function drawGrid(first: Report, { open }: Deeds): Part {
  let report = first;
  const note = openNotes();
  const cells = new Map<string, HTMLButtonElement>();
  const cellOf = ({ id, index }: ReportCondition) => {
    const cell = element('button', {
      ...{ type: 'button', tabindex: -1, 'data-condition': index },
      click: () => open(id),
    });
    note(cell, () => noteOf(report, report.conditions[index]!));
    cells.set(id, cell);
    return cell;
  };
  const table = drawTable(report, cellOf);
  const asTable = openPlace();
  const update = (next: Report) => {
    report = next;
    for (const condition of report.conditions) dress(cells.get(condition.id)!, report, condition);
    asTable.fill(report.data.summary.conditions, () => [unfolding('Grid as a table', () => conditionTable(report))]);
  };
  update(first);
  let isFirst = true;
  return {
    node: section(
      'grid',
      'The grid',
      lead(
        'Every page over every link. Colour is the winner, its strength how far it is ahead of the next; stripes are proven ties, a blank is undecided. Choose one to see its loads.',
      ),
      drawKey(report),
      element('div', { class: 'scrolls', role: 'region', tabindex: 0, 'aria-label': 'Grid of conditions' }, table),
      asTable.node,
    ),
    title: 'Grid',
    show({ condition }) {
      const chosen = condition !== undefined && cells.has(condition) ? condition : report.conditions[0]?.id;
      for (const [id, cell] of cells) {
        cell.setAttribute('aria-pressed', `${id === chosen}`);
        if (isFirst || document.activeElement !== cell) cell.tabIndex = id === chosen ? 0 : -1;
      }
      isFirst = false;
    },
    update,
  };
}

function drawTable(report: Report, cellOf: (condition: ReportCondition) => HTMLElement): HTMLTableElement {
  const columns = [...new Map(report.conditions.map((each) => [`${each.link.name}`, each]))];
  const rows = [...Map.groupBy(report.conditions, rowOf)];
  const drawCell = (condition: ReportCondition | undefined) =>
    condition ? element('td', {}, cellOf(condition)) : element('td', { class: 'absent' });
  const table = element(
    'table',
    { class: 'grid' },
    element('caption', { class: 'hidden' }, 'Winner of each condition: sites by links'),
    element(
      'thead',
      {},
      element(
        'tr',
        {},
        element('td', {}),
        ...columns.map(([name, { features }]) =>
          element(
            'th',
            { scope: 'col' },
            ...(hasOwnName(name) ? [named(name, 24)] : []),
            ...linkInWords(features).map((each) => element('small', {}, each)),
          ),
        ),
      ),
    ),
    element(
      'tbody',
      {},
      ...rows.map(([name, own]) =>
        element(
          'tr',
          {},
          element(
            'th',
            { scope: 'row' },
            named(name, 40),
            element('small', {}, `${count(own[0]!.features.objects, 'object')}`),
          ),
          ...columns.map(([link]) => drawCell(own.find((each) => `${each.link.name}` === link))),
        ),
      ),
    ),
  );
  table.addEventListener('keydown', (event) => moveFocus(table, event));
  return table;
}

/** A site, and whatever else tells a row from another. */
function rowOf({ title, link }: ReportCondition): string {
  return title.replace(` over ${link.name}`, '');
}

/** Gives a cell the colour, the signs and the words of its condition. */
function dress(cell: HTMLButtonElement, report: Report, condition: ReportCondition): void {
  const { standing, winners } = conditionStandingOf(condition);
  const looks = standing === 'undecided' ? [] : winners.map(report.lookOf);
  const isDecided = standing === 'decided';
  const strength = isDecided ? strengthOf(leadOf(condition)) : 0;
  const colour = looks.length > 1 ? ' striped' : isDecided && looks[0] ? ` ${looks[0].className}` : '';
  cell.className = `cell ${standing} strength-${strength}${colour}`;
  cell.dataset.standing = standing;
  cell.replaceChildren(
    // Its name is all that is in it: what is seen, and what is said besides.
    element('span', { class: 'hidden' }, `${condition.title.slice(0, 120)}: ${tell(report, condition)}. `),
    element('span', { class: 'signs' }, ...looks.map(markOf)),
    element('span', { class: 'who' }, labelOf(condition)),
    element('small', {}, furtherOf(condition)),
  );
}

/** Below the name: by how much it leads, or what is known at least. */
function furtherOf(condition: ReportCondition): string {
  const { standing } = conditionStandingOf(condition);
  if (standing === 'decided') return leadText(leadOf(condition));
  if (standing === 'tied') return 'tie';
  const { beaten } = condition.label;
  return standing === 'undecided' && beaten.length > 0
    ? `not ${beaten.map((name) => name.slice(0, 10)).join(', ')}`
    : '';
}

/** The name in a cell: colour alone says nothing. */
function labelOf(condition: ReportCondition): string {
  const { standing, winners } = conditionStandingOf(condition);
  if (standing === 'unmeasured') return '';
  if (standing === 'undecided') return '?';
  return standing === 'tied' ? 'all' : winners.map((name) => name.slice(0, 10)).join(' = ');
}

/** What is known of a condition in words. */
export function tell(report: Report, condition: ReportCondition): string {
  const { standing, winners } = conditionStandingOf(condition);
  const names = winners.map((name) => report.lookOf(name).title);
  if (standing === 'unmeasured') return 'not measured yet';
  if (standing === 'tied') return `${joinWords(names)} tie`;
  const beaten = condition.label.beaten.map((name) => report.lookOf(name).title);
  if (standing === 'undecided')
    return beaten.length > 0 ? `undecided, but not ${joinWords(beaten, 'or')}` : 'undecided';
  return `${joinWords(names)} ${names.length > 1 ? 'tie, ' : ''}${leadText(leadOf(condition))} before ${joinWords(beaten)}`;
}

/** By how much the best are ahead of the nearest that they beat, in percent of its time; undefined where nothing tells. */
function leadOf({ label, comparisons }: ReportCondition): number | undefined {
  const leads = comparisons.flatMap(({ a, b, verdict, ratio: own }) => {
    const [winner, loser, part] = verdict === 'a' ? [a, b, own] : [b, a, 1 / own];
    const counts =
      (verdict === 'a' || verdict === 'b') && label.unbeaten.includes(winner) && label.beaten.includes(loser);
    return counts && !Number.isNaN(part) ? [100 * (1 - part)] : [];
  });
  return leads.length === 0 ? undefined : Math.min(...leads);
}

function leadText(lead: number | undefined): string {
  if (lead === undefined) return '';
  return lead >= 100 ? 'others fail' : `${percent(lead)}`;
}

/** From 1 to 5. */
function strengthOf(lead: number | undefined): number {
  return 1 + [5, 10, 20, 35].filter((least) => (lead ?? 0) >= least).length;
}

function noteOf(report: Report, condition: ReportCondition): readonly Node[] {
  const { title, comparisons, blocks } = condition;
  return [
    element('b', {}, named(title, 80)),
    element('p', {}, `${tell(report, condition)}; ${count(blocks, 'block')}`),
    element(
      'ul',
      {},
      ...comparisons.map(({ a, b, ratio: own, ci, verdict }) =>
        element(
          'li',
          {},
          `${a} / ${b}: ${ratio(own)} (${interval(ci)}) · ${verdict === 'a' ? `${a} faster` : verdict === 'b' ? `${b} faster` : verdict}`,
        ),
      ),
    ),
  ];
}

const ARROWS: Readonly<Record<string, readonly [rows: number, cells: number]>> = {
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
};

/** The grid is one stop of the tab key; within it arrows lead on. */
function moveFocus(table: HTMLTableElement, event: KeyboardEvent): void {
  const by = ARROWS[event.key];
  const cell = (event.target as Element).closest('td');
  if (!by || !cell) return;
  const row = table.rows[(cell.parentElement as HTMLTableRowElement).rowIndex + by[0]];
  const next = row?.cells[cell.cellIndex + by[1]]?.querySelector('button');
  if (!next) return;
  event.preventDefault();
  for (const each of table.querySelectorAll('button')) each.tabIndex = each === next ? 0 : -1;
  next.focus();
}

function drawKey({ looks }: Report): HTMLElement {
  const shades = [1, 2, 3, 4, 5];
  return element(
    'ul',
    { class: 'key', 'aria-label': 'Key' },
    ...looks.map((look) =>
      element(
        'li',
        {},
        chip(look),
        element(
          'span',
          { class: 'ramp', 'aria-hidden': 'true' },
          ...shades.map((shade) => element('i', { class: `decided ${look.className} strength-${shade}` })),
        ),
      ),
    ),
    element('li', {}, element('i', { class: 'swatch striped' }), 'tie'),
    element('li', {}, element('i', { class: 'swatch' }), 'undecided'),
    element('li', { class: 'quiet' }, 'stronger: further ahead, by steps of 5, 10, 20, 35 %'),
  );
}

function conditionTable(report: Report): HTMLElement {
  return htmlTable<ReportCondition>(
    'Conditions and their verdicts',
    [
      { title: 'Condition', cell: ({ title }) => named(title, 80) },
      ...report.looks.map(({ name, title }) => ({
        title: `${title}, median`,
        numeric: true,
        cell: ({ arms }: ReportCondition) => time(arms[name]?.medianMs),
      })),
      { title: 'Blocks', numeric: true, cell: ({ blocks }) => `${blocks}` },
      { title: 'Verdict', cell: (condition) => tell(report, condition) },
      ...report.conditions[0]!.comparisons.map(({ a, b }, index) => ({
        title: `${a} / ${b} (95 %)`,
        numeric: true,
        cell: ({ comparisons }: ReportCondition) => {
          const { ratio: own, ci } = comparisons[index]!;
          return `${ratio(own)} (${interval(ci)})`;
        },
      })),
    ],
    report.conditions,
  );
}

import { intervalInWords } from '../harness/advice/advice-text.ts';
import { leadOfPage } from '../harness/findings/lead.ts';
import { ALL_LINKS, isUneven } from '../harness/model/advice.ts';
import { SURENESS, type Sureness } from '../harness/model/answer.ts';
import { withoutLink } from '../harness/model/condition-title.ts';
import { titleOfLink, wordsForLink } from '../harness/model/link-title.ts';
import { AS_FAST, gainInWords, rivalIn, type Standing, standingOf, tellCondition } from './answer-words.ts';
import { type ArmLook, chip, choice, markOf, stripesOf } from './arms.ts';
import { type Child, element, htmlTable, lead, named, section, styled, unfolding } from './elements.ts';
import { hasOwnName, linkInWords } from './links.ts';
import type { Deeds, Part } from './part.ts';
import { openPlace } from './place.ts';
import type { Report, ReportCondition } from './report.ts';
import { sureWord } from './sureness.ts';
import { openNotes } from './tooltip.ts';
import { chance, change, count, percent, time, unbroken } from './wording.ts';

/** The grid: every condition by its site and link, coloured by what to serve; choosing one opens it. */
export function drawGrid(first: Report, { open }: Deeds): Part {
  let report = first;
  const note = openNotes();
  const cells = new Map<string, HTMLButtonElement>();
  const cellOf = ({ id, index, link }: ReportCondition) => {
    const cell = element('button', {
      type: 'button',
      tabindex: -1,
      'data-condition': index,
      'data-of': titleOfLink(`${link.name}`),
      click: () => open(id),
    });
    note(cell, () => noteOf(report, report.conditions[index]!));
    cells.set(id, cell);
    return cell;
  };
  const pages = new Map<string, HTMLElement>();
  const pageCellOf = (site: string) => {
    const cell = element('div', { 'data-of': ALL_LINKS });
    pages.set(site, cell);
    return cell;
  };
  const table = drawTable(report, cellOf, pageCellOf);
  const asTable = openPlace();
  const key = openPlace();
  const update = (next: Report) => {
    report = next;
    for (const condition of report.conditions) dress(cells.get(condition.id)!, report, condition);
    table.classList.toggle('without-pages', report.data.summary.advice?.byPage === undefined);
    for (const [site, cell] of pages) {
      const shown = pageShown(report, site);
      if (shown.lead) dress(cell, report, shown);
      else cell.replaceChildren(element('small', {}, 'not all links yet'));
    }
    const example = exampleOf(report);
    key.fill([report.conditions.some(({ lead }) => lead?.predicted), example], () => [drawKey(report, example)]);
    asTable.fill(report.data.summary.conditions, () => [unfolding('Grid as a table', () => conditionTable(report))]);
  };
  update(first);
  let isFirst = true;
  return {
    node: section(
      'grid',
      'Each page over each connection',
      lead('The stronger the colour, the surer. Choose a cell: the loads of the framed one are shown below.'),
      element('div', { class: 'scrolls', role: 'region', tabindex: 0, 'aria-label': 'Grid of conditions' }, table),
      key.node,
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

/** A page has at most this number of links where a telephone shows them below its name, and not beside each other. */
const FEW_COLUMNS = 5;

function drawTable(
  report: Report,
  cellOf: (condition: ReportCondition) => HTMLElement,
  pageCellOf: (site: string) => HTMLElement,
): HTMLTableElement {
  const columns = [...new Map(report.conditions.map((each) => [`${each.link.name}`, each]))];
  const rows = [...Map.groupBy(report.conditions, rowOf)];
  const isGrid = rows.length > 1 && columns.length > 1 && report.looks.length > 1;
  const hasPages = isGrid && new Set(report.conditions.map(({ site }) => site)).size === rows.length;
  const drawCell = (condition: ReportCondition | undefined) =>
    condition ? element('td', {}, cellOf(condition)) : element('td', { class: 'absent' });
  const table = element(
    'table',
    { class: columns.length > FEW_COLUMNS ? 'grid' : 'grid few' },
    element('caption', { class: 'hidden' }, 'What to serve in each condition: sites by links'),
    element(
      'thead',
      {},
      element(
        'tr',
        {},
        element('td', {}),
        hasPages && element('th', { scope: 'col', class: 'all' }, ALL_LINKS, element('small', {}, weighing(report))),
        ...columns.map(([name, { features }]) =>
          element(
            'th',
            { scope: 'col' },
            ...(hasOwnName(name) ? [named(name, 24), drawWords(name)] : []),
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
          hasPages && element('td', { class: 'all' }, pageCellOf(own[0]!.site)),
          ...columns.map(([link]) => drawCell(own.find((each) => `${each.link.name}` === link))),
        ),
      ),
    ),
  );
  table.addEventListener('keydown', (event) => moveFocus(table, event));
  return table;
}

/** How much each link counts in what is said of all of them. */
function weighing({ data }: Report): string {
  const { advice } = data.summary;
  return advice && isUneven(advice.mix) ? 'by your mix' : 'equal shares';
}

/** What is shown of a condition, or of a page over all links. */
type Shown = Pick<ReportCondition, 'title' | 'lead' | 'blocks' | 'answer'>;

/** What is shown of a page over all links; nothing while one of them lacks an answer. */
function pageShown({ data, looks }: Report, site: string): Shown {
  const own = data.summary.advice?.byPage?.find((each) => each.site === site);
  const shown = { title: `${site} over all links`, blocks: 0 };
  if (!own) return { ...shown, lead: undefined };
  return {
    ...shown,
    lead: leadOfPage(
      own,
      looks.map(({ name }) => name),
    ),
  };
}

/** What a link is whose name does not say it. */
function drawWords(link: string): Child {
  const words = wordsForLink(link);
  return words !== undefined && element('small', { class: 'words' }, words);
}

/** A site, and whatever else tells a row from another. */
function rowOf({ title, link }: ReportCondition): string {
  return withoutLink(title, `${link.name}`);
}

/** Gives a cell the colours, the signs and the words of its condition. */
function dress(cell: HTMLElement, report: Report, condition: Shown): void {
  const { lead } = condition;
  const looks = (lead?.arms ?? []).map(report.lookOf);
  paint(cell, looks, standingOf(condition), lead?.sureness);
  cell.dataset.standing = standingOf(condition);
  cell.replaceChildren(
    // Its name is all that is in it: what is seen, and what is said besides.
    element('span', { class: 'hidden' }, `${condition.title.slice(0, 120)}: ${tellCondition(report, condition)} `),
    element('span', { class: 'who' }, ...whoIn(report, condition)),
    element('small', { class: 'gain' }, gainOf(report, condition)),
    element('small', { class: 'how-sure' }, sureOf(condition)),
  );
}

/** Colours a cell, or its like in the key: stripes where several arms will do, lighter the less is known. */
function paint(
  node: HTMLElement,
  looks: readonly ArmLook[],
  standing: Standing,
  sureness: Sureness | undefined,
): HTMLElement {
  const striped = looks.length > 1;
  node.className = ['cell', standing, sureness && `sure-${sureness}`, striped ? 'striped' : looks[0]?.className]
    .filter(Boolean)
    .join(' ');
  return styled(node, { '--stripes': striped ? stripesOf(looks) : 'none' });
}

/** The arms in a cell by sign and name, what is served today as what is kept: colour alone says nothing. */
function whoIn({ looks, lookOf }: Report, { lead, blocks }: Shown): Child[] {
  if (!lead) return [blocks > 0 && element('span', {}, 'no answer')];
  const { serve, asGood, arms, keeps } = lead;
  const short = (arm: string) => arm.slice(0, 12);
  if (arms.length === looks.length && looks.length > 2) return [element('span', {}, ...looks.map(markOf), 'any')];
  const own = (arm: string, text: string) => element('span', {}, markOf(lookOf(arm)), text);
  return [
    own(serve, keeps && asGood.length === 0 ? `keep ${short(serve)}` : short(serve)),
    ...asGood.map((arm) => own(arm, short(arm))),
  ];
}

/**
 * Below the arms: what they gain, or where there is nothing to gain, what the arm costs that is advised for everything, or
 * else the next one; in whole percents.
 */
function gainOf(report: Report, condition: Shown): string {
  const { lead, blocks } = condition;
  if (!lead) return blocks === 0 ? '' : count(blocks, 'block');
  const { keeps, gain, asGood } = lead;
  if (!keeps) return gainInWords(Math.round(gain.percent));
  const rival = rivalIn(report, condition);
  if (rival) return `${rival.arm.slice(0, 12)} ${percent(Math.round(rival.slowerPercent))} slower`;
  return asGood.length > 0 ? `within ${percent(100 * report.data.summary.rule.advantage)}` : '';
}

function sureOf(condition: Shown): string {
  const standing = standingOf(condition);
  if (standing === 'none') return condition.blocks === 0 ? 'not measured' : '';
  return standing === 'proven' ? '✓ proven' : standing;
}

function noteOf(report: Report, condition: ReportCondition): readonly Node[] {
  const { title, blocks, arms, answer } = condition;
  return [
    element('b', {}, named(title, 80)),
    element('p', {}, `${tellCondition(report, condition)} ${count(blocks, 'block')}.`),
    element(
      'ul',
      {},
      ...report.looks.map(({ name, title: arm }) => {
        const outlook = answer?.arms[name];
        const says = outlook ? `, best with a chance of ${chance(outlook.bestChance)}` : '';
        return element('li', {}, `${arm}: median ${time(arms[name]?.medianMs)}${says}`);
      }),
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

/** What cells look like, and what that says. */
function drawKey(report: Report, example: string): HTMLElement {
  const { looks, data, conditions } = report;
  const { rule } = data.summary;
  const sample = (own: readonly ArmLook[], standing: Standing, sureness?: Sureness) => {
    const node = paint(element('i', { 'aria-hidden': 'true' }), own, standing, sureness);
    node.classList.add('sample');
    return node;
  };
  const item = (...children: readonly Child[]) => element('li', {}, ...children);
  return element(
    'div',
    { class: 'grid-key' },
    element(
      'ul',
      { class: 'key', 'aria-label': 'Colours' },
      ...looks.map((look) =>
        item(
          sample([look], 'sure', 'sure'),
          chip(look, look.name === look.title ? look.title : `${look.name}: ${look.title}`),
        ),
      ),
      looks.length > 1 &&
        item(sample(looks.slice(-2), 'sure', 'sure'), `striped: any of them, within ${percent(100 * rule.advantage)}`),
    ),
    element(
      'ul',
      { class: 'key', 'aria-label': 'How sure' },
      ...SURENESS.map((sureness) => item(sample(looks.slice(-1), sureness, sureness), sureWord(report, sureness))),
      conditions.some(({ lead }) => lead?.predicted) &&
        item(sample(looks.slice(-1), 'predicted', 'likely'), 'predicted by the tree, not measured'),
    ),
    element('p', { class: 'quiet' }, unbroken(example)),
  );
}

/** Two cells of the grid in words: the first one with a gain, and the first one that keeps the protocol served today. */
function exampleOf(report: Report): string {
  const { conditions, titleOf, data } = report;
  const { served, advice } = data.summary;
  const gaining = conditions.find((each) => each.lead && !each.lead.keeps && gainOf(report, each) !== AS_FAST);
  const keeping = conditions.find((each) => each.lead?.asGood.length === 0 && rivalIn(report, each));
  const told = (condition: ReportCondition) => `“${gainOf(report, condition)}” (${condition.title.slice(0, 80)})`;
  const kept = (condition: ReportCondition) => {
    const rival = rivalIn(report, condition)!;
    const advised = rival.arm === advice?.serve ? ', which is advised for everything,' : '';
    return `${told(condition)}: ${titleOf(served)} is kept; with ${titleOf(rival.arm)}${advised} the page takes ${percent(Math.round(rival.slowerPercent))} longer.`;
  };
  return [
    ...(gaining ? [`${told(gaining)}: than with ${titleOf(served)}, which is served today.`] : []),
    ...(keeping ? [kept(keeping)] : []),
  ].join(' ');
}

function conditionTable(report: Report): HTMLElement {
  return htmlTable<ReportCondition>(
    'Conditions and their answers',
    [
      { title: 'Condition', cell: ({ title }) => named(title, 80) },
      { title: 'Serve', cell: ({ lead }) => (lead ? choice(report, [lead.serve, ...lead.asGood]) : '–') },
      { title: 'How sure', cell: (condition) => STANDINGS_IN_TABLE[standingOf(condition)] },
      {
        title: `Faster than ${report.titleOf(report.data.summary.served)} by`,
        numeric: true,
        cell: ({ lead }) => (lead ? change(lead.gain.percent) : '–'),
      },
      {
        title: '95 % interval',
        numeric: true,
        cell: ({ lead }) => (lead && !lead.predicted ? unbroken(intervalInWords(...lead.gain.interval)) : '–'),
      },
      { title: 'Expected regret', numeric: true, cell: ({ answer }) => percent(answer?.regretPercent) },
      ...report.looks.map(({ name, title }) => ({
        title: `${title}, median`,
        numeric: true,
        cell: ({ arms }: ReportCondition) => time(arms[name]?.medianMs),
      })),
      { title: 'Blocks', numeric: true, cell: ({ blocks }) => `${blocks}` },
    ],
    report.conditions,
  );
}

const STANDINGS_IN_TABLE: Readonly<Record<Standing, string>> = {
  proven: 'proven',
  sure: 'sure',
  likely: 'likely',
  open: 'open',
  predicted: 'predicted',
  none: 'no answer',
};

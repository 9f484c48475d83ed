import { ALL_LINKS, isUneven } from '../harness/model/advice.ts';
import { withoutLink } from '../harness/model/condition-title.ts';
import { wordsForLink } from '../harness/model/link-title.ts';
import { type Child, element, named, styled } from './elements.ts';
import { hasOwnName, linkInWords } from './links.ts';
import type { Report, ReportCondition } from './report.ts';
import { count } from './wording.ts';

/** The table has pages one way and links the other; what it shows of them is drawn elsewhere. */
export interface GridCells {
  readonly ofCondition: (condition: ReportCondition) => HTMLElement;
  readonly ofPage: (site: string) => HTMLElement;
}

/** A row or a column: its heading, and the place of a condition, or of a page over all links, in it. */
interface Line {
  readonly key: string;
  readonly heading: readonly Child[];
  /** What stands above each of its cells where the heading is out of sight. */
  readonly title: string;
  readonly isAll?: true;
}

/** What a row and a column have in common; undefined where there is no such condition. */
type CellAt = (page: string, link: string) => HTMLElement | undefined;

const ALL = '';

/**
 * Draws the table: of pages and links those down of which there are more, so that it is not wide, and links where there are
 * as many. All links together stand first: what is served there anyone can choose.
 */
export function drawGridTable(report: Report, cells: GridCells): HTMLTableElement {
  const byPage = Map.groupBy(report.conditions, pageOf);
  const byLink = Map.groupBy(report.conditions, linkOf);
  const pages = [...byPage].map(([key, [first]]): Line => ({ key, title: key, heading: pageHeading(key, first!) }));
  const links = [...byLink].map(
    ([key, [first]]): Line => ({
      key,
      title: hasOwnName(key) ? key : linkInWords(first!).join(' · '),
      heading: linkHeading(key, first!),
    }),
  );
  const isGrid = pages.length > 1 && links.length > 1 && report.looks.length > 1;
  const sites = new Set(report.conditions.map(({ site }) => site));
  if (isGrid && sites.size === pages.length)
    links.unshift({
      key: ALL,
      title: ALL_LINKS,
      heading: [ALL_LINKS, element('small', {}, weighing(report))],
      isAll: true,
    });
  const cellAt: CellAt = (page, link) => {
    const own = byPage.get(page)!;
    if (link === ALL) return cells.ofPage(own[0]!.site);
    const condition = own.find((each) => linkOf(each) === link);
    return condition && cells.ofCondition(condition);
  };
  const isLinksDown = byLink.size >= byPage.size;
  const table = isLinksDown
    ? tableOf(links, pages, (row, column) => cellAt(column, row))
    : tableOf(pages, links, (row, column) => cellAt(row, column));
  table.addEventListener('keydown', (event) => moveFocus(table, event));
  return table;
}

function tableOf(rows: readonly Line[], columns: readonly Line[], cellAt: CellAt): HTMLTableElement {
  const heading = ({ heading: own, isAll }: Line, scope: 'row' | 'col') =>
    element('th', { scope, role: `${scope === 'row' ? 'row' : 'column'}header`, class: isAll && 'all' }, ...own);
  const cellIn = (row: Line, column: Line) => {
    const cell = cellAt(row.key, column.key);
    const name = (row.isAll || column.isAll) && 'all';
    return element('td', { role: 'cell', class: cell ? name : 'absent', 'data-column': column.title }, cell);
  };
  const table = element(
    'table',
    // Roles stay where a phone's styles make blocks of rows and cells.
    { class: 'grid', role: 'table' },
    element('caption', { class: 'hidden' }, 'What to serve in each condition: pages by links'),
    element(
      'thead',
      { role: 'rowgroup' },
      element(
        'tr',
        { role: 'row' },
        element('td', { role: 'cell' }),
        ...columns.map((column) => heading(column, 'col')),
      ),
    ),
    element(
      'tbody',
      { role: 'rowgroup' },
      ...rows.map((row) =>
        element('tr', { role: 'row' }, heading(row, 'row'), ...columns.map((column) => cellIn(row, column))),
      ),
    ),
  );
  return styled(table, { '--columns': `${columns.filter(({ isAll }) => !isAll).length}` });
}

/** A page, and whatever else tells conditions over one link from each other. */
function pageOf({ title, link }: ReportCondition): string {
  return withoutLink(title, `${link.name}`);
}

function linkOf({ link }: ReportCondition): string {
  return `${link.name}`;
}

function pageHeading(page: string, { features }: ReportCondition): readonly Child[] {
  return [named(page, 40), element('small', {}, count(features.objects, 'object'))];
}

function linkHeading(link: string, condition: ReportCondition): readonly Child[] {
  const words = wordsForLink(link);
  return [
    ...(hasOwnName(link) ? [named(link, 24), words !== undefined && element('small', {}, words)] : []),
    element('small', { class: 'features' }, ...linkInWords(condition).map((each) => element('span', {}, each))),
  ];
}

/** How much each link counts in what is said of all of them. */
function weighing({ data }: Report): string {
  const { advice } = data.summary;
  return advice && isUneven(advice.mix) ? 'by your mix' : 'equal shares';
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

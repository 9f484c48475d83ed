import { intervalInWords } from '../harness/advice/advice-text.ts';
import { isEven, leadOfPage } from '../harness/findings/lead.ts';
import type { Sureness } from '../harness/model/answer.ts';
import { inWords } from '../harness/model/wording.ts';
import { insteadIn, type Standing, standingOf, type Told, tellCondition } from './answer-words.ts';
import { type ArmLook, choice, markOf, stripesOf } from './arms.ts';
import { type Child, element, htmlTable, lead, named, section, styled, unfolding } from './elements.ts';
import { explained } from './glossary.ts';
import { drawGridTable } from './grid-table.ts';
import type { Deeds, Part } from './part.ts';
import { openPlace } from './place.ts';
import type { Report, ReportCondition } from './report.ts';
import { openNotes } from './tooltip.ts';
import { chance, change, count, percent, time, unbroken } from './wording.ts';

/** The grid: every condition by its page and link, coloured by what to serve; choosing one opens it. */
export function drawGrid(first: Report, { open }: Deeds): Part {
  let report = first;
  const note = openNotes();
  const cells = new Map<string, HTMLButtonElement>();
  const pages = new Map<string, HTMLElement>();
  const table = drawGridTable(report, {
    ofCondition({ id, index }) {
      const click = () => open(id);
      const cell = element('button', { type: 'button', tabindex: -1, 'data-condition': index, click });
      note(cell, () => noteOf(report, report.conditions[index]!));
      cells.set(id, cell);
      return cell;
    },
    ofPage(site) {
      const cell = element('div');
      pages.set(site, cell);
      return cell;
    },
  });
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
    const keys = keysOf(report);
    key.fill(keys, () => [drawKey(report, keys)]);
    asTable.fill(report.data.summary.conditions, () => [unfolding('Grid as a table', () => conditionTable(report))]);
  };
  update(first);
  let isFirst = true;
  return {
    node: section(
      'grid',
      'Each page over each connection',
      report.looks.length > 1 && lead(...explained(report, meaningOfCells(report))),
      key.node,
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

/** What the figures and the colours of cells mean. */
function meaningOfCells({ titleOf, data }: Report): string {
  const served = titleOf(data.summary.served);
  return [
    `+ saves time over ${served}, which is served today; − costs time. The stronger the colour, the surer.`,
    'Choose a cell to see its loads below.',
  ].join(' ');
}

/** What is shown of a condition, or of a page over all links. */
type Shown = Told & Pick<ReportCondition, 'title'>;

/** What is shown of a page over all links; nothing while one of them lacks an answer. */
function pageShown({ data, looks }: Report, site: string): Shown {
  const own = data.summary.advice?.byPage?.find((each) => each.site === site);
  const shown = { title: `${site} over all links`, blocks: 0 };
  if (!own) return { ...shown, lead: undefined };
  return {
    ...shown,
    answer: own,
    lead: leadOfPage(
      own,
      looks.map(({ name }) => name),
    ),
  };
}

/** Gives a cell the colours, the signs and the words of its condition. */
function dress(cell: HTMLElement, report: Report, condition: Shown): void {
  const { lead } = condition;
  const looks = (lead?.arms ?? []).map(report.lookOf);
  paint(cell, looks, standingOf(condition), lead?.sureness);
  cell.classList.toggle('even', isEvenIn(report, condition));
  cell.dataset.standing = standingOf(condition);
  cell.replaceChildren(
    // Its name is all that is in it: what is seen, and what is said besides.
    element('span', { class: 'hidden' }, `${condition.title.slice(0, 120)}: ${tellCondition(report, condition)} `),
    element('span', { class: 'who' }, ...whoIn(report, condition)),
    element('small', { class: 'how-sure' }, sureOf(condition)),
    ...gainsIn(report, condition),
  );
}

/** Whether nothing much hangs on what is served, so that its colour must not say so. */
function isEvenIn(report: Report, shown: Shown): boolean {
  const { advice, rule } = report.data.summary;
  return shown.lead !== undefined && isEven(shown.lead, insteadIn(report, shown), { advised: advice?.serve, rule });
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

/** The arms in a cell by sign and name: colour alone says nothing. */
function whoIn({ looks, lookOf }: Report, { lead, blocks }: Shown): Child[] {
  if (!lead) return [blocks > 0 && element('span', {}, looks.length > 1 ? 'no answer' : 'measured')];
  const { serve, asGood, arms } = lead;
  const short = (arm: string) => arm.slice(0, 12);
  if (arms.length === looks.length && looks.length > 2) return [element('span', {}, ...looks.map(markOf), 'any')];
  return [serve, ...asGood].map((arm) => element('span', {}, markOf(lookOf(arm)), short(arm)));
}

/**
 * What stands below the arms, in whole percents of the time of what is served today: what the best one gains, and what the one
 * does that is advised for everything where others are better; where nothing can be gained, what the next one costs.
 */
function gainsIn(report: Report, condition: Shown): readonly HTMLElement[] {
  const { lead, blocks } = condition;
  const line = (text: string, isLoss = false) => element('small', { class: isLoss ? 'gain loss' : 'gain' }, text);
  if (!lead) return blocks === 0 ? [] : [line(count(blocks, 'block'))];
  const { keeps, gain, asGood, next } = lead;
  const margin = 100 * report.data.summary.rule.advantage;
  const armWith = (arm: string, gainPercent: number) => `${arm.slice(0, 12)} ${change(Math.round(gainPercent))}`;
  const instead = insteadIn(report, condition);
  const own = keeps ? [] : [line(change(Math.round(gain.percent)))];
  // Hardly anything hangs on the choice, but the advice may be the slower one.
  if (isEvenIn(report, condition)) return instead ? [line(armWith(instead.arm, instead.gainPercent))] : [];
  if (instead) return [...own, line(armWith(instead.arm, instead.gainPercent), instead.gainPercent < -margin)];
  if (!keeps) return own;
  if (next) return [line(armWith(next.arm, 0 - next.slowerPercent))];
  return asGood.length > 0 ? [line(`within ${percent(margin)}`)] : [];
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

/** What there is in this grid that its key explains. */
function keysOf(report: Report) {
  const { conditions, data } = report;
  const pages = (data.summary.advice?.byPage ?? []).map(({ site }) => pageShown(report, site));
  const shown: readonly Shown[] = [...conditions, ...pages];
  const margin = 100 * data.summary.rule.advantage;
  return {
    isPredicted: shown.some((one) => standingOf(one) === 'predicted'),
    even: shown.some((one) => isEvenIn(report, one)) ? comparedIn(report) : [],
    isStriped: shown.some((one) => (one.lead?.arms.length ?? 0) > 1 && !isEvenIn(report, one)),
    losing: shown.some((each) => (insteadIn(report, each)?.gainPercent ?? 0) < -margin) ? comparedIn(report) : [],
  };
}

/** The advised arm and what is served today, by their titles. */
function comparedIn({ data, titleOf }: Report): readonly string[] {
  const { advice, served } = data.summary;
  return [...new Set([advice?.serve ?? served, served])].map(titleOf);
}

/** What the cells of this grid look like, and what that says. */
function drawKey(report: Report, { isPredicted, isStriped, even, losing }: ReturnType<typeof keysOf>): HTMLElement {
  const { looks, data } = report;
  const margin = percent(100 * data.summary.rule.advantage);
  const sample = (own: readonly ArmLook[], standing: Standing, sureness?: Sureness) => {
    const signs = own.length === 1 && standing === 'sure' ? own.map(markOf) : [];
    const node = paint(element('i', { 'aria-hidden': 'true' }, ...signs), own, standing, sureness);
    node.classList.add('sample');
    return node;
  };
  const item = (...children: readonly Child[]) => element('li', {}, ...children);
  return element(
    'ul',
    { class: 'key grid-key', 'aria-label': 'Key' },
    ...looks.map((look) =>
      item(
        sample([look], 'sure', 'sure'),
        element('bdi', {}, look.name === look.title ? look.title : `${look.name}: ${look.title}`),
      ),
    ),
    isStriped && item(sample(looks.slice(-2), 'sure', 'sure'), `striped: any of them, within ${margin}`),
    even.length > 0 &&
      item(element('i', { class: 'cell even sample', 'aria-hidden': 'true' }), evenInWords(even, margin)),
    isPredicted && item(sample(looks.slice(-1), 'predicted', 'likely'), 'predicted by the tree, not measured'),
    losing.length > 0 &&
      item(element('span', {}, element('b', {}, 'bold'), `: ${losing.join(` takes over ${margin} longer than `)}`)),
  );
}

function evenInWords(arms: readonly string[], margin: string): string {
  return arms.length > 1
    ? `about even: ${inWords(arms, 'or')}, within ${margin}`
    : `about even: ${arms.join('')} is within ${margin} of the best`;
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

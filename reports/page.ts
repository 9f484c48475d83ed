import { writeGiven } from '../harness/advice/advice-text.ts';
import type { PageData } from '../harness/report/page-data.ts';
import { drawAnswer } from './answer.ts';
import { drawExplorer } from './ask/explorer.ts';
import { clearCharts } from './charts.ts';
import { drawCondition } from './condition/condition.ts';
import { element } from './elements.ts';
import { drawGlossary } from './glossary.ts';
import { drawGrid } from './grid.ts';
import { jumpTo, linkTo } from './jump.ts';
import { drawMethod } from './method.ts';
import { drawNext } from './next.ts';
import { drawOffers } from './offers.ts';
import type { Deeds, DrawPart, Part } from './part.ts';
import { keepReaderWhile } from './reader.ts';
import { openReport, type Report } from './report.ts';
import { completed, readState, type State, writeState } from './state.ts';
import { drawThenAndNow } from './then-and-now/then-and-now.ts';
import { drawTree } from './tree/tree.ts';
import { drawTrust } from './trust.ts';
import { drawVisitors } from './visitors.ts';

/** The parts of the page from top to bottom. */
const PARTS: readonly DrawPart[] = [
  ...[drawAnswer, drawOffers, drawGrid, drawTrust, drawNext, drawVisitors, drawExplorer, drawTree, drawCondition],
  ...[drawThenAndNow, drawMethod, drawGlossary],
];

/** A page that shows a study. */
interface Page {
  /** What the study's questions are: a page is drawn for these alone. */
  readonly plan: string;
  update(report: Report): void;
}

let page: Page | undefined;

/**
 * Shows a study's data. Called again with what the same study has come to since, it changes what is new; what the reader
 * has chosen, opened, focused and on the screen stays as it is.
 */
export function showReport(data: PageData, root: HTMLElement): void {
  const report = openReport(data);
  const given = data.summary.advice && writeGiven(data.summary.advice);
  document.title = `${[data.answer.headline, given].filter(Boolean).join(' ')} · ${data.summary.study.slice(0, 60)} · Photofinish`;
  keepReaderWhile(root, () => {
    if (page?.plan === planOf(report)) page.update(report);
    else page = openPage(report, root);
  });
}

function planOf({ conditions, looks, data: { summary } }: Report): string {
  const { study, metric } = summary;
  return JSON.stringify([study, metric, looks, conditions.map(({ id, title, features }) => [id, title, features])]);
}

function openPage(first: Report, root: HTMLElement): Page {
  clearCharts(root);
  let state = readState(location.hash, startOf(first));
  const parts: (Part | undefined)[] = PARTS.map(() => undefined);
  const nav = element('nav', { 'aria-label': 'Parts of the report' });
  const main = element('main');
  const show = () => {
    for (const part of parts) part?.show(state);
  };
  const deeds: Deeds = {
    change(chosen) {
      state = { ...state, ...chosen };
      history.replaceState(undefined, '', writeState(state));
      show();
    },
    open(condition) {
      deeds.change({ condition });
      jumpTo('condition');
    },
  };
  onAddress = () => {
    state = readState(location.hash, state);
    show();
  };
  const update = (report: Report) => {
    PARTS.forEach((draw, index) => {
      if (parts[index]) parts[index].update(report);
      else parts[index] = draw(report, deeds);
    });
    place(main, parts);
    const there = parts.filter((part) => part !== undefined);
    if (nav.childElementCount < there.length)
      nav.replaceChildren(...there.map(({ node, title }) => linkTo(node.id, title)));
    show();
  };
  update(first);
  root.replaceChildren(element('header', {}, nav), main, element('footer', {}, element('p', {}, endOf(root))));
  return { plan: planOf(first), update };
}

function endOf({ dataset }: HTMLElement): string {
  return dataset.live === undefined
    ? 'Made by Photofinish. Everything in this page is inside this file; no request leaves it.'
    : 'Made by Photofinish, and served by it to this machine alone.';
}

/** What is there already stays where it is: what is moved loses focus and place. */
function place(main: HTMLElement, parts: readonly (Part | undefined)[]): void {
  let before: HTMLElement | null = null;
  for (const part of parts.toReversed()) {
    if (!part) continue;
    if (part.node.parentElement !== main) main.insertBefore(part.node, before);
    before = part.node;
  }
}

/** What is chosen before a reader chooses: the worst condition of the advice, or the first that was measured. */
function startOf({ conditions, data }: Report): State {
  const worst = data.summary.advice?.worst?.condition;
  const measured = conditions.find(({ blocks }) => blocks > 0) ?? conditions[0]!;
  const shown = conditions.find(({ id }) => id === worst) ?? measured;
  return { asked: completed(measured.features, true), condition: shown.id };
}

let onAddress = () => {};
addEventListener('hashchange', () => onAddress());

import './page.css';
import type { PageData } from '../harness/report/page-data.ts';
import { fromPageJson } from '../harness/report/page-packing.ts';
import { drawAnswer } from './answer.ts';
import { clearCharts } from './charts.ts';
import { drawCondition } from './condition.ts';
import { element } from './elements.ts';
import { drawExplorer } from './explorer.ts';
import { drawGrid } from './grid.ts';
import { drawMethod } from './method.ts';
import { openReport, type Report } from './report.ts';
import { completed, readState, type State, writeState } from './state.ts';
import { drawTree } from './tree-drawing.ts';

const SECTIONS = [
  ['answer', 'Answer'],
  ['ask', 'Ask it'],
  ['tree', 'Tree'],
  ['grid', 'Grid'],
  ['condition', 'Condition'],
  ['method', 'Method'],
] as const;

/** Shows a study's data in the page, in place of what it showed before; what a reader has chosen stays. */
export function showReport(data: PageData, root: HTMLElement): void {
  const report = openReport(data);
  clearCharts(root);
  document.title = `${data.answer.headline} · ${data.summary.study.slice(0, 60)} · Photofinish`;
  let state = readState(location.hash, startOf(report));
  const parts = [
    ...(report.data.summary.tree
      ? [drawExplorer(report, { ask: (asked) => change({ asked }), weigh: (mix) => change({ mix }), open })]
      : []),
    ...[drawTree(report)].filter((part) => part !== undefined),
    drawGrid(report, open),
    drawCondition(report, (condition) => change({ condition })),
  ];
  function change(part: Partial<State>): void {
    state = { ...state, ...part };
    history.replaceState(undefined, '', writeState(state));
    for (const each of parts) each.show(state);
  }
  function open(condition: string): void {
    change({ condition });
    jumpTo('condition');
  }
  onAddress = () => {
    state = readState(location.hash, startOf(report));
    for (const each of parts) each.show(state);
  };
  const nodes = [drawAnswer(report), ...parts.map(({ node }) => node), drawMethod(report)];
  root.replaceChildren(
    element('header', {}, element('nav', { 'aria-label': 'Parts of the report' }, ...linksTo(nodes))),
    element('main', {}, ...nodes),
    element(
      'footer',
      {},
      element('p', {}, 'Made by Photofinish. Everything in this page is inside this file; no request leaves it.'),
    ),
  );
  for (const each of parts) each.show(state);
}

/** What is chosen before a reader chooses: the first condition that was measured. */
function startOf({ conditions, data }: Report): State {
  const worst = data.summary.advice?.risk?.condition;
  const measured = conditions.find(({ blocks }) => blocks > 0) ?? conditions[0]!;
  const shown = conditions.find(({ id }) => id === worst) ?? measured;
  return { asked: completed(measured.features, true), condition: shown.id };
}

function linksTo(nodes: readonly HTMLElement[]): HTMLElement[] {
  return SECTIONS.filter(([id]) => nodes.some((node) => node.id === id)).map(([id, title]) =>
    element(
      'a',
      {
        href: `#${id}`,
        click: (event: Event) => {
          event.preventDefault();
          jumpTo(id);
        },
      },
      title,
    ),
  );
}

/** The address is the question's, so that no jump may stand there. */
function jumpTo(id: string): void {
  const section = document.getElementById(id);
  if (!section) return;
  section.tabIndex = -1;
  section.focus({ preventScroll: true });
  const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
  section.scrollIntoView({ behavior: calm ? 'auto' : 'smooth', block: 'start' });
}

let onAddress = () => {};
addEventListener('hashchange', () => onAddress());

showReport(
  fromPageJson<PageData>(document.getElementById('data')!.textContent ?? ''),
  document.getElementById('report')!,
);

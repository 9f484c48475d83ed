import { conditionStandingOf } from '../condition-standing.ts';
import { element, named, section } from '../elements.ts';
import { tell } from '../grid.ts';
import type { Deeds, Part } from '../part.ts';
import { openPlace } from '../place.ts';
import { isFastest, type Report, type ReportCondition } from '../report.ts';
import { bytes, count, figure, joinWords, percent, rate } from '../wording.ts';
import { drawDistribution } from './distribution.ts';
import { drawFigures } from './figures.ts';
import { drawFilms } from './filmstrip.ts';
import { drawLoads } from './loads.ts';
import { drawPair, type PairChoice } from './pair.ts';
import { drawWaterfalls } from './waterfalls.ts';

/** One condition, down to the single load. */
export function drawCondition(first: Report, { change }: Deeds): Part {
  let report = first;
  const chooser = drawChooser(report, (condition) => change({ condition: condition.id }));
  const body = openBody();
  return {
    node: section('condition', 'A condition', chooser.node, body.node),
    title: 'Condition',
    show({ condition: id }) {
      const condition = report.conditions.find((each) => each.id === id) ?? report.conditions[0];
      if (!condition) return;
      chooser.show(condition);
      body.show(report, condition);
    },
    update(next) {
      report = next;
    },
  };
}

/** A study's conditions to choose from, and to go through. */
function drawChooser({ conditions }: Report, choose: (condition: ReportCondition) => void) {
  const select = element(
    'select',
    { id: 'condition-choice', change: () => choose(conditions[Number(select.value)]!) },
    ...conditions.map(({ title, index }) => element('option', { value: index }, title.slice(0, 100))),
  );
  const step = (by: number) => () => {
    const next = conditions[Number(select.value) + by];
    if (next) choose(next);
  };
  return {
    node: element(
      'div',
      { class: 'choice' },
      element('label', { for: 'condition-choice', class: 'hidden' }, 'Condition'),
      select,
      element('button', { type: 'button', click: step(-1) }, '← previous'),
      element('button', { type: 'button', click: step(1) }, 'next →'),
    ),
    show({ index }: ReportCondition) {
      select.value = `${index}`;
    },
  };
}

/** What there is of a condition, each thing in a place of its own: a new block leaves what it says nothing of. */
function openBody() {
  const choice: PairChoice = {};
  const [head, plots, figures] = [openPlace({ class: 'condition-head' }), openPlace({ class: 'plots' }), openPlace()];
  const [waterfalls, films, loads] = [openPlace(), openPlace(), openPlace()];
  const places = [head, plots, figures, waterfalls, films, loads];
  const node = element('div', { id: 'condition-body' }, ...places.map((place) => place.node));
  const show = (report: Report, condition: ReportCondition): void => {
    const { data } = report;
    const { id, blocks, arms, comparisons, label, state } = condition;
    const page = data.conditions[condition.index]!;
    const isMeasured = blocks > 0;
    node.dataset.condition = `${condition.index}`;
    head.fill([id, blocks, state, label, comparisons, arms], () => drawHead(report, condition));
    plots.fill([id, comparisons, page.blocks], () =>
      isMeasured ? [drawDistribution(report, condition), ...drawPair(report, condition, choice)] : [],
    );
    figures.fill([id, arms], () => (isMeasured ? [drawFigures(report, condition)] : []));
    waterfalls.fill([id, page.waterfalls, namesIn(report, condition)], () => [drawWaterfalls(report, condition)]);
    films.fill([id, page.films, data.pictures.length], () => [drawFilms(report, condition)]);
    loads.fill([id, page.blocks, data.evidence], () => (isMeasured ? [drawLoads(report, condition)] : []));
  };
  return { node, show };
}

/** Rows say which of the page's names they mean, which stand elsewhere once another condition has other names. */
function namesIn({ data }: Report, { waterfalls }: ReportCondition): readonly string[] {
  return waterfalls.length === 0 ? [] : data.names;
}

function drawHead(report: Report, condition: ReportCondition): HTMLElement[] {
  const { features, blocks, state, title } = condition;
  const link = `${rate(features.rateKbps)}, ${figure(features.rttMs)} ms, ${percent(features.lossPercent)} loss, queue of ${figure(features.queuePackets, 0)} packets`;
  const page = `${count(features.objects, 'object')}, ${bytes(features.totalBytes)}; ${features.visit} visit`;
  return [
    // On the screen it stands in the list above.
    element('p', { class: 'on-paper' }, named(title, 120)),
    element('h3', { class: 'says' }, `${capital(tell(report, condition))}.${fastestSoFar(report, condition)}`),
    element('p', { class: 'quiet' }, `${link}; ${page}. ${count(blocks, 'block')}, ${STATES[state]}.`),
    ...(blocks === 0 ? [element('p', {}, 'No block of this condition is finished yet.')] : []),
  ];
}

/** What it looks like where it is not decided what it is. */
function fastestSoFar({ looks }: Report, condition: ReportCondition): string {
  if (conditionStandingOf(condition).standing !== 'undecided') return '';
  const fastest = looks.filter(({ name }) => isFastest(condition, name)).map(({ title }) => title);
  return fastest.length === 0 ? '' : ` ${joinWords(fastest)} has the fastest median so far.`;
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

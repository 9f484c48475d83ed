import { processorParts } from '../../harness/findings/floor.ts';
import { wordsForLink } from '../../harness/model/link-title.ts';
import { describePart } from '../../harness/report/floor-text.ts';
import { tellAnswer } from '../answer-words.ts';
import { element, named, section } from '../elements.ts';
import { explained } from '../glossary.ts';
import { linkInWords } from '../links.ts';
import type { Deeds, Part } from '../part.ts';
import { openPlace } from '../place.ts';
import type { Report, ReportCondition } from '../report.ts';
import { sureWord } from '../sureness.ts';
import { bytes, count, figure, percent } from '../wording.ts';
import { drawChances } from './chances.ts';
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
    node: section('condition', 'One condition in detail', chooser.node, body.node),
    title: 'Loads',
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

/** A condition's parts, each in a place of its own: a new block redraws only those that it changes. */
function openBody() {
  const choice: PairChoice = {};
  const [head, plots, figures] = [openPlace({ class: 'condition-head' }), openPlace({ class: 'plots' }), openPlace()];
  const [waterfalls, films, loads] = [openPlace(), openPlace(), openPlace()];
  const places = [head, plots, figures, waterfalls, films, loads];
  const node = element('div', { id: 'condition-body' }, ...places.map((place) => place.node));
  const show = (report: Report, condition: ReportCondition): void => {
    const { data } = report;
    const { id, blocks, arms, comparisons, answer, within, state, floorMs } = condition;
    const page = data.conditions[condition.index]!;
    const isMeasured = blocks > 0;
    node.dataset.condition = `${condition.index}`;
    const advised = data.summary.advice?.serve;
    head.fill([id, blocks, state, answer, advised, within, comparisons, arms, floorMs], () => [
      ...drawHead(report, condition),
      ...drawChances(report, condition),
    ]);
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

/** The page's names, to which rows refer by place: places move once another condition has other names. */
function namesIn({ data }: Report, { waterfalls }: ReportCondition): readonly string[] {
  return waterfalls.length === 0 ? [] : data.names;
}

function drawHead(report: Report, condition: ReportCondition): HTMLElement[] {
  const { features, title } = condition;
  const words = wordsForLink(`${condition.link.name}`);
  const link = `${words ? `${words}: ` : ''}${linkInWords(condition).join(', ')}, queue of ${figure(features.queuePackets, 0)} packets`;
  const page = `${count(features.objects, 'object')}, ${bytes(features.totalBytes)}; ${features.visit} visit`;
  return [
    // On the screen it stands in the list above.
    element('p', { class: 'on-paper' }, named(title, 120)),
    element('h3', { class: 'says' }, tellAnswer(report, condition)),
    drawSureness(report, condition),
    element('p', { class: 'quiet' }, `${link}; ${page}.`),
    ...drawProcessor(report, condition),
  ];
}

/** What of the load times is this machine's own, and whether that is much. */
function drawProcessor(report: Report, condition: ReportCondition): HTMLElement[] {
  const parts = processorParts(condition);
  if (parts.length === 0) return [];
  const each = parts.map((part) => `${report.titleOf(part.arm)} ${describePart(part)}`).join(', ');
  const isMuch = parts.some(({ weighty }) => weighty);
  const much = isMuch && element('b', {}, ' More than a third of a load time is this machine’s own.');
  return [element('p', { class: 'quiet processor' }, `Processor: ${each}.`, much)];
}

/** How sure the answer is, what it costs if it is wrong, and whether more is to come. */
function drawSureness(report: Report, { lead, answer, blocks, state }: ReportCondition): HTMLElement {
  const measured = `${count(blocks, 'block')}: ${STATES[state]}.`;
  if (!lead || !answer) return element('p', {}, measured);
  if (lead.predicted)
    return element(
      'p',
      {},
      `Not measured: the tree predicts it, at a regret of ${percent(answer.regretPercent)}. ${measured}`,
    );
  const regret = `Expected regret ${percent(answer.regretPercent)}: on average, pages may load this much longer than with the best protocol.`;
  return element(
    'p',
    {},
    'How sure: ',
    sureWord(report, lead.sureness),
    ...explained(report, `. ${regret} ${measured}`),
  );
}

const STATES: Readonly<Record<ReportCondition['state'], string>> = {
  open: 'more are to come',
  broken: 'no more, because one was void too often',
  settled: 'no more, because the answer is settled',
  proven: 'no more, because the answer is proven',
  hopeless: 'no more, because those that are left could not prove the answer',
  full: 'all that the study allows',
};

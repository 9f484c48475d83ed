import { writeByTree } from '../harness/advice/advice-text.ts';
import { type Advice, hasNoOneArm } from '../harness/model/advice.ts';
import type { Badge } from '../harness/report/page-data.ts';
import { STANDINGS, type Standing, standingOf } from './answer-words.ts';
import { type Child, element, section, styled } from './elements.ts';
import { explained } from './glossary.ts';
import type { Part } from './part.ts';
import { openPlace } from './place.ts';
import type { Report } from './report.ts';
import { count, figure, unbroken } from './wording.ts';

/** What a reader has to know before they act on the answer: how much of it is known, and what speaks against it. */
export function drawTrust(first: Report): Part {
  const place = openPlace();
  const update = (report: Report) => {
    const { answer, summary } = report.data;
    place.fill([answer, summary.advice, report.conditions.map(standingOf)], () => trustOf(report));
  };
  update(first);
  return { node: section('trust', 'Before you act on it', place.node), title: 'Trust', show: () => {}, update };
}

function trustOf(report: Report): Child[] {
  const { answer, summary } = report.data;
  const { advice } = summary;
  return [
    report.looks.length > 1 && standingBar(report),
    badgeList(answer.badges),
    advice && byTree(report, advice),
    advice && inSentences(answer.text),
  ];
}

/** That one protocol for everything is a compromise, and where the tree stands that is none. */
function byTree({ titleOf }: Report, advice: Advice): HTMLElement | undefined {
  const sentences = writeByTree(advice, titleOf);
  // The answer itself says so where the tree is the advice.
  if (sentences.length === 0 || hasNoOneArm(advice)) return undefined;
  return element('p', { class: 'assumes' }, unbroken(sentences.join(' ')));
}

/** The advice in sentences, for a reader who passes it on. The figures above say the same. */
function inSentences(text: string): HTMLElement {
  return element(
    'details',
    { class: 'in-sentences' },
    element('summary', {}, 'The advice in sentences'),
    element('p', { class: 'advice' }, unbroken(text)),
  );
}

const STANDING_WORDS: Readonly<Record<Standing, string>> = {
  proven: 'proven',
  sure: 'sure',
  likely: 'likely',
  open: 'open',
  predicted: 'predicted, not measured',
  none: 'without an answer',
};

/** How well the answers of how many conditions are known. */
function standingBar(report: Report): HTMLElement {
  const { conditions } = report;
  const counts = STANDINGS.map((standing) => ({
    standing,
    number: conditions.filter((condition) => standingOf(condition) === standing).length,
  })).filter(({ number }) => number > 0);
  return element(
    'div',
    { class: 'known' },
    element(
      'p',
      { class: 'quiet' },
      ...explained(report, `How well the answers of the ${count(conditions.length, 'condition')} are known:`),
    ),
    element(
      'div',
      { class: 'bar', 'aria-hidden': 'true' },
      ...counts.map(({ standing, number }) =>
        styled(element('span', { class: standing }), { 'flex-grow': `${number}` }),
      ),
    ),
    element(
      'ul',
      {},
      ...counts.map(({ standing, number }) =>
        element(
          'li',
          { 'data-count': standing },
          element('i', { class: standing }),
          element('b', {}, figure(number, 0)),
          ` ${STANDING_WORDS[standing]}`,
        ),
      ),
    ),
  );
}

const SIGNS = { bad: '✕', warn: '!', good: '✓' } as const;

function badgeList(badges: readonly Badge[]): HTMLElement {
  return element(
    'ul',
    { class: 'badges', 'aria-label': 'What to know before believing it' },
    ...badges.map(({ level, title, says }) =>
      element(
        'li',
        { class: level, 'data-badge': title },
        element('span', { class: 'sign', 'aria-hidden': 'true' }, SIGNS[level]),
        element('div', {}, element('b', {}, title), ' ', element('span', {}, says)),
      ),
    ),
  );
}

import { KNOWN_H3, writeByTree } from '../harness/advice/advice-text.ts';
import type { Advice } from '../harness/model/advice.ts';
import { inWords } from '../harness/model/wording.ts';
import type { Badge } from '../harness/report/page-data.ts';
import { describeTime } from '../harness/report/progress.ts';
import { gainInterval, gainInWords, STANDINGS, type Standing, standingOf } from './answer-words.ts';
import { markOf } from './arms.ts';
import { type Child, element, named, styled } from './elements.ts';
import { explained } from './glossary.ts';
import { mixTable } from './mix-table.ts';
import type { Part } from './part.ts';
import { openPlace } from './place.ts';
import type { Report } from './report.ts';
import { meansOf, sureWord } from './sureness.ts';
import { count, figure, percent, unbroken } from './wording.ts';

/** The answer: what to serve, what that gains and costs, how sure it is, what is open, and what speaks against it. */
export function drawAnswer(first: Report): Part {
  const place = openPlace();
  const update = (report: Report) => {
    const { answer, summary } = report.data;
    const standings = report.conditions.map(standingOf);
    const shows = [answer, summary.advice, summary.loads.counted, summary.leftSeconds, standings];
    place.fill(shows, () => answerOf(report));
  };
  update(first);
  return {
    node: element('section', { id: 'answer', 'aria-labelledby': 'headline' }, place.node),
    title: 'Answer',
    show: () => {},
    update,
  };
}

function answerOf(report: Report): Child[] {
  const { answer, summary } = report.data;
  const { advice } = summary;
  return [
    element(
      'p',
      { class: 'kicker' },
      'Photofinish ',
      element('span', {}, '·'),
      ' ',
      named(summary.study),
      ' ',
      ...explained(report, sizeOf(report)),
    ),
    element('h1', { id: 'headline' }, ...marksOf(report, advice), answer.headline),
    advice ? factsOf(report, advice) : element('p', { class: 'shortly' }, answer.text),
    advice?.assumesKnownH3 && element('p', { class: 'assumes' }, KNOWN_H3),
    advice && byTree(advice),
    standingBar(report),
    badgeList(answer.badges),
    advice && inSentences(answer.text),
    advice && mixTable(report, advice),
  ];
}

/** That one protocol for everything is a compromise, and where the tree stands that is none. */
function byTree(advice: Advice): HTMLElement | undefined {
  const sentences = writeByTree(advice);
  if (sentences.length === 0) return undefined;
  return element('p', { class: 'assumes' }, sentences.join(' '));
}

function sizeOf({ conditions, looks, data: { summary } }: Report): string {
  return `· ${count(conditions.length, 'condition')} × ${count(looks.length, 'arm')} · ${count(summary.loads.counted, 'load')}`;
}

function marksOf({ lookOf }: Report, advice: Advice | undefined): Child[] {
  if (!advice) return [];
  // As the headline: where nothing need change, what else would be as good is not in it.
  const arms = advice.serve === advice.gain.over ? [advice.serve] : [advice.serve, ...advice.asGood];
  return [element('span', { class: 'marks' }, ...arms.map((arm) => markOf(lookOf(arm))))];
}

/** The advice in whole sentences, to be sent to somebody else: what it says stands above in figures. */
function inSentences(text: string): HTMLElement {
  return element(
    'details',
    { class: 'in-sentences' },
    element('summary', {}, 'The advice in sentences'),
    element('p', { class: 'advice' }, unbroken(text)),
  );
}

/** A figure of the answer, and what it is. */
function fact(key: string, value: Child, ...label: readonly Child[]): HTMLElement {
  return element('div', { 'data-fact': key }, element('dd', { class: 'big' }, value), element('dt', {}, ...label));
}

function factsOf(report: Report, advice: Advice): HTMLElement {
  return element(
    'dl',
    { class: 'facts' },
    gainFact(report, advice),
    fact('sure', sureWord(report, advice.sureness), meansOf(report, advice.sureness)),
    worstFact(report, advice),
    openFact(report, advice),
  );
}

function gainFact({ titleOf, data }: Report, { serve, asGood, gain, regretPercent }: Advice): HTMLElement {
  const margin = percent(100 * data.summary.rule.advantage);
  const others = inWords(asGood.map(titleOf), 'and');
  const asGoodToo = `${others} ${asGood.length > 1 ? 'are' : 'is'} as good: within ${margin}.`;
  if (serve === gain.over) {
    const says = `slower, over your traffic, than if every condition had its best protocol. ${titleOf(serve)} is served today.`;
    return fact('gain', percent(regretPercent), `${says} ${asGood.length > 0 ? asGoodToo : ''}`);
  }
  return fact(
    'gain',
    gainInWords(gain.percent),
    `over your traffic, compared with ${titleOf(gain.over)}, which is served today; 95\u00a0% interval ${gainInterval(gain)}. `,
    asGood.length > 0 && asGoodToo,
  );
}

function worstFact({ titleOf, conditions }: Report, { worst, gain, serve }: Advice): HTMLElement {
  if (!worst) {
    const beside = serve === gain.over ? 'each condition’s best protocol' : titleOf(gain.over);
    return fact('worst', 'none', `worst case: pages load as fast as with ${beside} everywhere, or faster`);
  }
  const title = conditions.find(({ id }) => id === worst.condition)?.title ?? worst.condition;
  return fact(
    'worst',
    `${percent(worst.percent)} slower`,
    'at worst: ',
    named(title, 60),
    `, compared with ${titleOf(worst.than)}`,
  );
}

function openFact({ data }: Report, { open }: Advice): HTMLElement {
  const { conditions, of } = open;
  if (conditions === 0)
    return fact(
      'open',
      'nothing',
      ...explained({ data }, `is open: the answer of each of ${count(of, 'condition')} is settled`),
    );
  const { leftSeconds, finished, stopping } = data.summary;
  const settles = stopping.kind === 'early' && stopping.until === 'settled';
  const left =
    finished || !leftSeconds
      ? 'No more blocks are allowed by the study.'
      : `About ${describeTime(1000 * leftSeconds)} more ${settles ? `would settle ${conditions === 1 ? 'it' : 'them'}` : 'are to come'}.`;
  return fact(
    'open',
    `${figure(conditions, 0)} of ${figure(of, 0)}`,
    ...explained(
      { data },
      unbroken(
        `${of === 1 ? 'condition' : 'conditions'} ${conditions === 1 ? 'is' : 'are'} open${worthOf(open)}. ${left}`,
      ),
    ),
  );
}

/** What is known of what knowing them would be worth: nothing of those that were not measured. */
function worthOf({ conditions, unmeasured, worthPercent }: Advice['open']): string {
  if (unmeasured === conditions) return ', not measured yet';
  const worth = `would save at most ${percent(Math.max(0.1, worthPercent))} of load time`;
  return unmeasured === 0
    ? `; settling ${conditions === 1 ? 'it' : 'them'} ${worth}`
    : `: ${unmeasured} not measured yet, and settling the others ${worth}`;
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
    element('p', { class: 'quiet' }, ...explained(report, 'How well the answer of each condition is known:')),
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

import { fewestBlocks } from '../harness/comparison/evidence.ts';
import { FALSE_DISCOVERY_RATE } from '../harness/comparison/rules.ts';
import type { Advice } from '../harness/model/advice.ts';
import type { Badge, VerdictCounts } from '../harness/report/page-data.ts';
import { chip, markOf } from './arms.ts';
import { type Child, element, named, styled } from './elements.ts';
import { mixTable } from './mix-table.ts';
import type { Part } from './part.ts';
import { openPlace } from './place.ts';
import { isFastest, type Report } from './report.ts';
import { count, figure, joinWords, percent, unbroken } from './wording.ts';

/** The answer: what to serve, what that gains and risks, how sure it is, and what speaks against believing it. */
export function drawAnswer(first: Report): Part {
  const place = openPlace();
  const update = (report: Report) => {
    const { answer, summary } = report.data;
    place.fill([answer, summary.advice, summary.loads.counted], () => answerOf(report));
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
      ` ${sizeOf(report)}`,
    ),
    element('h1', { id: 'headline' }, ...marksOf(report), answer.headline),
    ...shortly(report, advice),
    advice && factsOf(report, advice),
    inFull(answer.text),
    advice && mixTable(report, advice),
    verdictBar(answer.counts),
    badgeList(answer.badges),
  ];
}

/** What a verdict says, for how much of the traffic. */
function shortly(report: Report, advice: Advice | undefined): HTMLElement[] {
  const { lookOf } = report;
  if (report.data.answer.counts.undecided > 0 && advice && advice.against === undefined) return [soFar(report)];
  if (advice?.against === undefined || !advice.shares) return [];
  const { shares, against } = advice;
  const parts = STANDINGS_OF_TRAFFIC.flatMap(([which, words]) =>
    shares[which] > 0 ? [`${words} for ${percent(100 * shares[which])}`] : [],
  );
  const says = `rather than ${lookOf(against).title}: ${joinWords(parts)} of the traffic measured.`;
  return [element('p', { class: 'shortly' }, says)];
}

/** Where too little is proven to change anything: what it looks like, and why that is no answer yet. */
function soFar({ conditions, looks, data }: Report): HTMLElement {
  const measured = conditions.filter(({ blocks }) => blocks > 0);
  const first = looks.map((look) => measured.filter((condition) => isFastest(condition, look.name)).length);
  const most = Math.max(...first);
  const leader = looks[first.indexOf(most)]!;
  const least = fewestBlocks(data.summary.rule, FALSE_DISCOVERY_RATE);
  const blocks = Math.max(...measured.map((condition) => condition.blocks));
  const why =
    blocks < least
      ? `with ${count(blocks, 'block')} each that may be chance: a verdict takes ${least} at least`
      : 'which may be chance';
  const proven = measured.flatMap(({ comparisons }) => comparisons).filter(({ verdict }) => verdict !== 'undecided');
  const known =
    proven.length === 0 ? 'Nothing is proven yet' : `${count(proven.length, 'verdict')} so far, and no answer yet`;
  const says = `${known}. ${leader.title} has the fastest median in ${most} of ${count(measured.length, 'condition')}, ${blocks < least ? 'but ' : ''}${why}.`;
  return element('p', { class: 'shortly' }, unbroken(says));
}

const STANDINGS_OF_TRAFFIC = [
  ['faster', 'proven faster'],
  ['tie', 'as fast'],
  ['slower', 'proven slower'],
  ['undecided', 'undecided'],
] as const;

/** More is not read in ten seconds. */
const ADVICE_LENGTH = 420;

/** The advice as it stands in the summary. */
function inFull(text: string): HTMLElement {
  const node = element('p', { class: 'advice' }, unbroken(text));
  if (text.length <= ADVICE_LENGTH) return node;
  return element('details', { class: 'full-advice' }, element('summary', {}, 'The advice in full'), node);
}

function sizeOf({ conditions, looks, data: { summary } }: Report): string {
  return `· ${count(conditions.length, 'condition')} × ${count(looks.length, 'arm')} · ${count(summary.loads.counted, 'load')}`;
}

/** Only of what is advised for a reason: where nothing is, no sign is set before the answer. */
function marksOf({ data, lookOf }: Report): Child[] {
  const { advice } = data.summary;
  return advice?.against === undefined
    ? []
    : [element('span', { class: 'marks' }, ...advice.serve.map((arm) => markOf(lookOf(arm))))];
}

function factsOf({ data, conditions, lookOf }: Report, { gain, against, risk, possibleRisk }: Advice): HTMLElement {
  const { counts } = data.answer;
  const fact = (value: string, label: string, ...more: Child[]) =>
    element('div', {}, element('dd', { class: 'big' }, value), element('dt', {}, label, ...more));
  const titleOf = (id: string) => named(conditions.find((each) => each.id === id)?.title ?? id, 60);
  const facts = [
    ...(gain && against !== undefined
      ? [
          fact(saved(gain.medianPercent), `median load, against ${lookOf(against).title}`),
          fact(saved(gain.p95Percent), '95th percentile'),
        ]
      : []),
    ...(against === undefined
      ? []
      : [
          risk
            ? fact(slower(risk.percent), 'at worst, in ', titleOf(risk.condition))
            : fact(
                'none',
                'proven risk',
                possibleRisk ? '; not ruled out yet in ' : '',
                possibleRisk && titleOf(possibleRisk.condition),
              ),
        ]),
    fact(
      `${counts.decided + counts.tied} of ${conditions.length}`,
      unbroken('conditions decided in full, with at most 5 % of verdicts false'),
    ),
  ];
  return element('dl', { class: 'facts' }, ...facts);
}

/** What is not a number here is told in the text. */
function saved(value: number): string {
  if (Number.isNaN(value)) return '–';
  if (!Number.isFinite(value)) return 'fails';
  return Math.abs(value) < 0.5 ? '±0 %' : `${value > 0 ? '−' : '+'}${percent(Math.abs(value))}`;
}

function slower(value: number): string {
  return Number.isFinite(value) ? `+${percent(value)}` : 'fails';
}

const STANDINGS = [
  ['decided', 'decided'],
  ['tied', 'proven equal'],
  ['undecided', 'undecided'],
] as const;

/** How many conditions are decided, tied, undecided. */
function verdictBar(counts: VerdictCounts): HTMLElement {
  const parts = STANDINGS.filter(([which]) => counts[which] > 0);
  return element(
    'div',
    { class: 'verdicts' },
    element(
      'div',
      { class: 'bar', 'aria-hidden': 'true' },
      ...parts.map(([which]) => styled(element('span', { class: which }), { 'flex-grow': `${counts[which]}` })),
    ),
    element(
      'ul',
      {},
      ...STANDINGS.map(([which, words]) =>
        element(
          'li',
          { 'data-count': which },
          element('i', { class: which }),
          element('b', {}, figure(counts[which], 0)),
          ` ${words}`,
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

/** A set of arms by their signs. */
export function chips({ lookOf }: Report, arms: readonly string[]): HTMLElement {
  return element('span', { class: 'chips' }, ...arms.map((arm) => chip(lookOf(arm))));
}

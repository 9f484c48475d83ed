import {
  amongMeasured,
  bestByLinks,
  givenShare,
  intervalInWords,
  isMean,
  KNOWN_H3,
  remainsWithout,
  titleOfCondition,
  writeByTree,
  writeFromThere,
  writeGiven,
  writeSplit,
  writeUnlessKnown,
} from '../harness/advice/advice-text.ts';
import { deedInWords } from '../harness/findings/lead.ts';
import { madeBy } from '../harness/findings/made-by.ts';
import { unsettledOf } from '../harness/findings/unsettled.ts';
import { type Advice, dependsOnVisitors, hasNoOneArm, ifOne, isUneven } from '../harness/model/advice.ts';
import { fullTitleOfLink, titleOfLink } from '../harness/model/link-title.ts';
import { titleOfMetric } from '../harness/model/metric-title.ts';
import type { Metric } from '../harness/model/study.ts';
import { inWords, withoutCapital } from '../harness/model/wording.ts';
import { describeTime } from '../harness/report/progress.ts';
import { AS_FAST, gainInterval, gainInWords } from './answer-words.ts';
import { markOf } from './arms.ts';
import { TRAFFIC } from './ask/traffic.ts';
import { type Child, element, named } from './elements.ts';
import { explained } from './glossary.ts';
import { linkTo } from './jump.ts';
import type { Part } from './part.ts';
import { openPlace } from './place.ts';
import type { Report } from './report.ts';
import { meansOf, sureWord } from './sureness.ts';
import { leavesOf } from './tree/leaves.ts';
import { count, figure, percent, time, unbroken } from './wording.ts';

/** The answer: what to serve, what that gains and costs, how sure it is, and what is open. */
export function drawAnswer(first: Report): Part {
  const place = openPlace();
  const update = (report: Report) => {
    const { answer, summary } = report.data;
    const shows = [answer, summary.advice, summary.loads.counted, summary.leftSeconds];
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
      ' study “',
      named(summary.study),
      '” ',
      ...explained(report, sizeOf(report)),
    ),
    element('h1', { id: 'headline' }, ...marksOf(report, advice), answer.headline, ...givenIn(advice)),
    ...(advice
      ? [...kindsIn(report, advice), ...dividedIn(report, advice), withoutLine(report, advice), factsOf(report, advice)]
      : [element('p', { class: 'shortly' }, answer.text)]),
    advice?.assumesKnownH3 && element('p', { class: 'assumes' }, KNOWN_H3),
  ];
}

function sizeOf({ conditions, looks, data: { summary } }: Report): string {
  const [pages, links] = [conditions.map(({ site }) => site), conditions.map(({ link }) => link.name)].map(
    (names) => new Set(names).size,
  );
  const isByProtocol = new Set(looks.map(({ protocol }) => protocol)).size === looks.length;
  const size = `${count(conditions.length, 'condition')} × ${count(looks.length, isByProtocol ? 'protocol' : 'arm')}`;
  const loads = count(summary.loads.counted, 'load');
  return `· ${count(pages!, 'page')} over ${count(links!, 'link')}: ${size} · ${loads} ${madeBy(summary)}`;
}

/** The condition of the advice, as part of the headline. */
function givenIn(advice: Advice | undefined): Child[] {
  const given = advice && writeGiven(advice);
  return given === undefined ? [] : [' ', element('span', { class: 'given' }, unbroken(given))];
}

/** What is best for visitors of each kind, where the answer depends on who visits. */
function kindsIn({ data, conditions, lookOf }: Report, advice: Advice): Child[] {
  if (!dependsOnVisitors(advice)) return [];
  const lossy = new Set(conditions.flatMap(({ link, features }) => (features.lossPercent > 0 ? [`${link.name}`] : [])));
  const why = (arms: readonly string[], links: readonly string[]) =>
    arms.every((arm) => lookOf(arm).protocol === 'h1') && links.every((link) => lossy.has(link))
      ? ': a loss slows one of its six connections; HTTP/2 and HTTP/3 have only one'
      : '';
  const kinds = (bestByLinks(advice, data) ?? []).map(({ arms, best, links, sureness }) =>
    element(
      'li',
      {},
      element('span', { class: 'marks' }, ...arms.map((arm) => markOf(lookOf(arm)))),
      element(
        'span',
        {},
        element('b', {}, best),
        ` if nearly all have ${inWords(links.map(fullTitleOfLink), 'or')}, `,
        element('span', { class: 'quiet' }, sureness, why(arms, links)),
      ),
    ),
  );
  const pages = new Set(conditions.map(({ site }) => site)).size;
  const together =
    pages > 1
      ? [
          element(
            'p',
            { class: 'together' },
            `Best for all ${pages} ${areSamples(data) ? 'sample pages' : 'pages'} together:`,
          ),
        ]
      : [];
  return [...together, element('ul', { class: 'kinds' }, ...kinds)];
}

/** Whether the pages came with Photofinish, so that the next thing is to measure one's own. */
function areSamples({ answer }: Report['data']): boolean {
  return answer.next.some(({ step }) => step === 'own-page');
}

/** Where the tree is the advice: how one follows it; the figures below are those of one protocol for everything. */
function dividedIn({ titleOf }: Report, advice: Advice): Child[] {
  if (!hasNoOneArm(advice)) return [];
  return [
    element('p', { class: 'assumes' }, unbroken(writeByTree(advice, titleOf).join(' '))),
    element('p', { class: 'shortly' }, `${ifOne(deedInWords(advice, titleOf))}.`),
  ];
}

/** What the answer hangs on: who visits, or one link, and what remains of it without the visitors of that link. */
function withoutLine({ data }: Report, advice: Advice): HTMLElement | undefined {
  const { without, mix } = advice;
  const names = { arms: data.arms, rule: data.summary.rule };
  const sliders = isUneven(mix) || !data.summary.tree ? [] : [' ', linkTo(TRAFFIC, 'Set your visitors’ shares'), '.'];
  if (dependsOnVisitors(advice))
    return element('p', { class: 'depends' }, unbroken(writeUnlessKnown(advice, names)), ...sliders);
  if (!without) return undefined;
  const [met, unmet] = writeFromThere(advice, names);
  const split = writeSplit(advice, names).map((sentence) => ` ${sentence}`);
  return element(
    'p',
    { class: 'depends', 'data-without': without.link },
    ...(givenShare(advice) === undefined
      ? [
          element('b', {}, `But only because of ${fullTitleOfLink(without.link)}:`),
          unbroken(` without it ${remainsWithout(advice, names)}.`),
        ]
      : [unbroken(`${met} `), element('b', {}, unbroken(unmet))]),
    unbroken(split.join('')),
    ...sliders,
  );
}

function marksOf({ lookOf, data }: Report, advice: Advice | undefined): Child[] {
  if (!advice || dependsOnVisitors(advice)) return [];
  const arms = [...new Set(armsNamed(advice, data.summary.tree))];
  return [element('span', { class: 'marks' }, ...arms.map((arm) => markOf(lookOf(arm))))];
}

/** The arms that the headline names; like it, this leaves out what else would be as good where nothing need change. */
function armsNamed(advice: Advice, tree: Report['data']['summary']['tree']): readonly string[] {
  if (hasNoOneArm(advice) && tree) return leavesOf(tree).map(({ leaf }) => leaf.serve);
  return advice.serve === advice.gain.over ? [advice.serve] : [advice.serve, ...advice.asGood];
}

/** A figure of the answer, and what it is. */
function fact(key: string, value: Child, ...label: readonly Child[]): HTMLElement {
  return element('div', { 'data-fact': key }, element('dd', { class: 'big' }, value), element('dt', {}, ...label));
}

function factsOf(report: Report, advice: Advice): HTMLElement {
  return element(
    'dl',
    { class: 'facts' },
    ...(dependsOnVisitors(advice)
      ? [notSureFact(report, advice), bestFact(report, advice)]
      : [gainFact(report, advice), sureFact(report, advice)]),
    worstFact(report, advice),
    openFact(report, advice),
  );
}

/** Where the answer depends on who visits: why what may be the best for all of them is not what to serve. */
function notSureFact(report: Report, { serve, asGood, sureness, gain }: Advice): HTMLElement {
  const best = inWords([serve, ...asGood].map(report.titleOf), 'or');
  const [low, high] = gain.interval.map((each) => percent(Math.abs(each)));
  const time = titleOfMetric(report.data.summary.metric);
  return fact(
    'sure',
    'Not sure',
    unbroken(`enough to switch for all: ${best} ${asGood.length > 0 ? 'are' : 'is'} best on average (`),
    sureWord(report, sureness),
    unbroken(
      `). ${report.titleOf(serve)} saves ${percent(gain.percent)} of ${time}, but the 95\u00a0% interval goes from ${low} lost to ${high} saved.`,
    ),
  );
}

/** Where the advised arm does best, beside what is served today. */
function bestFact(report: Report, { best, gain, serve }: Advice): HTMLElement | undefined {
  if (!best) return undefined;
  const { titleOf } = report;
  return fact(
    'best',
    `${percent(best.percent)} faster`,
    unbroken(`with ${titleOf(serve)} than with ${titleOf(gain.over)}, which is served today, at best: `),
    named(titleOfCondition(best.condition, report), 60),
    '.',
  );
}

function sureFact(report: Report, advice: Advice): HTMLElement {
  return fact('sure', sureWord(report, advice.sureness), ofThis(report, advice, meansOf(report, advice.sureness)));
}

/** Says that the sureness is that of the choice for all conditions, and not of each. */
function ofThis({ conditions, titleOf }: Report, advice: Advice, meaning: string): string {
  const share = givenShare(advice);
  const part = share === undefined ? '' : `, ${percent(100 * share)} of it ${titleOfLink(advice.without!.link)}`;
  const what = conditions.length > 1 ? `mix of pages and links${part}` : 'page and link';
  const best = inWords([advice.serve, ...advice.asGood].map(titleOf), 'or');
  return `${advice.sureness === 'open' ? 'whether' : 'that'} ${best} is the best for this ${what}: ${withoutCapital(meaning)}`;
}

function gainFact({ titleOf, data }: Report, advice: Advice): HTMLElement {
  const { serve, asGood, gain, regretPercent } = advice;
  const margin = percent(100 * data.summary.rule.advantage);
  const others = inWords(asGood.map(titleOf), 'and');
  const asGoodToo = `${others} ${asGood.length > 1 ? 'are' : 'is'} as good: within ${margin}.`;
  if (serve === gain.over) {
    const says = `on average than the best protocol for each page and link. ${titleOf(serve)} is served today.`;
    return fact('gain', `${percent(regretPercent)} slower`, `${says} ${asGood.length > 0 ? asGoodToo : ''}`);
  }
  const [low, high] = gain.interval;
  const today = `${titleOf(gain.over)}, which is served today`;
  const loadTime = `${titleOfMetric(data.summary.metric)}${meanOver(advice)}`;
  const gained = gainInWords(gain.percent);
  const besides = asGood.length > 0 && ` ${asGoodToo}`;
  // Where there may be a loss, a gain is not the figure to remember.
  if (low < 0 && high > 0)
    return fact(
      'gain',
      intervalInWords(low, high),
      `of ${loadTime} that ${titleOf(serve)} saves over ${today} (95\u00a0% interval; best estimate ${percent(gain.percent)}).`,
      besides,
    );
  return fact(
    'gain',
    gained,
    `with ${titleOf(serve)} ${gained === AS_FAST ? 'as' : 'than'} with ${today}, in ${loadTime} (95\u00a0% interval ${gainInterval(gain)}).`,
    besides,
  );
}

/** What a gain is an average of, if it is one. */
function meanOver(advice: Advice): string {
  if (isUneven(advice.mix)) return ' on average over your traffic';
  return isMean(advice) ? ' on average over all pages and links' : '';
}

function worstFact(report: Report, { worst, gain, serve, open }: Advice): HTMLElement {
  const { titleOf, conditions } = report;
  if (!worst) {
    const beside = serve === gain.over ? 'each condition’s best protocol' : titleOf(gain.over);
    return fact('worst', 'none', `worst case: pages load as fast as with ${beside} everywhere, or faster`);
  }
  // The estimate is of all blocks together: the ratio of two medians would say something else.
  const median = conditions.find(({ id }) => id === worst.condition)?.arms[worst.than]?.medianMs;
  const long = median ? `, where ${titleOf(worst.than)} takes ${time(median)}` : '';
  const among = amongMeasured(worst, open);
  return fact(
    'worst',
    `${percent(worst.percent)} slower`,
    unbroken(`with ${titleOf(serve)} than with ${titleOf(worst.than)}, at worst: `),
    named(titleOfCondition(worst.condition, report), 60),
    unbroken(`${long}${among ? `; slower in ${among}` : ''}.`),
  );
}

function openFact({ data, conditions: all }: Report, { open }: Advice): HTMLElement {
  const { conditions, of } = open;
  if (conditions === 0)
    return fact(
      'open',
      'nothing',
      ...explained({ data }, `is open: the answer of each of ${count(of, 'condition')} is settled`),
    );
  const { leftSeconds, finished, stopping } = data.summary;
  const settles = stopping.kind === 'early' && stopping.until === 'settled';
  const { getMore } = unsettledOf(all);
  const some = conditions === 1 ? 'it' : 'them';
  const full = conditions - getMore === 1 ? 'the other has had' : 'the others have had';
  const settled = getMore < conditions ? `${getMore} of them; ${full} all blocks that the study allows` : some;
  const left =
    finished || !leftSeconds
      ? 'No more blocks are allowed by the study.'
      : `About ${describeTime(1000 * leftSeconds)} more ${settles ? `would settle ${settled}` : 'are to come'}.`;
  return fact(
    'open',
    element('span', {}, ...explained({ data }, `${figure(conditions, 0)} not settled`)),
    ...explained({ data }, unbroken(`of ${count(of, 'condition')}${worthOf(open, data.summary.metric)}. ${left}`)),
  );
}

/** What a better choice in the open conditions would save; nothing is known of those that were not measured. */
function worthOf({ conditions, unmeasured, worthPercent }: Advice['open'], metric: Metric): string {
  if (unmeasured === conditions) return ', not measured yet';
  const worth = `would save at most ${percent(Math.max(0.1, worthPercent))} of ${titleOfMetric(metric)}`;
  return unmeasured === 0
    ? `; a better choice there ${worth}`
    : `: ${unmeasured} not measured yet, and a better choice in the others ${worth}`;
}

import {
  type Advice,
  type AdviceCondition,
  DEPENDS_ON_VISITORS,
  dependsOnVisitors,
  FIRST_VISITS,
  hasNoOneArm,
  ifOne,
  isUneven,
  linksApart,
  type Worst,
} from '../model/advice.ts';
import { isSure, namesArm, SURENESS, type Sureness } from '../model/answer.ts';
import type { Rule } from '../model/comparison.ts';
import { fullTitleOfLink, titleOfLink } from '../model/link-title.ts';
import { titleOfMetric } from '../model/metric-title.ts';
import type { Metric } from '../model/study.ts';
import type { TreeSubject } from '../model/tree.ts';
import { inWords, percentInWords, withoutCapital } from '../model/wording.ts';

/** What advice in words needs to know besides: what conditions and arms are called. */
export interface AdviceNames {
  readonly conditions: readonly Pick<AdviceCondition, 'id' | 'title'>[];
  readonly arms: readonly { readonly name: string; readonly title: string }[];
  readonly rule: Rule;
  /** The time that decides. */
  readonly metric: Metric;
}

/**
 * Advice in plain words: what to serve and how sure that is, and then a line with a label for each of what it depends on, gains
 * and loses, what would be better still, and what is not known.
 */
export function writeAdvice(advice: Omit<Advice, 'text'>, names: AdviceNames): string {
  const byTree = writeByTree(advice, (arm) => titleOf(arm, names));
  const isDivided = hasNoOneArm(advice);
  const choice = writeChoice(advice, names);
  const { assumesKnownH3, unmeasured } = advice;
  const lines = [
    ...(isDivided ? [byTree.join(' ')] : []),
    ...(dependsOnVisitors(advice)
      ? writeByVisitors(advice, names)
      : [
          ...writeHow(isDivided ? ifOne(choice) : choice, advice, names),
          ...writeGain(advice, names),
          ...writeWorst(advice, names),
        ]),
    ...(isDivided ? [] : writeBetter(byTree)),
    ...(assumesKnownH3 ? [FIRST_VISITS] : []),
    ...(unmeasured.length > 0
      ? [`Not measured: ${inWords(unmeasured.map(titleOfLink), 'and')}, which your traffic has too.`]
      : []),
    ...writeFailing(advice, names),
    writeOpen(advice),
  ];
  return lines.join('\n');
}

/** What advice for HTTP/3 leaves out: it counts on browsers that know of HTTP/3 from an earlier visit. */
export const KNOWN_H3 =
  'Browsers without HTTP/3 keep using HTTP/2. The figures are for browsers that have met this HTTP/3 before: first visits may be slower, and were not measured. Another server’s HTTP/3 may differ.';

function titleOf(arm: string, { arms }: Pick<AdviceNames, 'arms'>): string {
  return arms.find(({ name }) => name === arm)?.title ?? arm;
}

function writeChoice({ serve, asGood, gain }: Omit<Advice, 'text'>, names: AdviceNames): string {
  const { rule, arms } = names;
  const title = titleOf(serve, names);
  if (arms.length === 1) return `Serve ${title}: nothing else was measured.`;
  const others = asGood.map((arm) => titleOf(arm, names));
  const margin = `within ${percentInWords(100 * rule.advantage)} of the best`;
  if (serve === gain.over) {
    const too = `${inWords(others, 'and')} ${others.length > 1 ? 'are' : 'is'} ${margin} too`;
    return others.length === 0 ? `Keep ${title}.` : `Keep ${title}: ${too}.`;
  }
  if (others.length === 0) return `Serve ${title}.`;
  return `Serve ${inWords([title, ...others], 'or')}: ${others.length > 1 ? 'all' : 'both'} are ${margin}.`;
}

/** How sure the choice is, which is not how large the gain is: of this mix of links, where it hangs on one of them. */
function writeSureness(advice: Omit<Advice, 'text'>, { arms, rule }: AdviceNames): readonly string[] {
  const { sureness, asGood, without } = advice;
  if (arms.length === 1) return [];
  const share = givenShare(advice);
  const forMix = without ? ' for this mix' : '';
  const of = share === undefined ? forMix : ` if ${percentInWords(100 * share)} have ${titleOfLink(without!.link)}`;
  if (sureness === 'likely') return [`This is likely${of}, not sure.`];
  if (sureness === 'open') return [`This is not sure yet${of}: it takes more loads.`];
  if (asGood.length > 0 || sureness === 'proven') return [`This is ${sureness}${of}.`];
  return [`Sure${of}: under 5 % chance that another is over ${percentInWords(100 * rule.advantage)} faster.`];
}

/** The choice with how sure it is; if it hangs on one link, which that is comes first. */
function writeHow(choice: string, advice: Omit<Advice, 'text'>, names: AdviceNames): readonly string[] {
  const { without } = advice;
  const sureness = writeSureness(advice, names);
  if (!without) return [[choice, ...sureness].join(' ')];
  const after = [...writeSplit(advice, names), ...sureness];
  const bare = choice.replace(/\.$/, '');
  const given = writeGiven(advice);
  if (given !== undefined)
    return [`${bare} ${given}: ${withoutCapital(writeFromThere(advice, names).join(' '))}`, ...after];
  const because = `only because of ${fullTitleOfLink(without.link)}: without it ${remainsWithout(advice, names)}.`;
  return [advice.asGood.length === 0 ? `${bare}, but ${because}` : `${choice} But ${because}`, ...after];
}

/**
 * The share that the link has, from 0 to 1, where advice is given on condition of it. Undefined where the advice hangs on no one link,
 * and where the mix is uneven: then somebody has said how many visitors each link has.
 */
export function givenShare(advice: Omit<Advice, 'text'>): number | undefined {
  const { without, mix, asGood } = advice;
  if (without?.fromShare === undefined || isUneven(mix) || asGood.length > 0) return undefined;
  if (hasNoOneArm(advice) || dependsOnVisitors(advice)) return undefined;
  return mix[without.link];
}

/** The condition of advice: `if at least 8 % of visitors have satellite-leo (low-orbit satellite), the rest evenly spread`. */
export function writeGiven(advice: Omit<Advice, 'text'>): string | undefined {
  const share = givenShare(advice);
  if (share === undefined) return undefined;
  const { link, fromShare } = advice.without!;
  // Rounded up, it is not to be above the share that the figures are of.
  const percent = Math.min(Math.ceil(100 * fromShare! - 1e-9), 100 * share);
  const rest = Object.keys(advice.mix).length > 2 ? ', the rest evenly spread' : '';
  return `if at least ${percentInWords(percent)} of visitors have ${fullTitleOfLink(link)}${rest}`;
}

/** Where the answer depends on who visits: a line for the visitors of each kind, and what remains if there are as many of each. */
function writeByVisitors(advice: Omit<Advice, 'text'>, names: AdviceNames): readonly string[] {
  const kinds = (bestByLinks(advice, names) ?? []).map(
    ({ best, links, sureness }) => `  ${inWords(links.map(fullTitleOfLink), 'or')}: ${best} (${sureness})`,
  );
  return [
    `${DEPENDS_ON_VISITORS}. Best for all pages together, if nearly all have`,
    ...kinds,
    `${keepUnlessKnown(advice, names)}. With equal shares ${titleOf(advice.serve, names)} takes`,
    ...writeRange(advice, names),
  ];
}

/** What the arm that may be best saves and costs beside what is served today: on average, at best and at worst. */
function writeRange({ gain, best, worst, open }: Omit<Advice, 'text'>, names: AdviceNames): readonly string[] {
  const saved = `${percentInWords(Math.abs(gain.percent))} ${gain.percent < 0 ? 'more' : 'less'}`;
  const average = `${saved} ${titleOfMetric(names.metric)} than ${titleOf(gain.over, names)}`;
  const among = worst && amongMeasured(worst, open);
  return [
    `  on average: ${average} (95 % interval ${intervalInWords(...gain.interval)})`,
    ...(best ? [`  at best: ${percentInWords(best.percent)} less, ${titleOfCondition(best.condition, names)}`] : []),
    ...(worst
      ? [
          `  at worst: ${percentInWords(worst.percent)} more, ${titleOfCondition(worst.condition, names)}${among ? `; slower in ${among}` : ''}`,
        ]
      : []),
  ];
}

/** What people call a condition. */
export function titleOfCondition(condition: string, { conditions }: Pick<AdviceNames, 'conditions'>): string {
  return conditions.find(({ id }) => id === condition)?.title ?? condition;
}

/** Where the answer depends on visitors that are not known: what is served today may be as good as the best, so it stays. */
export function writeUnlessKnown(advice: Omit<Advice, 'text'>, names: Pick<AdviceNames, 'arms'>): string {
  const best = [advice.serve, ...advice.asGood].map((arm) => titleOf(arm, names));
  return `${keepUnlessKnown(advice, names)}: with equal shares ${inWords(best, 'or')} may save or cost time.`;
}

function keepUnlessKnown({ gain }: Omit<Advice, 'text'>, names: Pick<AdviceNames, 'arms'>): string {
  return `If you do not know your visitors, keep ${titleOf(gain.over, names)}`;
}

/** What follows from a condition of advice: where it is met, and what to serve without the visitors that it is about. */
export function writeFromThere(
  advice: Omit<Advice, 'text'>,
  names: Pick<AdviceNames, 'arms' | 'rule'>,
): readonly [met: string, unmet: string] {
  const margin = percentInWords(100 * names.rule.advantage);
  return [
    `It is then ${isSure(advice.sureness) ? '' : 'likely '}over ${margin} faster.`,
    `Without them ${remainsWithoutThem(advice, names)}.`,
  ];
}

/** What to serve without some visitors: `keep HTTP/2 (about even)`. */
function remainsWithoutThem(advice: Omit<Advice, 'text'>, names: Pick<AdviceNames, 'arms'>): string {
  const { serve, gain, without } = advice;
  const { best, fasterPercent } = without!;
  const isKept = best.includes(serve) ? best.includes(gain.over) : best[0] === gain.over;
  if (serve === gain.over || !isKept) return remainsWithout(advice, names);
  const by = best.includes(serve) ? 'about even' : `${percentInWords(fasterPercent)} faster`;
  return `keep ${titleOf(gain.over, names)} (${by})`;
}

function writeGain(advice: Omit<Advice, 'text'>, names: AdviceNames): readonly string[] {
  const { serve, gain } = advice;
  if (serve === gain.over || !names.arms.some(({ name }) => name === gain.over)) return [];
  const interval = `95 % interval ${intervalInWords(...gain.interval)}`;
  const over = titleOf(gain.over, names);
  const time = titleOfMetric(names.metric);
  const gained = `${percentInWords(gain.percent)} of ${time} over ${over} (${interval})`;
  if (isUneven(advice.mix)) return [`Mean gain: ${gained}, over your traffic.`];
  return [`${isMean(advice) ? 'Mean gain' : 'Gain'}: ${gained}.`];
}

/** Whether a gain is an average, of several conditions. */
export function isMean({ open }: Pick<Advice, 'open'>): boolean {
  return open.of - open.unmeasured > 1;
}

/** How the arms stand without the one link that the answer hangs on: `HTTP/2 and HTTP/3 are about even`. */
export function remainsWithout(
  { serve, without }: Pick<Advice, 'serve' | 'without'>,
  names: Pick<AdviceNames, 'arms'>,
): string {
  const { best, fasterPercent } = without!;
  if (!best.includes(serve))
    return `${titleOf(best[0]!, names)} is ${percentInWords(fasterPercent)} faster than ${titleOf(serve, names)}`;
  const even = names.arms.filter(({ name }) => best.includes(name)).map(({ title }) => title);
  return `${inWords(even, 'and')} are about even`;
}

/** What is best for each link, as far as that is known and not the same for all. */
export function writeSplit(advice: Pick<Advice, 'byProfile'>, names: Pick<AdviceNames, 'arms'>): readonly string[] {
  const split = splitInWords(advice, names);
  return split === undefined ? [] : [`Best by link: ${split}.`];
}

/** The best arms, each with its links: `HTTP/2 for fibre and cable; HTTP/3 for 4g`. */
function splitInWords(advice: Pick<Advice, 'byProfile'>, names: Pick<AdviceNames, 'arms'>): string | undefined {
  const parts = bestByLinks(advice, names);
  return parts?.map(({ best, links }) => `${best} for ${inWords(links.map(titleOfLink), 'and')}`).join('; ');
}

/** The arms that are best over some links. */
export interface BestByLinks {
  readonly arms: readonly string[];
  /** What people call them: `HTTP/3 or HTTP/2`. */
  readonly best: string;
  /** The names of the links. */
  readonly links: readonly string[];
  /** That of the link about which least is known. */
  readonly sureness: Sureness;
}

/** The best arms, each with its links; undefined where they are not told apart. */
export function bestByLinks(
  advice: Pick<Advice, 'byProfile'>,
  { arms }: Pick<AdviceNames, 'arms'>,
): readonly BestByLinks[] | undefined {
  const links = linksApart(advice);
  if (!links) return undefined;
  const together = (link: (typeof links)[number]) => arms.filter(({ name }) => namesArm(link, name));
  const groups = Map.groupBy(links, (link) => JSON.stringify(together(link).map(({ name }) => name)));
  return [...groups.values()].map((own) => {
    const best = together(own[0]!);
    return {
      arms: best.map(({ name }) => name),
      best: inWords(
        best.map(({ title }) => title),
        'or',
      ),
      links: own.map(({ profile }) => profile),
      sureness: SURENESS.findLast((each) => own.some(({ sureness }) => sureness === each))!,
    };
  });
}

/** An interval of percents: `8 to 15 %`. */
export function intervalInWords(low: number, high: number): string {
  const [from, to] = [percentInWords(low), percentInWords(high)];
  return `${from.replace(/ %$/, '')} to ${to}`;
}

function writeWorst({ worst, serve, gain, open }: Omit<Advice, 'text'>, names: AdviceNames): readonly string[] {
  if (!worst) return [];
  const { condition, percent, than } = worst;
  const title = titleOfCondition(condition, names);
  const by = percentInWords(percent);
  const among = amongMeasured(worst, open);
  const slower = `${titleOf(serve, names)} is slower`;
  if (among === undefined) return [`${slower} than ${titleOf(than, names)} in ${title}, by ${by}.`];
  // The gain has named what is served today.
  const against = serve === gain.over ? ' than the best protocol' : '';
  return [`${slower}${against} in ${among}, at worst by ${by}: ${title}.`];
}

/** In how many of the conditions that were measured loads take longer, where the worst one is not alone. */
export function amongMeasured({ slowerIn }: Worst, { of, unmeasured }: Advice['open']): string | undefined {
  return slowerIn > 1 ? `${slowerIn} of ${of - unmeasured} conditions` : undefined;
}

/** Says what a choice by page or link gains over one protocol for everything, where it gains much, and who can make it. */
export function writeByTree(advice: Omit<Advice, 'text'>, nameOf: (arm: string) => string): readonly string[] {
  const { byTreePercent, byTreeAsks = [] } = advice;
  if (byTreePercent === undefined) return [];
  const isDivided = hasNoOneArm(advice);
  const over = nameOf(dependsOnVisitors(advice) ? advice.gain.over : advice.serve);
  const gain = `would gain ${gainOverOne(byTreePercent, advice)} over ${over}${isDivided ? ', as the decision tree says' : ''}`;
  const [alone, apart] = writeByPage(advice);
  const says = `Choosing by ${inWords(byTreeAsks, 'and')} ${gain} (${whoChooses(byTreeAsks)})${alone}.`;
  return [...(isDivided ? ['No protocol is good everywhere.'] : []), says, ...apart];
}

/** A choice that is better than one protocol for everything, but not the advice. */
function writeBetter([first, ...others]: readonly string[]): readonly string[] {
  return first === undefined ? [] : [`Better still: ${withoutCapital(first)}`, ...others];
}

/**
 * How much less time loads take than with one protocol for everything, at this regret: than with the advised one, or with what is served
 * today where that is to stay until visitors are known.
 */
function gainOverOne(percent: number, advice: Omit<Advice, 'text'>): string {
  const shareLeft = (100 + percent) / (100 + advice.regretPercent);
  return percentInWords(100 * (1 - shareLeft * (dependsOnVisitors(advice) ? 1 - advice.gain.percent / 100 : 1)));
}

/** Says for each subject of a tree's questions which servers can choose by it, and how. */
const CHOOSERS: Readonly<Record<TreeSubject, string>> = {
  page: 'any server can, with a host name for each',
  link: 'only a CDN can',
  visit: 'no server can',
};

function whoChooses(asks: readonly TreeSubject[]): string {
  if (asks.length === 1) return CHOOSERS[asks[0]!];
  return asks.map((subject) => `by ${subject} ${CHOOSERS[subject]}`).join('; ');
}

/** The least that a choice by page has to gain, in points, to be spoken of. */
const TELLING_POINTS = 1;

/**
 * What a choice by page alone gains over one protocol for everything, where it gains enough to be spoken of: beside what a choice by
 * page and link gains, or in a sentence of its own.
 */
function writeByPage(advice: Omit<Advice, 'text'>): readonly [alone: string, apart: readonly string[]] {
  const { byPagePercent, regretPercent, byTreeAsks = [] } = advice;
  if (byPagePercent === undefined || regretPercent - byPagePercent < TELLING_POINTS) return ['', []];
  const gain = gainOverOne(byPagePercent, advice);
  if (byTreeAsks.includes('page')) return [`; by page alone ${gain}`, []];
  return ['', [`Choosing by page would gain ${gain} (${whoChooses(['page'])}).`]];
}

/** Says where nothing loads, by any protocol: that is no matter of what to serve. */
function writeFailing({ failing = [] }: Omit<Advice, 'text'>, names: AdviceNames): readonly string[] {
  const [first, ...others] = failing;
  if (first === undefined) return [];
  const title = titleOfCondition(first, names);
  if (others.length === 0) return [`No load finished: ${title}.`];
  return [`No load finished in ${failing.length} conditions: ${title}, for example.`];
}

function writeOpen({ open }: Omit<Advice, 'text'>): string {
  const { conditions, of, unmeasured, worthPercent } = open;
  if (conditions === 0) return 'Settled: every answer.';
  const some = `Not settled: ${conditions} of ${of} ${of === 1 ? 'condition' : 'conditions'}`;
  if (unmeasured === conditions) return `${some}, which ${unmeasured === 1 ? 'is' : 'are'} not measured.`;
  const better = conditions - unmeasured === 1 ? 'a better choice' : 'better choices';
  const worth = `would gain at most ${percentInWords(Math.max(0.1, worthPercent))}`;
  if (unmeasured === 0) return `${some}; ${better} there ${worth}.`;
  const measured = conditions - unmeasured === 1 ? 'the other' : 'the others';
  return `${some}; ${unmeasured} of them ${unmeasured === 1 ? 'is' : 'are'} not measured, ${better} for ${measured} ${worth}.`;
}

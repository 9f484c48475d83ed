import { type Advice, type AdviceCondition, hasNoOneArm, ifOne, isUneven, type Worst } from '../model/advice.ts';
import type { Rule } from '../model/comparison.ts';
import { fullTitleOfLink, titleOfLink } from '../model/link-title.ts';
import type { TreeSubject } from '../model/tree.ts';
import { inWords, percentInWords } from '../model/wording.ts';

/** What advice in words needs to know besides: what conditions and arms are called. */
export interface AdviceNames {
  readonly conditions: readonly Pick<AdviceCondition, 'id' | 'title'>[];
  readonly arms: readonly { readonly name: string; readonly title: string }[];
  readonly rule: Rule;
}

/**
 * Advice in plain words, a line for each thought: what to serve, what it gains, where it does worst, and what is still open.
 */
export function writeAdvice(advice: Omit<Advice, 'text'>, names: AdviceNames): string {
  const byTree = writeByTree(advice, titleOf(advice.serve, names));
  const isDivided = hasNoOneArm(advice);
  const choice = writeChoice(advice, names);
  const lines = [
    ...(isDivided ? byTree : []),
    [isDivided ? ifOne(choice) : choice, ...writeSureness(advice, names)].join(' '),
    ...writeGain(advice, names),
    ...writeWithout(advice, names),
    ...(advice.worst ? [writeWorst(advice.worst, advice.open, names)] : []),
    ...(isDivided ? [] : byTree),
    ...(advice.assumesKnownH3 ? [FIRST_VISITS] : []),
    ...(advice.unmeasured.length > 0
      ? [`Not measured: ${inWords(advice.unmeasured.map(titleOfLink), 'and')}, which your traffic has too.`]
      : []),
    writeOpen(advice),
  ];
  return lines.join('\n');
}

const FIRST_VISITS = 'First visits may be slower: they were not measured.';
/** What advice for HTTP/3 leaves out: it counts on browsers that know of HTTP/3 from an earlier visit. */
export const KNOWN_H3 = `This is for browsers that know of HTTP/3 already. ${FIRST_VISITS}`;

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

/** How sure the choice is, which is not how large the gain is. */
function writeSureness({ sureness, asGood }: Omit<Advice, 'text'>, { arms, rule }: AdviceNames): readonly string[] {
  if (arms.length === 1) return [];
  if (sureness === 'likely') return ['This is likely, but not sure yet.'];
  if (sureness === 'open') return ['This is far from sure yet.'];
  const isAlone = asGood.length === 0;
  if (!isAlone || sureness === 'proven') return [`This is ${sureness}.`];
  return [`Sure: the chance that another one is over ${percentInWords(100 * rule.advantage)} faster is below 5 %.`];
}

function writeGain(advice: Omit<Advice, 'text'>, names: AdviceNames): readonly string[] {
  const { serve, gain } = advice;
  if (serve === gain.over || !names.arms.some(({ name }) => name === gain.over)) return [];
  const [title, over] = [titleOf(serve, names), titleOf(gain.over, names)];
  const [low, high] = gain.interval;
  const range = `95 % interval ${intervalInWords(low, high)}`;
  const average = averageOver(advice, names);
  if (Math.abs(gain.percent) < 0.5) return [`${average} ${title} is about as fast as ${over} (${range} faster).`];
  if (gain.percent > 0)
    return [`${average} ${title} is ${percentInWords(gain.percent)} faster than ${over} (${range}).`];
  const slower = `95 % interval ${intervalInWords(0 - high, 0 - low)}`;
  return [`${average} ${title} is ${percentInWords(-gain.percent)} slower than ${over} (${slower}).`];
}

/** The one link that the answer hangs on: `This hangs on 4g (mobile): without it HTTP/2 and HTTP/3 are about even`. */
function writeWithout(
  { serve, without, mix }: Omit<Advice, 'text'>,
  names: Pick<AdviceNames, 'arms' | 'rule'>,
): readonly string[] {
  if (!without) return [];
  const { link, best, fasterPercent } = without;
  const [fastest] = best;
  const says = best.includes(serve)
    ? `${inWords(sortedAsArms(best, names), 'and')} are about even (within ${percentInWords(100 * names.rule.advantage)})`
    : `${titleOf(fastest!, names)} is ${percentInWords(fasterPercent)} faster than ${titleOf(serve, names)}`;
  const hint = isUneven(mix) ? '' : ' Weigh links by your visitors: --mix.';
  return [`This hangs on ${fullTitleOfLink(link)}: without it ${says}.${hint}`];
}

/** The titles of some arms, in the order of the study. */
export function sortedAsArms(some: readonly string[], { arms }: Pick<AdviceNames, 'arms'>): readonly string[] {
  return arms.filter(({ name }) => some.includes(name)).map(({ title }) => title);
}

/** What an average is over: `Over these 4 pages and 5 links, all alike,`. */
function averageOver({ mix, byPage = [] }: Omit<Advice, 'text'>, { conditions }: AdviceNames): string {
  if (isUneven(mix)) return 'Over your traffic';
  const links = Object.keys(mix).length;
  if (byPage.length > 1) return `Over these ${byPage.length} pages and ${links} links, all alike,`;
  if (links > 1 && links === conditions.length) return `Over these ${links} links, all alike,`;
  return 'On average';
}

/** An interval of percents: `8 to 15 %`. */
export function intervalInWords(low: number, high: number): string {
  const [from, to] = [percentInWords(low), percentInWords(high)];
  return `${from.replace(/ %$/, '')} to ${to}`;
}

function writeWorst(worst: Worst, open: Advice['open'], names: AdviceNames): string {
  const { condition, percent, than } = worst;
  const title = names.conditions.find(({ id }) => id === condition)?.title ?? condition;
  const also = alsoSlowerIn(worst, open);
  return `Worst case: ${title}, ${percentInWords(percent)} slower than ${titleOf(than, names)}${also}.`;
}

/** In how many of the conditions that were measured loads take longer, where the worst one is not alone. */
export function alsoSlowerIn({ slowerIn }: Worst, { of, unmeasured }: Advice['open']): string {
  return slowerIn > 1 ? `; slower in ${slowerIn} of ${of - unmeasured}` : '';
}

/** Says that one protocol for all is a compromise, where it is one, what a choice gains, and who can make it. */
export function writeByTree(advice: Omit<Advice, 'text'>, served: string): readonly string[] {
  const { regretPercent, byTreePercent, byTreeAsks = [] } = advice;
  if (byTreePercent === undefined) return [];
  const by = inWords(byTreeAsks, 'and');
  const [one, tree] = [percentInWords(regretPercent), percentInWords(byTreePercent)];
  const byPage = writeByPage(advice);
  const best = 'longer than the best protocol for each page and link';
  const choice = `${by} (${whoChooses(byTreeAsks)})`;
  if (hasNoOneArm(advice))
    return [
      `No protocol is good everywhere. A choice by ${choice}, as the decision tree says, takes ${tree} ${best}. ${served} for everything takes ${one} longer${byPage}.`,
    ];
  return [
    `${served} for everything takes ${one} ${best}. A choice by ${choice} takes at best ${tree} longer${byPage}.`,
  ];
}

/** Says for each subject of a tree's questions which servers can choose by it, and how. */
const CHOOSERS: Readonly<Record<TreeSubject, readonly [who: string, how?: string]>> = {
  page: ['any server can', 'by host name'],
  link: ['only a CDN can', 'by country or network'],
  visit: ['no server can'],
};

function whoChooses(asks: readonly TreeSubject[]): string {
  if (asks.length === 1) return CHOOSERS[asks[0]!].join(', ');
  return asks.map((subject) => `${CHOOSERS[subject][0]} by ${subject}`).join('; ');
}

/** The least that a choice by page has to gain, in points, to be spoken of. */
const TELLING_POINTS = 1;

/** What a choice by page alone costs, where it costs less than one protocol for everything. */
function writeByPage({
  byPagePercent,
  regretPercent,
  byTreeAsks = [],
}: Pick<Advice, 'byPagePercent' | 'regretPercent' | 'byTreeAsks'>): string {
  if (byPagePercent === undefined || regretPercent - byPagePercent < TELLING_POINTS) return '';
  const who = byTreeAsks.includes('page') ? '' : ` (${CHOOSERS.page.join(', ')})`;
  return `, and a choice by page${who} ${percentInWords(byPagePercent)}`;
}

function writeOpen({ open }: Omit<Advice, 'text'>): string {
  const { conditions, of, unmeasured, worthPercent } = open;
  if (conditions === 0) return 'Every answer is settled.';
  const some = `Not settled yet: ${conditions} of ${of} ${of === 1 ? 'condition' : 'conditions'}`;
  if (unmeasured === conditions) return `${some}, which ${unmeasured === 1 ? 'is' : 'are'} not measured.`;
  const worth = `worth at most ${percentInWords(Math.max(0.1, worthPercent))} of load time`;
  if (unmeasured === 0) return `${some}, ${worth}.`;
  return `${some}. ${unmeasured} of them ${unmeasured === 1 ? 'is' : 'are'} not measured yet, the ${conditions - unmeasured === 1 ? 'other' : 'others'} ${worth}.`;
}

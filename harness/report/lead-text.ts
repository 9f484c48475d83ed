import { failsAlways } from '../findings/arm-summary.ts';
import { type AdvisedInstead, advisedInstead, type Lead, leadOf, leadOfPage } from '../findings/lead.ts';
import type { ConditionSummary, Summary } from '../findings/summary.ts';
import type { Advice, PageAdvice } from '../model/advice.ts';
import { type Answer, LIKELY_BELOW, namesArm, SURE_BELOW, SURENESS, type Sureness } from '../model/answer.ts';
import { inWords, percentInWords } from '../model/wording.ts';
import { sumOf } from '../stats/order.ts';
import { counted } from './counted.ts';

/** What stands behind the arm to serve, by how sure that is. */
const MARKS: Readonly<Record<Sureness, string>> = { proven: '**', sure: '*', likely: '~', open: '?' };

/** Below which chance it is that another arm is clearly faster; an open answer has a higher one. */
const CHANCES: Readonly<Partial<Record<Sureness, string>>> = {
  sure: percentInWords(100 * SURE_BELOW),
  likely: percentInWords(100 * LIKELY_BELOW),
};

/** What text on an arm to serve is made of: of a condition, of a leaf of a tree, or of visitors. */
export type Led = Pick<Lead, 'serve' | 'asGood' | 'sureness' | 'gain'>;

/** The arm to serve and those that are as good, with the mark of their sureness: `h2=h3*`. */
export function markLead(led: Omit<Led, 'gain'>, arms: readonly string[]): string {
  return `${arms.filter((arm) => namesArm(led, arm)).join('=')}${MARKS[led.sureness]}`;
}

/** A cell of the grid: what it says, and why. */
interface Cell {
  readonly text: string;
  readonly lead: Lead;
  readonly instead: AdvisedInstead | undefined;
}

type Shown = Pick<ConditionSummary, 'answer' | 'arms'>;

/**
 * What leads in a condition and what it gains over what is served today, `h3* +12%`, or `(h3~ +8%)` where it is predicted; then
 * what `advised` does there, the arm that is advised for everything, where others are better: `h2* h3−8%`, `h1* +24% h3+15%`.
 */
export function describeCell(condition: Shown, advised?: string): string {
  return failsAlways(condition) ? 'all fail' : (cellOf(condition, advised)?.text ?? '–');
}

/** The cell of a condition; undefined where nothing leads. */
function cellOf(condition: Shown, advised: string | undefined): Cell | undefined {
  const lead = failsAlways(condition) ? undefined : leadOf(condition);
  if (!lead) return undefined;
  const instead = advisedInstead({ lead, answer: condition.answer }, advised);
  const text = describeLead(lead, instead);
  return { text: lead.predicted ? `(${text})` : text, lead, instead };
}

/** What leads over all links of a page, in the same form. */
export function describePage(page: PageAdvice, arms: readonly string[], advised?: string): string {
  const lead = leadOfPage(page, arms);
  return describeLead(lead, advisedInstead({ lead, answer: page }, advised));
}

function describeLead(lead: Lead, instead: AdvisedInstead | undefined): string {
  const led = describeLed(lead, lead.arms);
  return instead ? `${led} ${instead.arm}${signed(instead.gainPercent)}` : led;
}

/** What to serve, and what that gains over what is served today: `h3* +12%`. */
export function describeLed(led: Led, arms: readonly string[]): string {
  const marked = markLead(led, arms);
  return gains(led) ? `${marked} ${signed(led.gain.percent)}` : marked;
}

/** What the marks and the figures in the cells of some conditions and pages mean; empty where there is none. */
export function describeMarks(
  { conditions, rule, served }: Pick<Summary, 'conditions' | 'rule' | 'served'>,
  { serve, byPage = [] }: Partial<Pick<Advice, 'serve' | 'byPage'>> = {},
): readonly string[] {
  const cells = conditions.flatMap((each) => cellOf(each, serve) ?? []);
  const leads = [...cells.map(({ lead }) => lead), ...byPage.map((page) => leadOfPage(page, Object.keys(page.arms)))];
  const used = SURENESS.filter((sureness) => leads.some((lead) => lead.sureness === sureness));
  const chances = used.map((sureness) => {
    const chance = CHANCES[sureness];
    if (sureness === 'proven') return `${MARKS.proven} proven none`;
    return `${MARKS[sureness]} ${sureness}${chance === undefined ? '' : ` < ${chance}`}`;
  });
  const isTold = used.some((sureness) => sureness !== 'open');
  const chance = isTold ? `Chance that another is over ${percentInWords(100 * rule.advantage)} faster: ` : '';
  const signs = [
    describeFigures(cells, { served, serve }),
    ...(leads.some(({ asGood }) => asGood.length > 0) ? ['= as good'] : []),
    ...(leads.some(({ predicted }) => predicted) ? ['() predicted'] : []),
  ];
  return [signs.join('; '), `${chance}${chances.join(', ')}`];
}

/** What the figures in cells are: `Cells: best protocol, time against h2; then h3: + faster, − slower`. */
function describeFigures(
  cells: readonly Cell[],
  { served, serve }: { served: string; serve?: string | undefined },
): string {
  const isToo = cells.some(({ instead }) => instead);
  if (isToo) return `Cells: best protocol, time against ${served}; then ${serve}: + faster, − slower`;
  return cells.some(({ lead }) => gains(lead))
    ? `Cells: best protocol, time saved against ${served}`
    : 'Cells: best protocol';
}

/** What to serve, in words: `serve h3 (21 % faster than h2)`, `keep h2`, `serve h2 or h3 (as good)`. */
export function leadInWords({ serve, asGood, gain }: Pick<Answer, 'serve' | 'asGood' | 'gain'>): string {
  if (serve === gain.over && asGood.length === 0) return `keep ${serve}`;
  const remarks = [
    ...(asGood.length > 0 ? ['as good'] : []),
    ...(gains({ serve, asGood, gain }) ? [gainInWords(gain)] : []),
  ];
  return `serve ${inWords([serve, ...asGood], 'or')} (${remarks.join('; ')})`;
}

/** `21 % faster than h2`. */
function gainInWords({ over, percent }: Pick<Answer['gain'], 'over' | 'percent'>): string {
  return `${percentInWords(Math.abs(percent))} ${percent < 0 ? 'slower' : 'faster'} than ${over}`;
}

/** Whether what is served today is neither what to serve nor as good. */
function gains(led: Pick<Led, 'serve' | 'asGood' | 'gain'>): boolean {
  return !namesArm(led, led.gain.over);
}

function signed(percent: number): string {
  const whole = Math.round(percent);
  if (whole === 0) return '±0%';
  return `${whole < 0 ? '−' : '+'}${Math.abs(whole)}%`;
}

/** Why there is nothing to advise, in a few words and in a sentence. */
export function describeNoAdvice({ conditions, loads }: Pick<Summary, 'conditions' | 'loads'>): {
  readonly headline: string;
  readonly text: string;
} {
  const [first] = conditions;
  const measured = conditions.filter(({ blocks }) => blocks > 0);
  if (loads.counted === 0)
    return { headline: 'Nothing measured yet', text: 'Nothing is measured yet, so there is nothing to advise.' };
  if (measured.length > 0 && measured.every(failsAlways)) {
    const reason = commonestFailure(measured);
    const most = reason === undefined ? '' : ` The commonest reason: ${reason}.`;
    const text = `None of ${counted(loads.counted, 'load')} finished.${most} Look at the page and its server before you go on.`;
    return { headline: 'No load finished', text };
  }
  if (Object.keys(first!.arms).length < 2)
    return {
      headline: 'One protocol was measured',
      text: 'There is nothing to compare it with. Its load times are below.',
    };
  return { headline: 'No answer yet', text: 'There is no answer yet: a condition needs two blocks for an answer.' };
}

function commonestFailure(conditions: readonly Pick<ConditionSummary, 'arms'>[]): string | undefined {
  const failures = conditions.flatMap(({ arms }) =>
    Object.values(arms).flatMap((arm) => Object.entries(arm.failures ?? {})),
  );
  const counts = [...Map.groupBy(failures, ([reason]) => reason)].map(
    ([reason, own]) => [reason, sumOf(own.map(([, number]) => number))] as const,
  );
  return counts.toSorted(([, a], [, b]) => b - a)[0]?.[0];
}

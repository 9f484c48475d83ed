import { advisedInstead, type Lead, leadOf } from '../findings/lead.ts';
import type { ConditionSummary, Summary } from '../findings/summary.ts';
import { type Answer, LIKELY_BELOW, namesArm, SURE_BELOW, SURENESS, type Sureness } from '../model/answer.ts';
import { inWords, percentInWords } from '../model/wording.ts';

/** What stands behind the arm to serve, by how sure that is. */
const MARKS: Readonly<Record<Sureness, string>> = { proven: '**', sure: '*', likely: '~', open: '?' };

/** How likely it is, at most, that another arm is clearly faster. */
const DOUBTS: Readonly<Record<Sureness, string>> = {
  proven: '',
  sure: ` (doubt below ${percentInWords(100 * SURE_BELOW)})`,
  likely: ` (below ${percentInWords(100 * LIKELY_BELOW)})`,
  open: '',
};

/** What text on an arm to serve is made of: of a condition, of a leaf of a tree, or of visitors. */
export type Led = Pick<Lead, 'serve' | 'asGood' | 'sureness' | 'gain'>;

/** The arm to serve and those that are as good, with the mark of their sureness: `h2=h3*`. */
export function markLead(led: Omit<Led, 'gain'>, arms: readonly string[]): string {
  return `${arms.filter((arm) => namesArm(led, arm)).join('=')}${MARKS[led.sureness]}`;
}

/**
 * What leads in a condition, and what it gains over what is served today: `h3* +12%`, `(h3~ +8%)` where it is predicted. Where
 * what is served today is kept, `advised` costs time, the arm that is advised for everything: `h2* h3−8%`.
 */
export function describeCell(condition: Pick<ConditionSummary, 'answer' | 'arms'>, advised?: string): string {
  if (failsAlways(condition)) return 'all fail';
  const lead = leadOf(condition);
  if (!lead) return '–';
  const loss = lossWith(condition, lead, advised);
  const text =
    loss === undefined ? describeLed(lead, lead.arms) : `${markLead(lead, lead.arms)} ${advised}${signed(-loss)}`;
  return lead.predicted ? `(${text})` : text;
}

/** How much longer loads take with the advised arm where what is served today is kept alone, in whole percents above 0. */
function lossWith({ answer }: Pick<ConditionSummary, 'answer'>, lead: Lead, advised?: string): number | undefined {
  const percent = Math.round(advisedInstead({ lead, answer }, advised)?.slowerPercent ?? 0);
  return percent > 0 ? percent : undefined;
}

/** What to serve, and what that gains over what is served today: `h3* +12%`. */
export function describeLed(led: Led, arms: readonly string[]): string {
  const marked = markLead(led, arms);
  return gains(led) ? `${marked} ${signed(led.gain.percent)}` : marked;
}

/** What the marks in the cells of some conditions mean, and two of these cells in words; empty where there is none. */
export function describeMarks(
  { conditions, rule }: Pick<Summary, 'conditions' | 'rule'>,
  advised?: string,
): readonly string[] {
  const led = conditions.flatMap((each) => {
    const lead = failsAlways(each) ? undefined : leadOf(each);
    return lead ? [{ each, lead }] : [];
  });
  const some = (holds: (lead: Lead) => boolean) => led.some(({ lead }) => holds(lead));
  const marks = SURENESS.filter((sureness) => some((lead) => lead.sureness === sureness)).map(
    (sureness) => `${MARKS[sureness]} ${sureness}${DOUBTS[sureness]}`,
  );
  const claim = `that nothing is over ${percentInWords(100 * rule.advantage)} faster`;
  const signs = [
    ...(marks.length > 0 ? [`${marks.join(', ')} ${claim}`] : []),
    ...(some(({ predicted }) => predicted) ? ['() predicted'] : []),
    ...(some(({ asGood }) => asGood.length > 0) ? ['= as good'] : []),
  ];
  const gaining = led.find(({ lead }) => gainsAPercent(lead));
  const losing = led.find(({ each, lead }) => lossWith(each, lead, advised) !== undefined);
  const examples = [gaining, losing].flatMap((example) =>
    example ? [`${describeCell(example.each, advised)}: ${cellInWords(example.each, example.lead, advised)}`] : [],
  );
  return [signs.join(', '), examples.join('; ')].filter((line) => line !== '');
}

/** A cell in words: `serve h3, 1 % faster than h2`, or `keep h2, h3 is 10 % slower`. */
function cellInWords(condition: Pick<ConditionSummary, 'answer'>, lead: Lead, advised?: string): string {
  const loss = lossWith(condition, lead, advised);
  if (loss !== undefined) return `keep ${lead.serve}, ${advised} is ${percentInWords(loss)} slower`;
  const { over, percent } = lead.gain;
  return `serve ${inWords(lead.arms, 'or')}, ${gainInWords({ over, percent: Math.round(percent) })}`;
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
export function gainInWords({ over, percent }: Pick<Answer['gain'], 'over' | 'percent'>): string {
  return `${percentInWords(Math.abs(percent))} ${percent < 0 ? 'slower' : 'faster'} than ${over}`;
}

/** Whether what is served today is neither what to serve nor as good. */
function gains(led: Pick<Led, 'serve' | 'asGood' | 'gain'>): boolean {
  return !namesArm(led, led.gain.over);
}

/** Whether it gains or loses something, in whole percents. */
function gainsAPercent(led: Pick<Led, 'serve' | 'asGood' | 'gain'>): boolean {
  return gains(led) && Math.round(led.gain.percent) !== 0;
}

function signed(percent: number): string {
  const whole = Math.round(percent);
  if (whole === 0) return '±0%';
  return `${whole < 0 ? '−' : '+'}${Math.abs(whole)}%`;
}

/** Whether no load of any arm came to its end. */
export function failsAlways({ arms }: Pick<ConditionSummary, 'arms'>): boolean {
  const all = Object.values(arms);
  return all.every(({ ok }) => ok === 0) && all.some(({ failed }) => failed > 0);
}

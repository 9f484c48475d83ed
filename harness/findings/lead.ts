import type { PageAdvice } from '../model/advice.ts';
import { type ArmRegrets, type Gain, namesArm, type Sureness, slowerPercent } from '../model/answer.ts';
import type { Rule } from '../model/comparison.ts';
import { inWords, percentInWords } from '../model/wording.ts';
import type { ConditionSummary } from './summary.ts';

/** What leads in a condition, as a cell of a grid shows it. */
export interface Lead {
  /** The arm to serve. */
  readonly serve: string;
  /** The other arms that are within the margin of the best. */
  readonly asGood: readonly string[];
  /** All of these, in the order of the study's arms. */
  readonly arms: readonly string[];
  readonly sureness: Sureness;
  /** Whether it gets no more blocks because it is sure. */
  readonly settled: boolean;
  /** Whether the tree says so, since the condition itself was not measured, or too little. */
  readonly predicted: boolean;
  /** Whether the arm to serve is what is served today, so that there is nothing to gain. */
  readonly keeps: boolean;
  /** What the arm to serve gains over what is served today. */
  readonly gain: Gain;
  /** The best arm beside all of those; absent where there is none, and where it is predicted. */
  readonly next?: NextArm | undefined;
}

/** An arm that is not as good as the one to serve. */
export interface NextArm {
  readonly arm: string;
  /** How much longer loads take with it than with the arm to serve, in percent; above 0. */
  readonly slowerPercent: number;
}

/**
 * What leads in a condition: the one rule of it, for the terminal, the page and whatever else shows a condition in a few
 * words. Undefined where there is no answer: nothing was measured anywhere, or no load finished.
 */
export function leadOf({ answer, arms }: Pick<ConditionSummary, 'answer' | 'arms'>): Lead | undefined {
  if (!answer) return undefined;
  const led = ledBy(answer, Object.keys(arms));
  const next = nextOf(answer, led.arms);
  return { ...led, settled: answer.settled, predicted: answer.predicted ?? false, next };
}

/** What leads over all links of a page, in the same form. */
export function leadOfPage(answer: PageAdvice, arms: readonly string[]): Lead {
  return { ...ledBy(answer, arms), settled: false, predicted: false };
}

type Led = Pick<Lead, 'serve' | 'asGood' | 'sureness' | 'gain'>;

/** What an answer says, with all arms that it names in the order of these. */
function ledBy({ serve, asGood, sureness, gain }: Led, arms: readonly string[]) {
  const together = arms.filter((arm) => namesArm({ serve, asGood }, arm));
  return { serve, asGood, sureness, gain, arms: together, keeps: serve === gain.over };
}

function nextOf(
  { serve, arms }: NonNullable<ConditionSummary['answer']>,
  together: readonly string[],
): NextArm | undefined {
  const others = Object.entries(arms).filter(([arm]) => !together.includes(arm));
  if (others.length === 0) return undefined;
  const [arm] = others.reduce((best, each) => (each[1].regretPercent < best[1].regretPercent ? each : best));
  const percent = slowerPercent(arms, arm, serve);
  return percent === undefined ? undefined : { arm, slowerPercent: percent };
}

/** The arm that is advised for everything, in a condition where others are better. */
export interface AdvisedInstead {
  readonly arm: string;
  /** What it gains there over what is served today, in percent of the load time; below 0 where it costs time. */
  readonly gainPercent: number;
}

/** What following the advice does where another arm is best; undefined where the advice is one of the best, or to change nothing. */
export function advisedInstead(
  { lead, answer }: { readonly lead?: Lead | undefined; readonly answer?: { readonly arms: ArmRegrets } | undefined },
  advised: string | undefined,
): AdvisedInstead | undefined {
  if (!lead || !answer || advised === undefined || advised === lead.gain.over) return undefined;
  if (lead.arms.includes(advised)) return undefined;
  const slower = slowerPercent(answer.arms, advised, lead.gain.over);
  return slower === undefined ? undefined : { arm: advised, gainPercent: 0 - slower };
}

/**
 * Whether it is about even what one serves: the best arm, the advised one and what is served today are within the margin of
 * each other, as far as that is known.
 */
export function isEven(
  { predicted, sureness, asGood, serve, keeps, gain }: Omit<Lead, 'arms' | 'settled' | 'next'>,
  instead: AdvisedInstead | undefined,
  { advised, rule }: { readonly advised: string | undefined; readonly rule: Pick<Rule, 'advantage'> },
): boolean {
  if (predicted || sureness === 'open') return false;
  // Where one arm is the best, the advised and the served one, nothing is compared.
  if (keeps && (advised ?? gain.over) === gain.over) return false;
  const gained = namesArm({ serve, asGood }, gain.over) ? 0 : gain.percent;
  const gains = [0, gained, ...(instead ? [instead.gainPercent] : [])];
  return Math.max(...gains) - Math.min(...gains) <= 100 * rule.advantage;
}

/**
 * What to do about an answer, in a few words: `Serve HTTP/3 or HTTP/1.1`, `Keep HTTP/2`. Where nothing can be gained,
 * nothing should change, even if other arms would be as good. `nameOf` gives an arm's title.
 */
export function deedInWords(
  { serve, asGood, gain }: Pick<Lead, 'serve' | 'asGood' | 'gain'>,
  nameOf: (arm: string) => string,
): string {
  return serve === gain.over ? `Keep ${nameOf(serve)}` : `Serve ${inWords([serve, ...asGood].map(nameOf), 'or')}`;
}

/** What each word for sureness means, in a sentence that a web developer understands; `margin` is that of the rule. */
export function meaningOf(sureness: Sureness, { advantage }: Pick<Rule, 'advantage'>): string {
  const margin = percentInWords(100 * advantage);
  return {
    proven: `It is proven that no other protocol beats the advised one. At most 5 % of all proofs of a study are false.`,
    sure: `The chance that another protocol is faster by more than ${margin} is below 5 %.`,
    likely: `The chance that another protocol is faster by more than ${margin} is below 20 %.`,
    open: `The chance that another protocol is faster by more than ${margin} is 20 % or more. More loads would tell.`,
  }[sureness];
}

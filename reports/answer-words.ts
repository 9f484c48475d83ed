import { intervalInWords } from '../harness/advice/advice-text.ts';
import { type AdvisedInstead, advisedInstead, deedInWords, type Lead } from '../harness/findings/lead.ts';
import { type ArmRegrets, type Gain, SURENESS, type Sureness } from '../harness/model/answer.ts';
import { inWords } from '../harness/model/wording.ts';
import type { Report, ReportCondition } from './report.ts';
import { percent, unbroken } from './wording.ts';

/** How well an answer is known: by its own loads, or predicted from others'; `none` where there is no answer. */
export type Standing = Sureness | 'predicted' | 'none';

/** All standings, from the best known on. */
export const STANDINGS: readonly Standing[] = [...SURENESS, 'predicted', 'none'];

/** How well a condition's answer is known. */
export function standingOf({ lead }: Pick<ReportCondition, 'lead'>): Standing {
  if (!lead) return 'none';
  return lead.predicted ? 'predicted' : lead.sureness;
}

type Choice = Pick<Lead, 'serve' | 'asGood'>;

/** What to serve, as people call it: `HTTP/3 or HTTP/2`. */
export function armsInWords({ titleOf }: Pick<Report, 'titleOf'>, { serve, asGood }: Choice): string {
  return inWords([serve, ...asGood].map(titleOf), 'or');
}

export const AS_FAST = 'as fast';

/** A gain: `12 % faster`; what is nothing in tenths of a percent is as fast. */
export function gainInWords(gainPercent: number): string {
  const size = percent(Math.abs(gainPercent));
  return size === percent(0) ? AS_FAST : `${size} ${gainPercent > 0 ? 'faster' : 'slower'}`;
}

/** A gain, and what it is compared with: `12 % faster than with HTTP/2`. */
export function besideInWords(
  { percent: gainPercent, over }: Pick<Gain, 'percent' | 'over'>,
  titleOf: Report['titleOf'],
): string {
  const words = gainInWords(gainPercent);
  return `${words} ${words === AS_FAST ? 'as' : 'than'} with ${titleOf(over)}`;
}

/** The ends of a gain's interval, and which way each of them is: `8 to 15 % faster`, or `3 % slower to 5 % faster`. */
export function gainInterval({ interval: [low, high] }: Gain): string {
  if (low < 0 && high > 0) return `${percent(-low)} slower to ${percent(high)} faster`;
  return unbroken(low < 0 ? `${intervalInWords(0 - high, 0 - low)} slower` : `${intervalInWords(low, high)} faster`);
}

/** What is told of a condition, or of a page over all links. */
export type Told = Pick<ReportCondition, 'lead' | 'blocks'> & {
  readonly answer?: { readonly arms: ArmRegrets } | undefined;
};

/** What to serve in a condition, and what that gains, in sentences; why there is no answer where there is none. */
export function tellAnswer(report: Report, condition: Told): string {
  const { lead, blocks } = condition;
  if (!lead) return nothingKnown(blocks);
  return [`${deedInWords(lead, report.titleOf)}.`, ...reasonsFor(report, lead, insteadIn(report, condition))].join(' ');
}

/** What the arm that is advised for everything does in a condition where others are better. */
export function insteadIn({ data }: Pick<Report, 'data'>, told: Omit<Told, 'blocks'>): AdvisedInstead | undefined {
  return advisedInstead(told, data.summary.advice?.serve);
}

/** What to serve in a condition and what that gains, in sentences, and how sure that is. */
export function tellCondition(report: Report, condition: Told): string {
  const standing = standingOf(condition);
  return [tellAnswer(report, condition), ...(standing === 'none' ? [] : [KNOWN_AS[standing]])].join(' ');
}

const KNOWN_AS: Readonly<Record<Exclude<Standing, 'none'>, string>> = {
  proven: 'That is proven.',
  sure: 'That is sure.',
  likely: 'That is likely.',
  open: 'That is open still.',
  predicted: 'It was not measured: the tree predicts it.',
};

function nothingKnown(blocks: number): string {
  if (blocks === 0) return 'Not measured yet.';
  return blocks === 1 ? 'One block only, which is too few to say.' : 'No load finished.';
}

function reasonsFor(
  { titleOf, data }: Report,
  { keeps, asGood, gain, predicted, next }: Lead,
  instead: AdvisedInstead | undefined,
): readonly string[] {
  const margin = percent(100 * data.summary.rule.advantage);
  const many = asGood.length > 1;
  const range = predicted ? '' : ` (95\u00a0% interval ${gainInterval(gain)})`;
  return [
    ...(keeps ? [] : [`Pages load ${besideInWords(gain, titleOf)}${range}.`]),
    ...(asGood.length > 0
      ? [`${inWords(asGood.map(titleOf), 'and')} ${many ? 'are' : 'is'} within ${margin} of the best too.`]
      : []),
    ...(instead
      ? [
          `With ${titleOf(instead.arm)}, as advised for everything, pages load ${besideInWords({ over: gain.over, percent: instead.gainPercent }, titleOf)}.`,
        ]
      : []),
    ...(keeps && !instead && next
      ? [`With ${titleOf(next.arm)} pages take ${percent(next.slowerPercent)} longer.`]
      : []),
  ];
}

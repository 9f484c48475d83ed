import { CONFIDENCE } from '../comparison/rules.ts';
import { samplingOf } from '../comparison/sampling.ts';
import type { Asked, Range } from '../model/paper.ts';
import type { CaseAnswer, CaseNumber } from '../model/then-and-now.ts';
import { neededBeyond } from '../stats/median-interval.ts';
import type { Case, CasePart } from './cases.ts';
import { seriesOf } from './series.ts';
import type { Source, Spot } from './source.ts';

/** A case with what our measurements say of it. */
export interface AnsweredCase {
  readonly case: Case;
  readonly answer: CaseAnswer;
  /** Whether it is not so beyond doubt, though it be only one of many that are looked at. */
  readonly isSurelyNot: boolean;
  readonly numbers: readonly CaseNumber[];
}

/** What the answers rest on. */
export interface Asking {
  readonly asks: Asked;
  readonly source: Source;
  /** From which part on two figures differ. */
  readonly margin: number;
  /** All numbers that are looked at for the same claim. */
  readonly count: number;
}

/**
 * Answers a case: it is so where each of its parts is, the opposite where each of its parts is, and not so where any is
 * not, of which there is the more doubt the more parts there are.
 */
export function answerCase(own: Case, asking: Asking): AnsweredCase {
  const parts = own.parts.map((part) => answerPart(part, own, asking));
  return {
    case: own,
    answer: answerOf(parts.map(({ answer }) => answer)),
    isSurelyNot: parts.some((part) => part.isSurelyNot),
    numbers: parts.map(({ number }) => number),
  };
}

function answerOf(parts: readonly CaseAnswer[]): CaseAnswer {
  if (parts.every((part) => part === 'so')) return 'so';
  if (parts.every((part) => part === 'opposite')) return 'opposite';
  return parts.some((part) => part === 'not so' || part === 'opposite') ? 'not so' : 'open';
}

/** What follows one thing more than another has the larger correlation with it. */
export const FOLLOWS: Range = { above: 0 };

interface AnsweredPart {
  readonly answer: CaseAnswer;
  readonly isSurelyNot: boolean;
  readonly number: CaseNumber;
}

function answerPart(part: CasePart, { spots, parts }: Case, asking: Asking): AnsweredPart {
  if (part.kind === 'beats') return answerVerdict(part, spots[0]!, asking);
  if (part.kind === 'completes') return answerCompletion(part, spots[0]!, { parts: parts.length, asking });
  const series = seriesOf(part, spots, asking.source);
  const isRatio = part.kind !== 'follows';
  const range = 'range' in asking.asks ? asking.asks.range : FOLLOWS;
  const estimateAt = (confidence: number) => {
    const { estimate, low, high } = asking.source.estimate(series, confidence, spots);
    const [value, ...ends] = [estimate, low, high].map((each) => (isRatio ? Math.exp(each) : each));
    return { value: value!, interval: ends as unknown as Interval };
  };
  const { value, interval } = estimateAt(CONFIDENCE);
  const alike = alikeBy(asking.margin, asking.asks);
  const answer = answerInterval(interval, range, alike);
  // A wider interval refutes only where this one does.
  const isBeyond = (doubts: number) =>
    (answer === 'not so' || answer === 'opposite') &&
    isRefuted(estimateAt(1 - (1 - CONFIDENCE) / doubts).interval, range, alike);
  return {
    answer: answer === 'not so' && !isBeyond(parts.length) ? 'open' : answer,
    isSurelyNot: isBeyond(asking.count),
    number: { says: part.says, unit: isRatio ? 'ratio' : 'difference', value, interval, blocks: series.length },
  };
}

export type Interval = readonly [low: number, high: number];

/** Between these ends two figures count as alike. */
export type Alike = Required<Range>;

/** Two figures, or two correlations, that differ by less than the margin are alike. */
export function alikeBy(margin: number, { kind }: Asked): Alike {
  return kind === 'follows' ? { above: 0, below: 0 } : { above: 1 - margin, below: 1 / (1 - margin) };
}

/** Where there is no number at all, nothing is inside of anything, nor outside. */
export function isInside([low, high]: Interval, { above, below }: Range): boolean {
  return (above === undefined || low > above) && (below === undefined || high < below);
}

export function isOutside([low, high]: Interval, { above, below }: Range): boolean {
  return (above !== undefined && high <= above) || (below !== undefined && low >= below);
}

/** Whether a range claims that something is ahead, by however little: what counts as alike is not ahead. */
export function rangeIsAhead({ above, below }: Range, { above: low, below: high }: Alike): boolean {
  return [above, below].some((end) => end !== undefined && end > low && end < high);
}

/**
 * The opposite of a claimed range. A range that is open to one side claims "less" or "more", unless it reaches beyond what
 * counts as alike, and has an opposite: to lie beyond that on the other side.
 */
export function oppositeOf({ above, below }: Range, alike: Alike): Range | undefined {
  if (above === undefined && below !== undefined && below <= alike.below) return { above: alike.below };
  if (below === undefined && above !== undefined && above >= alike.above) return { below: alike.above };
  return undefined;
}

/** Whether an interval lies outside of a claimed range, or among what counts as alike where one is claimed to be ahead. */
function isRefuted(interval: Interval, range: Range, alike: Alike): boolean {
  return isOutside(interval, range) || (rangeIsAhead(range, alike) && isInside(interval, alike));
}

/** What an interval says of a claimed range. */
function answerInterval(interval: Interval, range: Range, alike: Alike): CaseAnswer {
  if (isInside(interval, range)) return 'so';
  const opposite = oppositeOf(range, alike);
  if (opposite && isInside(interval, opposite)) return 'opposite';
  return isRefuted(interval, range, alike) ? 'not so' : 'open';
}

function answerVerdict(
  { says, arm, other }: Extract<CasePart, { kind: 'beats' }>,
  spot: Spot,
  { source }: Asking,
): AnsweredPart {
  const verdict = source.verdictOf(spot, arm, other) ?? 'undecided';
  const answers = { faster: 'so', slower: 'opposite', tie: 'not so', undecided: 'open' } as const;
  const answer = answers[verdict];
  return {
    answer,
    isSurelyNot: answer === 'opposite' || answer === 'not so',
    number: { says, unit: 'verdict', verdict, blocks: source.blocksOf(spot) },
  };
}

/**
 * Whether most loads of an arm finish, or fail to: the answer is what a fair coin would show less often than the doubt
 * allows.
 */
function answerCompletion(
  { says, arm, does }: Extract<CasePart, { kind: 'completes' }>,
  spot: Spot,
  { parts, asking: { source, count } }: { readonly parts: number; readonly asking: Asking },
): AnsweredPart {
  const times = Array.from({ length: source.blocksOf(spot) }, (_, block) =>
    source.valueOf(spot, arm, 'pltMs', block),
  ).filter((value) => value !== undefined);
  const finished = times.filter(Number.isFinite).length;
  const agree = does ? finished : times.length - finished;
  const doubt = (1 - CONFIDENCE) / 2;
  const sampling = samplingOf({ isFixed: source.isFixed([spot]) });
  const isMost = (part: number, allowed: number) => part >= neededBeyond(times.length, allowed, sampling);
  const against = times.length - agree;
  return {
    answer: isMost(agree, doubt) ? 'so' : isMost(against, doubt / parts) ? 'opposite' : 'open',
    isSurelyNot: isMost(against, doubt / count),
    number: { says, unit: 'share', value: finished / times.length, blocks: times.length },
  };
}

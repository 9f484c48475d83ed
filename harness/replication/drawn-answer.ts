import { LEAST_BLOCKS } from '../comparison/rules.ts';
import { DRAWS } from '../comparison/typical.ts';
import { SURE_BELOW } from '../model/answer.ts';
import type { Asked } from '../model/paper.ts';
import { chanceOf, meanOfDraws, quantilesOf } from '../stats/draws.ts';
import { gammaDeviate } from '../stats/gamma.ts';
import { type Random, seededRandom } from '../stats/random.ts';
import {
  type Alike,
  type AnsweredCase,
  FOLLOWS,
  type Interval,
  isInside,
  isOutside,
  oppositeOf,
  rangeIsAhead,
} from './answer.ts';
import type { Case, CasePart } from './cases.ts';
import type { MeasuredSource, Wins } from './measured.ts';
import { correlationDifference } from './series.ts';
import type { Spot } from './source.ts';
import type { TypicalFigures } from './typical-figures.ts';

/** What each of many possible truths says of a case: 1 where it says so. One draw may be two of these, or none. */
export interface DrawnCase {
  /** Where it was measured: cases that share a place rest on the same loads. */
  readonly spots: readonly Spot[];
  readonly so: Float64Array;
  readonly opposite: Float64Array;
  /** It is told by the part that speaks most against it. */
  readonly not: Float64Array;
  /** How many things must be so. */
  readonly parts: number;
  /** By part: what its number lies between in 95 % of the draws; absent where a part is about no number. */
  readonly intervals: readonly (Interval | undefined)[];
  /** Whether it rests on too few blocks to be sure. */
  readonly isSparse: boolean;
}

/** What possible truths are drawn from. */
export interface Drawing {
  readonly asks: Asked;
  readonly source: MeasuredSource;
  readonly typical: TypicalFigures;
  readonly alike: Alike;
  /** From which share of blocks on an arm that is ahead in them beats another. */
  readonly share: number;
  readonly seed: number;
}

/** Says of a case, draw by draw, whether it is so; undefined where too little was measured for any draw. */
export function drawCase(own: Case, drawing: Drawing): DrawnCase | undefined {
  const parts = own.parts.map((part) => drawPart(part, own, drawing));
  if (!parts.every((part) => part !== undefined)) return undefined;
  const drawn = (isIt: (draw: number) => boolean) => new Float64Array(DRAWS).map((_, draw) => Number(isIt(draw)));
  const nots = parts.map((part) => drawn(part.not));
  return {
    spots: own.spots,
    so: drawn((draw) => parts.every((part) => part.so(draw))),
    opposite: drawn((draw) => parts.every((part) => part.opposite(draw))),
    not: nots.reduce((most, each) => (meanOfDraws(each) > meanOfDraws(most) ? each : most)),
    parts: parts.length,
    intervals: parts.map(({ interval }) => interval),
    isSparse: own.spots.some((spot) => drawing.source.blocksOf(spot) < LEAST_BLOCKS.sure),
  };
}

/** A case with what draws say of it where its intervals leave it open, or have no ends. */
export function withDraws(answered: AnsweredCase, drawn: DrawnCase | undefined): AnsweredCase {
  if (!drawn) return answered;
  const isSure = (which: 'so' | 'not' | 'opposite') => meanOfDraws(drawn[which]) > 1 - SURE_BELOW / 2;
  const ofDraws = isSure('so') ? 'so' : isSure('opposite') ? 'opposite' : isSure('not') ? 'not so' : 'open';
  return {
    ...answered,
    answer: answered.answer === 'open' ? ofDraws : answered.answer,
    numbers: answered.numbers.map((number, part) => {
      const interval = drawn.intervals[part];
      return interval && !number.interval?.every(isEnd) ? { ...number, interval } : number;
    }),
  };
}

/** Whether an interval ends there. */
function isEnd(end: number): boolean {
  return Number.isFinite(end) && end !== 0;
}

/** What the draws say of one of the things that must be so. */
interface DrawnPart extends Readonly<Record<'so' | 'not' | 'opposite', (draw: number) => boolean>> {
  readonly interval?: Interval | undefined;
}

function drawPart(part: CasePart, own: Case, drawing: Drawing): DrawnPart | undefined {
  const random = seededRandom(drawing.seed, `claim ${own.title} ${part.says}`);
  switch (part.kind) {
    case 'beats':
      return drawVerdict(part, own.spots[0]!, drawing, random);
    case 'completes':
      return drawCompletion(part, own.spots[0]!, drawing, random);
    default: {
      const numbers = drawNumbers(part, own.spots, drawing);
      return numbers && drawnIn(numbers, drawing);
    }
  }
}

function drawnIn(numbers: Float64Array, { asks, alike }: Drawing): DrawnPart {
  const range = 'range' in asks ? asks.range : FOLLOWS;
  const opposite = oppositeOf(range, alike);
  const at = (draw: number) => [numbers[draw]!, numbers[draw]!] as const;
  const isSo = (draw: number) => isInside(at(draw), range);
  // What counts as alike is not ahead, unless even so small a lead is sure.
  const isSurelySo = chanceOf(numbers, (_, draw) => isSo(draw)) > 1 - SURE_BELOW / 2;
  const needsDifference = rangeIsAhead(range, alike) && !isSurelySo;
  const [low, high] = quantilesOf(numbers, [SURE_BELOW / 2, 1 - SURE_BELOW / 2]);
  return {
    interval: numbers.every(Number.isFinite) ? ([low!, high!] as const) : undefined,
    so: isSo,
    not: (draw) => isOutside(at(draw), range) || (needsDifference && isInside(at(draw), alike)),
    opposite: (draw) => opposite !== undefined && isInside(at(draw), opposite),
  };
}

/** The number that a part is about, draw by draw; not a number where what never ends is held against the like. */
function drawNumbers(
  part: Extract<CasePart, { readonly kind: 'product' | 'sum' | 'follows' }>,
  spots: readonly Spot[],
  { typical }: Drawing,
): Float64Array | undefined {
  const all = (cells: readonly { readonly spot: Spot; readonly arm: string }[]) => {
    const drawn = cells.map(({ spot, arm }) => typical(spot, arm, part.figure));
    return drawn.every((each) => each !== undefined) ? drawn : undefined;
  };
  const drawn = (numberOf: (draw: number) => number) => new Float64Array(DRAWS).map((_, draw) => numberOf(draw));
  switch (part.kind) {
    case 'product': {
      const [over, under] = [all(part.over), all(part.under)];
      if (!over || !under) return undefined;
      return drawn((draw) => Math.exp(totalOf(over, draw, (log) => log) - totalOf(under, draw, (log) => log)));
    }
    case 'sum': {
      const [of, to] = [part.of, part.to].map((arm) => all(spots.map((spot) => ({ spot, arm }))));
      return of && to && drawn((draw) => totalOf(of, draw, Math.exp) / totalOf(to, draw, Math.exp));
    }
    case 'follows': {
      const byArm = part.arms.map((arm) => all(spots.map((spot) => ({ spot, arm }))));
      if (!byArm.every((each) => each !== undefined)) return undefined;
      const meanAt = (place: number, draw: number) =>
        byArm.reduce((sum, own) => sum + Math.exp(own[place]![draw]!), 0) / byArm.length;
      return drawn(
        (draw) =>
          correlationDifference(
            spots.map((_, place) => meanAt(place, draw)),
            spots,
          ) ?? Number.NaN,
      );
    }
  }
}

function totalOf(all: readonly Float64Array[], draw: number, of: (log: number) => number): number {
  return all.reduce((sum, each) => sum + of(each[draw]!), 0);
}

/** Draws the share of blocks in which an arm is ahead: nothing is known of it but those that were seen. */
function drawVerdict(
  { arm, other }: Extract<CasePart, { kind: 'beats' }>,
  spot: Spot,
  { source, share }: Drawing,
  random: Random,
): DrawnPart | undefined {
  const [won, lost] = [source.winsOf(spot, arm, other), source.winsOf(spot, other, arm)];
  if (!won || !lost || won.blocks < LEAST_BLOCKS.answer) return undefined;
  const [ahead, behind] = [drawShare(won, random), drawShare(lost, random)];
  return {
    so: (draw) => ahead[draw]! > share,
    not: (draw) => ahead[draw]! <= share,
    opposite: (draw) => behind[draw]! > share,
  };
}

function drawCompletion(
  { arm, does }: Extract<CasePart, { kind: 'completes' }>,
  spot: Spot,
  { source }: Drawing,
  random: Random,
): DrawnPart | undefined {
  const times = Array.from({ length: source.blocksOf(spot) }, (_, block) =>
    source.valueOf(spot, arm, 'pltMs', block),
  ).filter((time) => time !== undefined);
  if (times.length < LEAST_BLOCKS.answer) return undefined;
  const finished = drawShare({ won: times.filter(Number.isFinite).length, blocks: times.length }, random);
  const isSo = (draw: number) => finished[draw]! > 0.5 === does;
  return { so: isSo, not: (draw) => !isSo(draw), opposite: (draw) => !isSo(draw) };
}

function drawShare({ won, blocks }: Wins, random: Random): Float64Array {
  return new Float64Array(DRAWS).map(() => {
    const ahead = gammaDeviate(won + 1, random);
    return ahead / (ahead + gammaDeviate(blocks - won + 1, random));
  });
}

import type { Asked, HoldsIn, Paper, PaperCell, PaperFigure, Question, Range, Varying } from '../model/paper.ts';
import type { CaseAnswer, CaseNumber, ClaimFinding } from '../model/then-and-now.ts';
import { inWords, percentInWords } from '../model/wording.ts';
import type { AnsweredCase } from './answer.ts';
import { describePlace, describePlaces } from './places.ts';

const FIGURES: Readonly<Record<PaperFigure, string>> = {
  pltMs: 'load time',
  uploadMs: 'time to upload',
  connections: 'connections',
  bytes: 'bytes on the wire',
  packets: 'packets',
  wireDownKbps: 'throughput on the wire',
  overheadDownPercent: 'overhead of what came',
  fairness: 'fairness',
  loadedRttMs: 'round-trip time under load',
  lighthouse: 'Lighthouse score',
};

/** A question in full, with the paper's names. */
export function describeQuestion({ where, asks, holdsIn }: Question, paper: Paper, places: number): string {
  return `${describeAsked(asks, paper)}; ${describeHoldsIn(holdsIn, asks, places)}: ${describePlaces(where)}`;
}

function describeAsked(asks: Asked, { arms }: Paper): string {
  const name = ({ arm, at }: PaperCell) => `${arms[arm]!.called}${at?.site === undefined ? '' : ` of ${at.site}`}`;
  const names = (all: readonly string[], last: 'and' | 'or') =>
    inWords(
      all.map((arm) => name({ arm })),
      last,
    );
  switch (asks.kind) {
    case 'ratio': {
      const pairs = asks.pairs.map(
        ({ of, to }) => `${name(of)} ${describeRange(asks.range)} ${inWords(to.map(name), 'and')}`,
      );
      return `${FIGURES[asks.figure]}: ${pairs.join('; ')}`;
    }
    case 'growth': {
      const [before, after] = endsOf(asks);
      return `${FIGURES[asks.figure]} of ${names(asks.arms, 'and')} at ${after} ${describeRange(asks.range)} that at ${before}`;
    }
    case 'outgrows': {
      const more = asks.range.above === undefined ? 'less' : 'more';
      const way = `from ${endsOf(asks).join(' to ')} the ${FIGURES[asks.figure]} grows`;
      return `${way} ${more} for ${name(asks)} than for ${names(asks.others, 'and')}`;
    }
    case 'sum':
      return `${FIGURES[asks.figure]}, summed: ${name({ arm: asks.of })} ${describeRange(asks.range)} ${name({ arm: asks.to })}`;
    case 'follows':
      return `${FIGURES[asks.figure]}, mean of ${names(asks.arms, 'and')}: correlates with requests more than with bytes`;
    case 'beats':
      return `${name(asks)} proven faster than ${names(asks.others, 'and')}`;
    case 'completes':
      return `${name(asks)} completes more often than not, ${name({ arm: asks.other })} fails more often than not`;
  }
}

function endsOf({ dimension, from, to }: Varying): readonly string[] {
  return [from, to].map((value) => describePlace({ [dimension]: value }));
}

function describeRange({ above, below }: Range): string {
  if (above !== undefined && below !== undefined)
    return Math.abs(above * below - 1) < 1e-9 ? `within ${percent(1 - above)} of` : `${above} to ${below} times`;
  if (above !== undefined)
    return above === 1 ? 'above' : above < 1 ? `not ${percent(1 - above)} below` : `more than ${above} times`;
  const most = below!;
  return most === 1 ? 'below' : most < 1 ? `at least ${percent(1 - most)} below` : `less than ${most} times`;
}

function describeHoldsIn(holdsIn: HoldsIn, { kind }: Asked, places: number): string {
  if (kind === 'sum' || kind === 'follows') return `over ${count(places)}`;
  if (holdsIn === 'each') return places === 1 ? 'in' : `in each of ${count(places)}`;
  if (holdsIn === 'not each') return `not in each of ${count(places)}`;
  const { moreThan } = holdsIn;
  // What one place leaves open may still be many.
  if (places === 1) return `in more than ${moreThan === 0.5 ? 'half' : percent(moreThan)} of what was measured`;
  return `in more than ${moreThan === 0.5 ? 'half' : percent(moreThan)} of ${count(places)}`;
}

function count(places: number): string {
  return `${places} place${places === 1 ? '' : 's'}`;
}

/** At most this many numbers are told one by one. */
const TOLD = 3;

/** What the answers to a question come to, in numbers. */
export function describeMeasured(answers: readonly AnsweredCase[]): string {
  const numbers = answers.flatMap((each) => each.numbers);
  if (numbers.length === 0) return 'not measured';
  if (numbers.length <= TOLD)
    return answers
      .map(({ case: { title }, numbers: own }) => {
        const says = own.map(describeNumber).join('; ');
        return answers.some((each) => each.case.title !== title) ? `${title}: ${says}` : says;
      })
      .join('; ');
  const shares = describeShares(numbers);
  if (shares !== undefined) return shares;
  const parts = (['so', 'not so', 'open'] as const).flatMap((answer) => {
    const own = answers.filter((each) => inShort(each.answer) === answer).length;
    return own > 0 ? [`${ANSWERS[answer]} in ${own}`] : [];
  });
  return `${inWords(parts, 'and')} of ${answers.length}${describeSpread(numbers)}`;
}

/** What came out in a place, in words. */
export const ANSWERS: Readonly<Record<CaseAnswer, string>> = {
  so: 'true',
  'not so': 'false',
  opposite: 'the opposite',
  open: 'open',
};

function inShort(answer: CaseAnswer): 'so' | 'not so' | 'open' {
  return answer === 'opposite' ? 'not so' : answer;
}

/** How many loads came to their end, of all places together: `h3: 24 of 24 completed; h2: 3 of 24 completed`. */
function describeShares(numbers: readonly CaseNumber[]): string | undefined {
  // A place without blocks has no share.
  const counted = numbers.filter(({ blocks }) => blocks > 0);
  if (counted.length === 0 || counted.some(({ unit }) => unit !== 'share')) return undefined;
  return [...Map.groupBy(counted, ({ says }) => says)]
    .map(([says, own]) => {
      const blocks = own.reduce((sum, each) => sum + each.blocks, 0);
      const done = own.reduce((sum, { value = 0, blocks: all }) => sum + value * all, 0);
      return describeNumber({ says, unit: 'share', value: done / blocks, blocks });
    })
    .join('; ');
}

/** From the lowest estimate to the highest. */
function describeSpread(numbers: readonly CaseNumber[]): string {
  const values = numbers.flatMap(({ value }) => (value === undefined || Number.isNaN(value) ? [] : [value]));
  if (values.length === 0) return '';
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const tell = numbers[0]!.unit === 'difference' ? plain : describeRatio;
  return `; ${joinEnds([low, high].map(tell))}`;
}

/** What a number is of, the number, and its interval. */
export function describeNumber(number: CaseNumber): string {
  const { says, unit } = number;
  const [value, interval] = [describeValue(number), describeInterval(number)];
  const colon = unit === 'ratio' || unit === 'difference' ? '' : ':';
  // What is as narrow as it is told needs no telling.
  const isWide = interval !== '' && interval !== joinEnds([value, value]);
  return `${says}${colon} ${value}${isWide ? ` (${interval})` : ''}`;
}

/** A number, or the verdict that stands for one. */
export function describeValue({ unit, value, verdict, blocks }: CaseNumber): string {
  if (unit === 'verdict') return verdict ?? 'undecided';
  if (value === undefined || Number.isNaN(value)) return 'no number';
  if (unit === 'share') return `${Math.round(value * blocks)} of ${blocks} completed`;
  return unit === 'difference' ? plain(value) : describeRatio(value);
}

/** Its interval, told as the number is; empty where it has none. */
export function describeInterval({ unit, value, interval, blocks }: CaseNumber): string {
  if (value === undefined || Number.isNaN(value) || !interval) return '';
  const [low, high] = interval;
  const isOpen = (low === 0 || low === Number.NEGATIVE_INFINITY) && high === Number.POSITIVE_INFINITY;
  if (isOpen) return `too few blocks for an interval: ${blocks}`;
  const tell = unit === 'difference' ? plain : value >= TIMES_FROM ? times : change;
  const ends = [low, high].map(tell);
  return joinEnds(ends);
}

/** The two ends of an interval, with their unit once where they share it. */
function joinEnds([low, high]: readonly string[]): string {
  const unit = [' %', ' times'].find((own) => low!.endsWith(own) && high!.endsWith(own)) ?? '';
  return `${low!.slice(0, low!.length - unit.length)} to ${high}`;
}

/** Ratios from here on are told as times. */
const TIMES_FROM = 2;

/** A ratio as people say it: as times, or as a change in percent. */
export function describeRatio(value: number): string {
  return value >= TIMES_FROM ? times(value) : change(value);
}

function times(value: number): string {
  return value === Number.POSITIVE_INFINITY ? '∞' : `${value.toFixed(1)} times`;
}

function change(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return '∞';
  const percents = 100 * (value - 1);
  const figure = Math.abs(percents).toFixed(Math.abs(percents) < 9.95 ? 1 : 0);
  return Number(figure) === 0 ? '±0 %' : `${percents < 0 ? '−' : '+'}${figure} %`;
}

function plain(value: number): string {
  if (!Number.isFinite(value)) return value > 0 ? '∞' : '−∞';
  return `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(2)}`;
}

function percent(share: number): string {
  return percentInWords(100 * share);
}

/** Says that the machine has a part in the times, where it has. */
export function describeMachinesPart({ cpuBoundCases, cases }: ClaimFinding): string | undefined {
  if (cpuBoundCases === 0) return undefined;
  const where = cases.length === 1 ? 'here' : `in ${cpuBoundCases} of ${cases.length} places`;
  return `This machine’s processor takes more than a third of the load time ${where}.`;
}

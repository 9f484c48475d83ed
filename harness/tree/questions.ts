import type { Features, NumericFeature, Split } from '../model/tree.ts';
import { type Bits, bitsWhere, difference } from '../stats/bits.ts';

/** A question that parts some cases in two. */
export interface Question {
  readonly split: Split;
  /** The cases in which the answer is yes. */
  readonly yes: Bits;
  /** How many times as large as the largest number below its threshold the smallest one above it is, up to `WIDE`. */
  readonly gap: number;
}

/** A gap that is wide enough: a wider one tells nothing more. */
const WIDE = 10;

/** Questions of which each says yes wherever the one before it does: the same number, held against rising thresholds. */
export interface Scale {
  readonly questions: readonly Question[];
  /** By case: how many of the questions say no. */
  readonly level: Uint32Array;
}

/**
 * In the order in which a developer is likelier to know them: of those that part the cases alike, by equally wide gaps, the
 * first is asked.
 */
const NUMERIC_FEATURES: readonly NumericFeature[] = [
  'rateKbps',
  'rttMs',
  'lossPercent',
  'objects',
  'bytesPerObject',
  'totalBytes',
  'queuePackets',
];

/** Every question that parts the cases, each way of parting them once. */
export function scalesOf(features: readonly Features[]): readonly Scale[] {
  const splits: readonly (readonly Asked[])[] = [
    ...NUMERIC_FEATURES.map((feature) =>
      thresholds(features.map((each) => each[feature])).map(({ below, gap }) => ({ split: { feature, below }, gap })),
    ),
    ...[...new Set(features.map((each) => each.visit))].map((is) => [
      // No server can choose by it.
      { split: { feature: 'visit', is } as const, gap: 1 },
    ]),
  ];
  const all = bitsWhere(features.length, () => true);
  const scales = splits.map((scale) =>
    scale
      .map((each) => questionOf(each, features))
      .map((question) => ({ question, parting: partingBy(question, all) }))
      .filter(({ parting }) => parting !== `${all}`),
  );
  const widest = new Map<string, Question>();
  for (const { question, parting } of scales.flat())
    if (question.gap > (widest.get(parting)?.gap ?? 0)) widest.set(parting, question);
  return scales
    .map((scale) => scale.flatMap(({ question, parting }) => (widest.get(parting) === question ? [question] : [])))
    .filter((questions) => questions.length > 0)
    .map((questions) => ({ questions, level: levels(questions, features) }));
}

/** Which way a case goes at a question. */
export function answersYes(split: Split, features: Features): boolean {
  return split.feature === 'visit' ? features.visit === split.is : features[split.feature] < split.below;
}

type Asked = Pick<Question, 'split' | 'gap'>;

function questionOf({ split, gap }: Asked, features: readonly Features[]): Question {
  return { split, gap, yes: bitsWhere(features.length, (each) => answersYes(split, features[each]!)) };
}

/** How a question parts all cases, by the side that the first of them is on: that is all of them where it parts none. */
function partingBy({ yes }: Question, all: Bits): string {
  return (yes[0]! & 1) === 1 ? `${yes}` : `${difference(all, yes)}`;
}

function levels(questions: readonly Question[], features: readonly Features[]): Uint32Array {
  return Uint32Array.from(features, (each) => questions.filter(({ split }) => !answersYes(split, each)).length);
}

function thresholds(values: readonly number[]): readonly { readonly below: number; readonly gap: number }[] {
  const ascending = [...new Set(values)].sort((a, b) => a - b);
  return ascending.slice(1).map((high, index) => {
    const low = ascending[index]!;
    return { below: roundNumberBetween(low, high), gap: Math.min(WIDE, high / low) };
  });
}

/** The number with the fewest digits that is above `low` and at most `high`, near their geometric mean. */
export function roundNumberBetween(low: number, high: number): number {
  if (high === Number.POSITIVE_INFINITY) return 2 * low;
  const middle = low > 0 ? Math.sqrt(low * high) : high / 2;
  for (let digits = 1; digits <= 15; digits += 1) {
    const rounded = Number(middle.toPrecision(digits));
    if (rounded > low && rounded <= high) return rounded;
  }
  return high;
}

import type { Features, NumericFeature, Split } from '../model/tree.ts';
import { type Bits, bitsWhere } from '../stats/bits.ts';

/** A question that parts some cases in two. */
export interface Question {
  readonly split: Split;
  /** The cases in which the answer is yes. */
  readonly yes: Bits;
  /** How many times as large as the largest number below its threshold the smallest one above it is. */
  readonly gap: number;
}

/** Questions of which each says yes wherever the one before it does: the same number, held against rising thresholds. */
export interface Scale {
  readonly questions: readonly Question[];
  /** By case: how many of the questions say no. */
  readonly level: Uint32Array;
}

/** In the order in which a developer is likelier to know them: of two that part the cases alike the first is asked. */
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
      { split: { feature: 'visit', is } as const, gap: Number.POSITIVE_INFINITY },
    ]),
  ];
  const asked = new Set<string>();
  return splits
    .map((scale) => scale.flatMap((each) => newQuestion(each, features, asked)))
    .filter((questions) => questions.length > 0)
    .map((questions) => ({ questions, level: levels(questions, features) }));
}

/** Which way a case goes at a question. */
export function answersYes(split: Split, features: Features): boolean {
  return split.feature === 'visit' ? features.visit === split.is : features[split.feature] < split.below;
}

type Asked = Pick<Question, 'split' | 'gap'>;

function newQuestion({ split, gap }: Asked, features: readonly Features[], asked: Set<string>): readonly Question[] {
  const yes = bitsWhere(features.length, (each) => answersYes(split, features[each]!));
  const no = bitsWhere(features.length, (each) => !answersYes(split, features[each]!));
  const isNew = no.some((word) => word !== 0) && !asked.has(`${yes}`) && !asked.has(`${no}`);
  asked.add(`${yes}`);
  return isNew ? [{ split, yes, gap }] : [];
}

function levels(questions: readonly Question[], features: readonly Features[]): Uint32Array {
  return Uint32Array.from(features, (each) => questions.filter(({ split }) => !answersYes(split, each)).length);
}

function thresholds(values: readonly number[]): readonly { readonly below: number; readonly gap: number }[] {
  const ascending = [...new Set(values)].sort((a, b) => a - b);
  return ascending.slice(1).map((high, index) => {
    const low = ascending[index]!;
    return { below: roundNumberBetween(low, high), gap: high / low };
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

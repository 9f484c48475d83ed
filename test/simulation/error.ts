import { beat } from '../../harness/comparison/outcome.ts';
import { RULES } from '../../harness/comparison/rules.ts';
import type { Rule } from '../../harness/model/comparison.ts';
import { binomialCdf } from '../../harness/stats/binomial.ts';
import { seededRandom } from '../../harness/stats/random.ts';
import {
  anyOrder,
  countClaims,
  drawRecords,
  orderOrReverse,
  ratioOf,
  type SimulatedStudy,
  simulate,
  type Truth,
  withLaunches,
} from './studies.ts';

const LEVEL = 0.05;
const CAP = { kind: 'early', until: 'proven', cap: 100 } as const;

interface Alike {
  readonly draw: Truth['draw'];
  readonly count: number;
  readonly rule?: Rule;
  /** The arms that no other arm beats. */
  readonly within?: readonly string[];
}

/** A study of conditions that are all alike, in which no verdict on a pair is true. */
function allAlike({ draw, count, rule = RULES.default, within = [] }: Alike): SimulatedStudy {
  const arms = draw(seededRandom(0), 0).length === 2 ? ['h1', 'h2'] : ['h1', 'h2', 'h3'];
  return { arms, truths: Array.from({ length: count }, () => ({ draw, true: {}, within })), rule, stopping: CAP };
}

/** A study like `allAlike` that claims nothing but about pairs, so that no claim is true. */
function pairsAlone(alike: Omit<Alike, 'within'>): SimulatedStudy {
  return { ...allAlike(alike), onlyPairs: true };
}

const EVERYTHING_AT_ITS_LIMIT = allAlike({ draw: anyOrder(), count: 4 });

/** The second arm is at the limit of beating the first, which is so at the limit of being beaten; it is not beaten itself. */
const AT_0_97: Alike = { draw: ratioOf(0.97, 0.05), count: 8, within: ['h2'] };
const AT_1_03: Alike = { draw: ratioOf(1 / 0.97, 0.05), count: 8, within: ['h1'] };
/** By the rule of 2015 the first two are at the limit of being beaten, and the third is not beaten. */
const AT_70_PERCENT: Alike = { draw: orderOrReverse(0.7), count: 4, rule: RULES.kramer2015, within: ['h3'] };
// Given everything earlier the blocks of a launch are not at the limit then: e-values do not promise this, the
// relaunches must see to it. Where a launch adds as much as the noise itself it is 12 %.
const LAUNCHES_ADD_A_THIRD: Alike = { ...AT_0_97, draw: withLaunches(0.97, 0.05, 1 / 3) };
const LAUNCHES_ADD_HALF: Alike = { ...AT_0_97, draw: withLaunches(0.97, 0.05, 0.5) };

/** Two arms of which the first is faster in exactly half of all blocks, and the other in the other half. */
const EITHER: Truth['draw'] = (random) => (random() < 0.5 ? [1000, 1200] : [1200, 1000]);

/** Studies in which nothing is true, each share exactly where the rule draws its limit. */
export const ALL_NULL = {
  'every share at its limit, three arms in any order': EVERYTHING_AT_ITS_LIMIT,
  'every share at its limit, one order or its reverse': allAlike({ draw: orderOrReverse(0.5), count: 4 }),
  'two arms, each faster in exactly half of all blocks': allAlike({ draw: EITHER, count: 8 }),
  'one condition alone, every share at its limit': allAlike({ draw: EITHER, count: 1 }),
  'judged once, after 60 blocks': { ...EVERYTHING_AT_ITS_LIMIT, stopping: { kind: 'exactly', blocks: 60 } },
  'of pairs alone: every share at its limit, three arms in any order': { ...EVERYTHING_AT_ITS_LIMIT, onlyPairs: true },
  'of pairs alone: ratios exactly 0.97': pairsAlone(AT_0_97),
  'of pairs alone: ratios exactly 1/0.97': pairsAlone(AT_1_03),
  'of pairs alone: one comparison': pairsAlone({ ...AT_0_97, count: 1 }),
  'of pairs alone: kramer2015: every share exactly 70 %': pairsAlone(AT_70_PERCENT),
  'of pairs alone: ratios exactly 0.97, launches adding a third of the noise': pairsAlone(LAUNCHES_ADD_A_THIRD),
  'of pairs alone: ratios exactly 0.97, launches adding half of the noise': pairsAlone(LAUNCHES_ADD_HALF),
} as const satisfies Record<string, SimulatedStudy>;

// The second arm is at the limit of being faster, and so at the limit of a tie; the third is clearly faster.
const LIMIT_AND_FASTER: Truth = {
  draw: (random, launch) => [...ratioOf(0.97, 0.05)(random, launch), ratioOf(0.7, 0.05)(random, launch)[1]!],
  true: { 'h3/h1': 'a', 'h3/h2': 'a' },
  within: ['h3'],
};
// The third is a tie with the first, and the second is at the limit of being beaten by either.
const LIMIT_AND_TIE: Truth = {
  draw: (random, launch) => [...ratioOf(1 / 0.97, 0.02)(random, launch), ratioOf(1, 0.02)(random, launch)[1]!],
  true: { 'h3/h1': 'tie' },
  within: ['h1', 'h3'],
};
const NOTHING: Truth = { draw: anyOrder(), true: {} };
const LIMIT_OF_KRAMER: Truth = { draw: AT_70_PERCENT.draw, true: {}, within: ['h3'] };
const CLEAR_TO_KRAMER: Truth = {
  draw: orderOrReverse(0.97),
  true: { 'h2/h1': 'a', 'h3/h1': 'a', 'h3/h2': 'a' },
  within: ['h3'],
};

function mixed(rule: Rule, truths: readonly Truth[]): SimulatedStudy {
  return { arms: ['h1', 'h2', 'h3'], truths, rule, stopping: CAP };
}

/** Studies in which some claims are true, the others at their limit. */
export const MIXED = {
  default: mixed(RULES.default, [LIMIT_AND_FASTER, LIMIT_AND_FASTER, LIMIT_AND_TIE, LIMIT_AND_TIE, NOTHING, NOTHING]),
  kramer2015: mixed(RULES.kramer2015, [
    LIMIT_OF_KRAMER,
    LIMIT_OF_KRAMER,
    LIMIT_OF_KRAMER,
    CLEAR_TO_KRAMER,
    CLEAR_TO_KRAMER,
  ]),
  'one arm at the limit of being beaten, ratios exactly 0.97': allAlike(AT_0_97),
  'one arm at the limit of being beaten, ratios exactly 1/0.97': allAlike(AT_1_03),
  'two of three arms at the limit of being beaten, kramer2015': allAlike(AT_70_PERCENT),
  'one arm at the limit of being beaten, judged once, after 60 blocks': {
    ...allAlike(AT_0_97),
    stopping: { kind: 'exactly', blocks: 60 },
  },
  'one arm at the limit of being beaten, launches adding a third of the noise': allAlike(LAUNCHES_ADD_A_THIRD),
  'one arm at the limit of being beaten, launches adding half of the noise': allAlike(LAUNCHES_ADD_HALF),
} as const satisfies Record<string, SimulatedStudy>;

/** The share of this many studies that claim anything false. */
export function shareClaimingFalsely(name: keyof typeof ALL_NULL, studies: number): number {
  const study: SimulatedStudy = ALL_NULL[name];
  return shareOf(studies, (seed) => countClaims(simulate(study, seed), study.truths).falseClaims > 0);
}

/**
 * Over this many studies, the mean share of false claims among all, and the share of studies that prove three or more.
 */
export function falseDiscoveries(name: keyof typeof MIXED, studies: number): { meanShare: number; telling: number } {
  const study: SimulatedStudy = MIXED[name];
  const counts = Array.from({ length: studies }, (_, seed) => countClaims(simulate(study, seed), study.truths));
  const shares = counts.map(({ claims, falseClaims }) => falseClaims / Math.max(1, claims));
  return {
    meanShare: shares.reduce((sum, share) => sum + share, 0) / studies,
    telling: counts.filter(({ claims }) => claims >= 3).length / studies,
  };
}

/**
 * The share of this many studies in which a binomial test made for a fixed number of blocks claims something at some
 * look, corrected at each for how many hypotheses there are (Benjamini and Hochberg), but not for how often one looks.
 */
export function shareOfSignTestsClaiming(studies: number): number {
  return shareOf(studies, (seed) => signTestClaims(EVERYTHING_AT_ITS_LIMIT, seed));
}

function shareOf(studies: number, holds: (seed: number) => boolean): number {
  return Array.from({ length: studies }, (_, seed) => holds(seed)).filter(Boolean).length / studies;
}

function signTestClaims(study: SimulatedStudy, seed: number): boolean {
  const records = drawRecords(study, seededRandom(seed, 'simulated study'));
  const pairs = records.flatMap(({ blocks }) =>
    study.arms.flatMap((b, index) => study.arms.slice(index + 1).map((a) => ({ a, b, blocks, aWon: 0, bWon: 0 }))),
  );
  for (let round = 0; round < CAP.cap; round += 1) {
    const pValues = pairs.flatMap((pair) => {
      const [a, b] = [pair.blocks[round]!.outcomes[pair.a]!, pair.blocks[round]!.outcomes[pair.b]!];
      pair.aWon += Number(beat(a, b, study.rule.advantage));
      pair.bWon += Number(beat(b, a, study.rule.advantage));
      return [pair.aWon, pair.bWon].map((won) => 1 - binomialCdf(won - 1, round + 1, study.rule.share));
    });
    if (benjaminiHochbergFinds(pValues, 3 * pairs.length)) return true;
  }
  return false;
}

function benjaminiHochbergFinds(pValues: readonly number[], hypotheses: number): boolean {
  return pValues.toSorted((a, b) => a - b).some((p, index) => p <= (LEVEL * (index + 1)) / hypotheses);
}

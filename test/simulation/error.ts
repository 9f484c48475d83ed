import { beat, outcomeOf } from '../../harness/comparison/outcome.ts';
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
const CAP = { kind: 'early', cap: 100 } as const;

/** A study of conditions that are all alike, of which no claim is true. */
function allNull(draw: Truth['draw'], count: number, rule: Rule = RULES.default): SimulatedStudy {
  const arms = draw(seededRandom(0), 0).length === 2 ? ['h1', 'h2'] : ['h1', 'h2', 'h3'];
  return { arms, truths: Array.from({ length: count }, () => ({ draw, true: {} })), rule, stopping: CAP };
}

const EVERYTHING_AT_ITS_LIMIT = allNull(anyOrder(), 4);

/** Studies in which nothing is true, each share exactly where the rule draws its limit. */
export const ALL_NULL = {
  'every share at its limit, three arms in any order': EVERYTHING_AT_ITS_LIMIT,
  'every share at its limit, one order or its reverse': allNull(orderOrReverse(0.5), 4),
  'ratios exactly 0.97': allNull(ratioOf(0.97, 0.05), 8),
  'ratios exactly 1/0.97': allNull(ratioOf(1 / 0.97, 0.05), 8),
  'one comparison alone': allNull(ratioOf(0.97, 0.05), 1),
  'kramer2015: every share exactly 70 %': allNull(orderOrReverse(0.7), 4, RULES.kramer2015),
  'given up early': { ...EVERYTHING_AT_ITS_LIMIT, stopping: { ...CAP, giveUpBelow: 0.25 } },
  'judged once, after 60 blocks': { ...EVERYTHING_AT_ITS_LIMIT, stopping: { kind: 'exactly', blocks: 60 } },
  // Given everything earlier the blocks of a launch are not at the limit then: e-values do not promise this, the
  // relaunches must see to it. Where a launch adds as much as the noise itself it is 12 %.
  'ratios exactly 0.97, launches adding a third of the noise': allNull(withLaunches(0.97, 0.05, 1 / 3), 8),
  'ratios exactly 0.97, launches adding half of the noise': allNull(withLaunches(0.97, 0.05, 0.5), 8),
} as const satisfies Record<string, SimulatedStudy>;

// The second arm is at the limit of being faster, and so at the limit of a tie; the third is clearly faster.
const LIMIT_AND_FASTER: Truth = {
  draw: (random, launch) => [...ratioOf(0.97, 0.05)(random, launch), ratioOf(0.7, 0.05)(random, launch)[1]!],
  true: { 'h3/h1': 'a', 'h3/h2': 'a' },
};
// The third is a tie with the first, and as close to the second as the first is.
const LIMIT_AND_TIE: Truth = {
  draw: (random, launch) => [...ratioOf(1 / 0.97, 0.02)(random, launch), ratioOf(1, 0.02)(random, launch)[1]!],
  true: { 'h3/h1': 'tie' },
};
const NOTHING: Truth = { draw: anyOrder(), true: {} };
const LIMIT_OF_KRAMER: Truth = { draw: orderOrReverse(0.7), true: {} };
const CLEAR_TO_KRAMER: Truth = { draw: orderOrReverse(0.97), true: { 'h2/h1': 'a', 'h3/h1': 'a', 'h3/h2': 'a' } };

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
} as const satisfies Record<string, SimulatedStudy>;

/** Of so many studies, the share that claims anything false. */
export function shareClaimingFalsely(name: keyof typeof ALL_NULL, studies: number): number {
  const study: SimulatedStudy = ALL_NULL[name];
  return shareOf(studies, (seed) => countClaims(simulate(study, seed), study.truths).falseClaims > 0);
}

/** Of so many studies, the mean share of false verdicts among all, and the share of studies that give three or more. */
export function falseDiscoveries(name: keyof typeof MIXED, studies: number): { meanShare: number; telling: number } {
  const study = MIXED[name];
  const counts = Array.from({ length: studies }, (_, seed) => countClaims(simulate(study, seed), study.truths));
  const shares = counts.map(({ claims, falseClaims }) => falseClaims / Math.max(1, claims));
  return {
    meanShare: shares.reduce((sum, share) => sum + share, 0) / studies,
    telling: counts.filter(({ claims }) => claims >= 3).length / studies,
  };
}

/**
 * Of so many studies, the share in which a binomial test made for a fixed number of blocks claims something at some look,
 * corrected at each for how many hypotheses there are (Benjamini and Hochberg), but not for how often one looks.
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
      const [a, b] = [outcomeOf(pair.blocks[round]!, pair.a), outcomeOf(pair.blocks[round]!, pair.b)];
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

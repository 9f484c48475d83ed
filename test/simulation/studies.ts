import { type Judging, judgeStudy, openJudging } from '../../harness/comparison/judge.ts';
import type {
  BlockOutcomes,
  Claim,
  ConditionRecord,
  Judgement,
  JudgingPlan,
  Rule,
  Stopping,
} from '../../harness/model/comparison.ts';
import { normalDeviate } from '../../harness/stats/normal.ts';
import { type Random, seededRandom } from '../../harness/stats/random.ts';

/** Times of one block by arm, in the order of the arms' names. */
export type Draw = (random: Random, launch: number) => readonly number[];

/** A condition whose truth is known: how its blocks come about, and which claims about it are true. */
export interface Truth {
  readonly draw: Draw;
  /** By pair, later arm first: `b/a` for arms a, b. Claims that are not listed are false. */
  readonly true: Readonly<Record<string, Claim>>;
  /** The arms that no other arm beats; none where it is absent. */
  readonly within?: readonly string[];
}

export interface SimulatedStudy {
  readonly arms: readonly string[];
  readonly truths: readonly Truth[];
  readonly rule: Rule;
  readonly stopping: Stopping;
  readonly onlyPairs?: true;
}

/** Blocks of one launch of the browsers. */
const BLOCKS_PER_LAUNCH = 3;

/** Every block is judged; this often it is asked which conditions are decided, which takes as long as judging. */
const ROUNDS_BETWEEN_QUESTIONS = 4;

/** Draws a study, and judges it after every block until all pairs of a condition are decided, or up to the cap. */
export function simulate(study: SimulatedStudy, seed: number): Judgement {
  return measure(study, drawRecords(study, seededRandom(seed, 'simulated study')));
}

/** Judges a study whose blocks are drawn already: as many of each condition as it takes to decide all of its pairs. */
export function measure(study: SimulatedStudy, records: readonly ConditionRecord[]): Judgement {
  const plan = planOf(study);
  if (plan.stopping.kind === 'exactly') return judgeStudy(plan, records);
  const judging = openJudging(plan, records);
  let open = records;
  for (let round = 0; open.length > 0 && round < plan.stopping.cap; round += 1) {
    for (const { condition, blocks } of open) judging.take(condition, blocks[round]!);
    if ((round + 1) % ROUNDS_BETWEEN_QUESTIONS > 0) continue;
    const undecided = undecidedConditions(judging);
    open = open.filter(({ condition }) => undecided.has(condition));
  }
  return judging.judgement();
}

function undecidedConditions(judging: Judging): ReadonlySet<string> {
  const undecided = judging
    .judgement()
    .conditions.filter(({ pairs }) => pairs.some(({ verdict }) => verdict === 'undecided'));
  return new Set(undecided.map(({ condition }) => condition));
}

export function planOf({ arms, truths, ...rest }: SimulatedStudy): JudgingPlan {
  return {
    conditions: truths.map((_, index) => ({ id: `${index}` })),
    arms: arms.map((name) => ({ name })),
    ...rest,
  };
}

export function drawRecords({ arms, truths, stopping }: SimulatedStudy, random: Random): ConditionRecord[] {
  const count = stopping.kind === 'early' ? stopping.cap : stopping.blocks;
  return truths.map((truth, condition) => ({
    condition: `${condition}`,
    voids: [],
    blocks: Array.from({ length: count }, (_, index): BlockOutcomes => {
      const launch = Math.floor(index / BLOCKS_PER_LAUNCH);
      const times = truth.draw(random, launch);
      const outcomes = Object.fromEntries(arms.map((arm, position) => [arm, times[position]!]));
      return { index, launch, at: index * truths.length + condition, outcomes };
    }),
  }));
}

/** How many claims a study proved, and how many of them are false. */
export function countClaims(judgement: Judgement, truths: readonly Truth[]): { claims: number; falseClaims: number } {
  const claims = judgement.conditions.flatMap(({ pairs, within }, condition) => {
    const truth = truths[condition]!;
    return [
      ...pairs
        .filter((pair) => pair.verdict !== 'undecided')
        .map((pair) => truth.true[`${pair.a}/${pair.b}`] === pair.verdict),
      ...within.filter(({ proven }) => proven).map(({ arm }) => truth.within?.includes(arm) ?? false),
    ];
  });
  return { claims: claims.length, falseClaims: claims.filter((holds) => !holds).length };
}

/** Two arms, the later one's time being `ratio` of the earlier one's in the middle, with noise that is normal in logarithms. */
export function ratioOf(ratio: number, noise: number): Draw {
  return (random) => [
    1000 * Math.exp(noise * normalDeviate(random)),
    1000 * ratio * Math.exp(noise * normalDeviate(random)),
  ];
}

/** Three arms in one order with this chance, and in the opposite one otherwise: every pair has exactly that share. */
export function orderOrReverse(chance: number): Draw {
  return (random) => (random() < chance ? [1440, 1200, 1000] : [1000, 1200, 1440]);
}

/** Three arms in any order alike: each beats each other in half of all blocks, so that all nine claims are at their limit. */
export function anyOrder(): Draw {
  const orders = [
    [1000, 1200, 1440],
    [1000, 1440, 1200],
    [1200, 1000, 1440],
    [1200, 1440, 1000],
    [1440, 1000, 1200],
    [1440, 1200, 1000],
  ];
  return (random) => orders[Math.floor(6 * random())]!;
}

/** Two arms at a ratio, each in a browser of its own that adds as much at each launch as `share` of the noise. */
export function withLaunches(ratio: number, noise: number, share: number): Draw {
  let launched = -1;
  let added = [0, 0];
  return (random, launch) => {
    if (launch !== launched) added = [0, 0].map(() => share * noise * normalDeviate(random));
    launched = launch;
    const [first, second] = ratioOf(ratio, noise)(random, launch);
    return [first! * Math.exp(added[0]!), second! * Math.exp(added[1]!)];
  };
}

import {
  type Answer,
  type ArmOutlook,
  type Decision,
  type Gain,
  LIKELY_BELOW,
  SURE_BELOW,
  type Sureness,
} from '../model/answer.ts';
import type { Rule } from '../model/comparison.ts';
import { chanceOf, meanOfDraws, quantilesOf } from '../stats/draws.ts';
import { type Random, seededRandom } from '../stats/random.ts';
import {
  costsWithFailures,
  countLoads,
  drawFailureShares,
  failedShare,
  failsAlways,
  type LoadCount,
} from './failures.ts';
import { AS_GOOD_FROM, CONFIDENCE, FAILURE_TOLERANCE, LEAST_BLOCKS, SCATTERED_ABOVE } from './rules.ts';
import { DRAWS, drawTypicalOutcomes, type TypicalRequest } from './typical.ts';

/** What a decision is drawn from. */
export interface DecisionRequest extends Omit<TypicalRequest, 'name' | 'draws'> {
  readonly condition: string;
  readonly rule: Rule;
  /** The arm that is served today. */
  readonly served: string;
  /** Possible truths that are drawn. */
  readonly draws?: number;
}

/** Where loads fail an arm may take hundreds of times as long: one such condition must not drown all others. */
const MOST_SLOWDOWN = 20;

/**
 * Decides what to serve in a condition: the arm whose expected regret is least, over what its blocks leave possible.
 * Undefined where too few blocks or none of its loads came to their end.
 *
 *     blocks ─► draws of each arm's typical time ─► over that of the best arm in the draw ─► expected regret,
 *               and of its share of failures        (a failed load takes the timeout)        chances
 */
export function decide(request: DecisionRequest): Decision | undefined {
  const { condition, blocks, arms, served } = request;
  const counts = countLoads(blocks, arms);
  if (blocks.length < LEAST_BLOCKS.answer || failsAlways(counts)) return undefined;
  const slowdowns = drawSlowdowns(request, counts);
  const outlooks = arms.map((_, arm) => outlookOf(arm, slowdowns, request.rule, counts));
  const regrets = outlooks.map(({ regretPercent }) => regretPercent);
  const serve = regrets.indexOf(Math.min(...regrets));
  const chanceAboveMargin = chanceOf(slowdowns[serve]!, (slowdown) => slowdown > marginOf(request.rule));
  const fewestBlocks = fewestToBeSure(request.spreads);
  const sureness = surenessOf(chanceAboveMargin, blocks.length >= fewestBlocks);
  const answer: Answer = {
    condition,
    serve: arms[serve]!,
    // Where even the arm to serve may well be slower than the best, none is said to be as good.
    asGood: arms.filter(
      (_, arm) => sureness !== 'open' && arm !== serve && outlooks[arm]!.withinChance >= AS_GOOD_FROM,
    ),
    sureness,
    regretPercent: regrets[serve]!,
    chanceAboveMargin,
    gain: gainOf(slowdowns[serve]!, slowdowns[Math.max(0, arms.indexOf(served))]!, served),
    settled: false,
    blocks: blocks.length,
    arms: Object.fromEntries(arms.map((arm, index) => [arm, outlooks[index]!])),
  };
  return { answer, fewestBlocks, slowdowns: Object.fromEntries(arms.map((arm, index) => [arm, slowdowns[index]!])) };
}

/** How many blocks it takes until an answer may be called sure, by the spread of each arm's times. */
function fewestToBeSure(spreads: readonly number[]): number {
  return spreads.some((spread) => spread > SCATTERED_ABOVE) ? LEAST_BLOCKS.sureIfScattered : LEAST_BLOCKS.sure;
}

/** How many times as long as the best arm each arm takes, by arm, then by draw. */
function drawSlowdowns(request: DecisionRequest, counts: readonly LoadCount[]): readonly Float64Array[] {
  const { condition, rule, seed, draws = DRAWS } = request;
  const name = `decision ${condition}`;
  const random = seededRandom(seed, name);
  const times = drawTypicalOutcomes({ ...request, name, draws }, random);
  for (const own of times) for (let draw = 0; draw < draws; draw += 1) own[draw] = Math.exp(own[draw]!);
  if (counts.some(({ failed }) => failed > 0)) addFailures(times, counts, rule, random);
  return overTheBest(times);
}

/** Makes times into what they cost with the loads that fail, in place. */
function addFailures(times: readonly Float64Array[], counts: readonly LoadCount[], rule: Rule, random: Random): void {
  for (let draw = 0; draw < times[0]!.length; draw += 1) {
    const shares = drawFailureShares(counts, random);
    const finished = times.map((own) => own[draw]!);
    for (const [arm, cost] of costsWithFailures(finished, shares, marginOf(rule)).entries()) times[arm]![draw] = cost;
  }
}

/** How many times as long as the least of each draw they all take. */
function overTheBest(times: readonly Float64Array[]): readonly Float64Array[] {
  const least = Float64Array.from(times[0]!);
  for (const own of times)
    for (let draw = 0; draw < least.length; draw += 1) if (own[draw]! < least[draw]!) least[draw] = own[draw]!;
  return times.map((own) => own.map((time, draw) => Math.min(MOST_SLOWDOWN, time / least[draw]!)));
}

function outlookOf(
  arm: number,
  slowdowns: readonly Float64Array[],
  rule: Rule,
  counts: readonly LoadCount[],
): ArmOutlook {
  const own = slowdowns[arm]!;
  const { failed } = counts[arm]!;
  const isUnreliable = failedShare(counts[arm]!) - Math.min(...counts.map(failedShare)) > FAILURE_TOLERANCE;
  return {
    regretPercent: 100 * (meanOfDraws(own) - 1),
    bestChance: chanceOf(own, (slowdown) => slowdown === 1),
    withinChance: chanceOf(own, (slowdown) => slowdown <= marginOf(rule)),
    failedLoads: isUnreliable ? failed : undefined,
  };
}

/** An arm is within the margin of the best one while its typical time is at most this many times that one's. */
export function marginOf({ advantage }: Rule): number {
  return 1 + advantage;
}

/** How sure a claim is that is wrong with this chance, by blocks that may be enough to be sure. */
export function surenessOf(chance: number, areEnough: boolean): Exclude<Sureness, 'proven'> {
  if (chance < SURE_BELOW && areEnough) return 'sure';
  return chance < LIKELY_BELOW ? 'likely' : 'open';
}

/** What serving one arm gains over another, draw by draw. */
export function gainOf(own: Float64Array, other: Float64Array, over: string): Gain {
  const tail = (1 - CONFIDENCE) / 2;
  const gains = own.map((slowdown, draw) => 100 * (1 - slowdown / other[draw]!));
  const [low, percent, high] = quantilesOf(gains, [tail, 0.5, 1 - tail]).map((gain) => 0 + gain);
  return { over, percent: percent!, interval: [low!, high!] };
}

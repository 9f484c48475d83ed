import type { CombinedDecision, Decision, Gain } from '../model/answer.ts';
import type { Rule } from '../model/comparison.ts';
import { sumOfWeights } from '../model/traffic.ts';
import { chanceOf, meanOfDraws, quantilesOf } from '../stats/draws.ts';
import { sumOf } from '../stats/order.ts';
import { gainOf, marginOf, surenessOf } from './decide.ts';
import { AS_GOOD_FROM, CONFIDENCE, SHARE_WITH_ENOUGH } from './rules.ts';

const TAIL = (1 - CONFIDENCE) / 2;

/** A decision on a condition that is part of some traffic. */
export interface WeightedDecision {
  readonly decision: Decision;
  /** Its part of the traffic, in any unit. */
  readonly weight: number;
}

/** What is asked of several decisions together. */
export interface CombineRequest {
  readonly arms: readonly string[];
  readonly rule: Rule;
  readonly served: string;
}

/**
 * Decides what to serve in some conditions alike: `serving` where it is given, or the arm whose mean expected regret is
 * least. Times are those over the time of each condition's best arm, so that a page that takes minutes does not drown those that take moments; conditions
 * are independent of each other, so any draw of one goes with any of another.
 */
export function combineDecisions(
  weighted: readonly WeightedDecision[],
  { arms, rule, served }: CombineRequest,
  serving?: string,
): CombinedDecision {
  const slowdowns = arms.map((arm) => meanSlowdowns(weighted, arm));
  const means = slowdowns.map(meanOfDraws);
  const serve = serving === undefined ? means.indexOf(Math.min(...means)) : arms.indexOf(serving);
  const least = slowdowns[0]!.map((_, draw) => Math.min(...slowdowns.map((own) => own[draw]!)));
  const isWithin = (slowdown: number, draw: number) => slowdown <= marginOf(rule) * least[draw]!;
  const isProven = weighted.every(
    ({ decision: { answer } }) => answer.sureness === 'proven' && answer.serve === arms[serve],
  );
  const own = slowdowns[serve]!;
  const [low, high] = quantilesOf(own, [TAIL, 1 - TAIL]);
  const chanceAboveMargin = chanceOf(own, (...each) => !isWithin(...each));
  const sureness = isProven ? 'proven' : surenessOf(chanceAboveMargin, haveEnough(weighted));
  const isAsGood = (arm: number) => chanceOf(slowdowns[arm]!, isWithin) >= AS_GOOD_FROM;
  return {
    serve: arms[serve]!,
    asGood: arms.filter((_, arm) => sureness !== 'open' && arm !== serve && isAsGood(arm)),
    sureness,
    regretPercent: 100 * (means[serve]! - 1),
    interval: [100 * (low! - 1), 100 * (high! - 1)],
    gain: gainOf(own, slowdowns[Math.max(0, arms.indexOf(served))]!, served),
  };
}

/** What serving one arm gains over what is served today, over some conditions. */
export function gainOver(
  weighted: readonly WeightedDecision[],
  arm: string,
  { arms, served }: Omit<CombineRequest, 'rule'>,
): Gain {
  const over = arms.includes(served) ? served : arms[0]!;
  return gainOf(meanSlowdowns(weighted, arm), meanSlowdowns(weighted, over), served);
}

function meanSlowdowns(weighted: readonly WeightedDecision[], arm: string): Float64Array {
  const total = sumOfWeights(weighted);
  const mean = new Float64Array(weighted[0]!.decision.slowdowns[arm]!.length);
  for (const { decision, weight } of weighted) {
    const own = decision.slowdowns[arm]!;
    for (let draw = 0; draw < mean.length; draw += 1) mean[draw]! += (weight / total) * own[draw]!;
  }
  return mean;
}

/** How much longer loads take with an arm than with each condition's best one, over some conditions, in percent. */
export function meanRegretPercent(weighted: readonly WeightedDecision[], arm: string): number {
  const total = sumOfWeights(weighted);
  return sumOf(weighted.map(({ decision, weight }) => (weight / total) * decision.answer.arms[arm]!.regretPercent));
}

/** Whether most of the traffic has blocks enough to be sure: a few conditions that have not hardly move the mean of all. */
function haveEnough(weighted: readonly WeightedDecision[]): boolean {
  const enough = weighted.filter(({ decision: { answer, fewestBlocks } }) => answer.blocks >= fewestBlocks);
  return sumOfWeights(enough) >= SHARE_WITH_ENOUGH * sumOfWeights(weighted);
}

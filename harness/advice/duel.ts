import type { AdviceCondition, TrafficShares } from '../model/advice.ts';
import type { Comparison, Rule } from '../model/comparison.ts';

/** A condition with its part of the traffic. */
export interface WeightedCondition extends AdviceCondition {
  readonly weight: number;
}

/** What the verdict on two arms says of the one that is served. */
export function verdictOnServed(
  { comparisons }: AdviceCondition,
  served: string,
  against: string,
): keyof TrafficShares {
  const comparison = comparisons.find((each) => isBetween(each, served, against));
  if (!comparison || comparison.verdict === 'undecided') return 'undecided';
  if (comparison.verdict === 'tie') return 'tie';
  return comparison[comparison.verdict] === served ? 'faster' : 'slower';
}

/** The logarithm of one arm's time over another's, as estimated; 0 where there is no estimate. */
export function logRatioOf({ comparisons }: AdviceCondition, served: string, against: string): number {
  const comparison = comparisons.find((each) => isBetween(each, served, against));
  if (!comparison || Number.isNaN(comparison.ratio)) return 0;
  return comparison.a === served ? Math.log(comparison.ratio) : -Math.log(comparison.ratio);
}

function isBetween({ a, b }: Comparison, one: string, other: string): boolean {
  return (a === one && b === other) || (a === other && b === one);
}

/** The parts of the traffic of some conditions by what the verdicts say of one arm against another. */
export function sharesOf(weighted: readonly WeightedCondition[], served: string, against: string): TrafficShares {
  const total = weighted.reduce((sum, each) => sum + each.weight, 0);
  const share = (which: keyof TrafficShares) =>
    weighted
      .filter((each) => verdictOnServed(each, served, against) === which)
      .reduce((sum, each) => sum + each.weight / total, 0);
  return { faster: share('faster'), slower: share('slower'), tie: share('tie'), undecided: share('undecided') };
}

/**
 * The logarithm of how much longer an arm takes in a condition than what beats it there; 0 where nothing does. At least
 * what the rule asks of a winner: the estimate goes on after a verdict and may say less.
 */
export function provenLoss(arm: string, { comparisons }: AdviceCondition, { advantage }: Rule): number {
  const least = -Math.log(1 - advantage);
  const losses = comparisons.map(({ a, b, verdict, ratio }) => {
    const logRatio = Number.isNaN(ratio) ? 0 : Math.log(ratio);
    if (verdict === 'a' && b === arm) return Math.max(least, -logRatio);
    return verdict === 'b' && a === arm ? Math.max(least, logRatio) : 0;
  });
  return Math.max(0, ...losses);
}

/** What serving one arm in place of another gains, by what is proven alone: a mean of logarithms, 0 where nothing is. */
export function provenGain(
  weighted: readonly WeightedCondition[],
  served: string,
  against: string,
  rule: Rule,
): number {
  return weighted.reduce((sum, condition) => {
    const own = condition.comparisons.filter((each) => isBetween(each, served, against));
    const duel = { ...condition, comparisons: own };
    return sum + condition.weight * (provenLoss(against, duel, rule) - provenLoss(served, duel, rule));
  }, 0);
}

/** The logarithm of how much longer an arm may take, at most, than one that it is not decided against. */
export function possibleLoss(arm: string, { comparisons }: AdviceCondition): number {
  const losses = comparisons
    .filter(({ verdict }) => verdict === 'undecided')
    .map(({ a, b, interval: [low, high] }) => {
      if (a === arm) return Math.log(high);
      return b === arm ? -Math.log(low) : 0;
    });
  return Math.max(0, ...losses);
}

/** The links of some conditions, each once. */
export function profilesOf(conditions: readonly Pick<AdviceCondition, 'profile'>[]): readonly string[] {
  return [...new Set(conditions.map(({ profile }) => profile))];
}

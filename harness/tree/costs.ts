/** What answers cost in some cases, and how much each case counts. */
export interface Costs {
  /** By case, then by answer: what giving it costs there; finite, however bad it is. */
  readonly cost: readonly (readonly number[])[];
  /** By case: how much its costs count. All alike where there are none. */
  readonly weights?: readonly number[];
}

/** Whether a cost is less than another by more than adding the same numbers in another order makes it. */
export function isLess(a: number, b: number): boolean {
  return a < b - 1e-12 * Math.max(1, Math.abs(b));
}

/** The answer that costs least; of several the first. */
export function cheapest(costs: readonly number[]): number {
  const least = Math.min(...costs);
  return costs.findIndex((cost) => !isLess(least, cost));
}

/** What a case counts at least while a tree is grown: it is asked about links that the traffic does not have, too. */
const LEAST_WEIGHT = 1e-6;

/** Weights by which a tree is grown: every case counts at least a little. */
export function searchedWeights(weights: readonly number[]): readonly number[] {
  return weights.map((weight) => Math.max(weight, LEAST_WEIGHT));
}

/** Weights by which it is told what answers cost: those of the traffic, or of no traffic at all, all alike. */
export function countingWeights(weights: readonly number[]): readonly number[] {
  return weights.some((weight) => weight > 0) ? weights : evenly(weights.length);
}

/** The weight of each of `count` cases where all count alike. */
export function evenly(count: number): readonly number[] {
  return Array.from({ length: count }, () => 1 / count);
}

import { meanOf } from './order.ts';

/** What a variance is made of, where values come in groups. */
export interface VarianceParts {
  /** What groups differ by; an estimate of nothing is as often below 0 as above it. */
  readonly between: number;
  /** What values of one group differ by. */
  readonly within: number;
}

/** The two parts of the variance of grouped values, by the analysis of variance with random effects; groups of any sizes. */
export function varianceParts(groups: readonly (readonly number[])[]): VarianceParts {
  const all = groups.flat();
  const mean = meanOf(all);
  const means = groups.map(meanOf);
  const squares = (values: readonly number[], around: number) =>
    values.reduce((sum, value) => sum + (value - around) ** 2, 0);
  const inGroups = groups.reduce((sum, group, index) => sum + squares(group, means[index]!), 0);
  const ofGroups = groups.reduce((sum, group, index) => sum + group.length * (means[index]! - mean) ** 2, 0);
  const within = inGroups / (all.length - groups.length);
  // The size of groups, where all have the same.
  const size =
    (all.length - groups.reduce((sum, { length }) => sum + length ** 2, 0) / all.length) / (groups.length - 1);
  return { within, between: (ofGroups / (groups.length - 1) - within) / size };
}

/** What it takes to begin a group, and to take one value of it, in the same unit. */
export interface SamplingCosts {
  readonly group: number;
  readonly value: number;
}

/**
 * How many values of each group give the mean of all the least error in a given time (Kalibera and Jones 2013, section 6.4):
 * infinitely many where groups do not differ.
 */
export function bestGroupSize({ between, within }: VarianceParts, costs: SamplingCosts): number {
  return between <= 0
    ? Number.POSITIVE_INFINITY
    : Math.max(1, Math.sqrt((costs.group / costs.value) * (within / between)));
}

/** The variance of the mean of all values in a unit of time, where each group has `size` of them. */
export function varianceInTime({ between, within }: VarianceParts, costs: SamplingCosts, size: number): number {
  return (Math.max(0, between) + within / size) * (costs.group + size * costs.value);
}

import type { Mix } from './advice.ts';

/**
 * The shares of a mix among the profiles that there are, which add up to 1; every profile alike where there is no mix.
 * Undefined where none of the mix is there.
 */
export function trafficOf(profiles: readonly string[], mix?: Mix): Mix | undefined {
  const there = [...new Set(profiles)].filter((profile) => (mix ? (mix[profile] ?? 0) > 0 : true));
  const total = there.reduce((sum, profile) => sum + (mix?.[profile] ?? 1), 0);
  if (there.length === 0) return undefined;
  return Object.fromEntries(there.map((profile) => [profile, (mix?.[profile] ?? 1) / total]));
}

/** The part of the traffic that some conditions have together. */
export function sumOfWeights(weighted: readonly { readonly weight: number }[]): number {
  return weighted.reduce((sum, { weight }) => sum + weight, 0);
}

/**
 * The part of the traffic that each of some conditions has: a profile's share is spread over its conditions, evenly where
 * none of them says that it has another part of it.
 */
export function weigh<Condition extends { readonly profile: string; readonly part?: number }>(
  conditions: readonly Condition[],
  traffic: Mix,
): readonly (Condition & { readonly weight: number })[] {
  const partsOf = (profile: string) =>
    conditions.reduce((sum, each) => sum + (each.profile === profile ? (each.part ?? 1) : 0), 0);
  const totals = new Map([...new Set(conditions.map(({ profile }) => profile))].map((name) => [name, partsOf(name)]));
  return conditions.map((condition) => ({
    ...condition,
    weight: ((traffic[condition.profile] ?? 0) * (condition.part ?? 1)) / (totals.get(condition.profile) || 1),
  }));
}

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

/** The part of the traffic that each of some conditions has: a profile's share is spread evenly over its conditions. */
export function weigh<Condition extends { readonly profile: string }>(
  conditions: readonly Condition[],
  traffic: Mix,
): readonly (Condition & { readonly weight: number })[] {
  const count = (profile: string) => conditions.filter((each) => each.profile === profile).length;
  return conditions.map((condition) => ({
    ...condition,
    weight: (traffic[condition.profile] ?? 0) / count(condition.profile),
  }));
}

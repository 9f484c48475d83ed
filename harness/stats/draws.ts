/*
 * What draws of something unknown say of it.
 */

/** The mean of draws. */
export function meanOfDraws(draws: Float64Array): number {
  return draws.reduce((sum, each) => sum + each, 0) / draws.length;
}

/** How many of all draws something holds for: its chance. */
export function chanceOf(draws: Float64Array, holds: (value: number, draw: number) => boolean): number {
  return draws.reduce((count, value, draw) => count + Number(holds(value, draw)), 0) / draws.length;
}

/** The value below which a share of the draws lies. */
export function quantilesOf(draws: Float64Array, shares: readonly number[]): readonly number[] {
  const ascending = draws.toSorted();
  return shares.map((share) => ascending[Math.min(ascending.length - 1, Math.floor(share * ascending.length))]!);
}

import type { Random } from './random.ts';

/** A draw of the gamma distribution of a whole shape and scale 1: the sum of `shape` exponential variables. */
export function gammaDeviate(shape: number, random: Random): number {
  let sum = 0;
  for (let each = 0; each < shape; each += 1) sum -= Math.log(1 - random());
  return sum;
}

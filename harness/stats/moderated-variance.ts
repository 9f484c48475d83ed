import { meanOf } from './order.ts';

/** A variance that was estimated from some values, with its degrees of freedom. */
export interface EstimatedVariance {
  readonly variance: number;
  readonly freedom: number;
}

/** What is known of a variance before it is estimated: as if it had been seen with `freedom` degrees of freedom. */
export type VariancePrior = EstimatedVariance;

/** A prior worth fewer degrees of freedom than this would let two values tell a variance; one worth more, hardly any. */
const FREEDOM = { least: 2, most: 20 } as const;

/**
 * The prior that explains how a group of variances vary: an inverse gamma distribution fitted to the mean and the
 * variance of their logarithms (Smyth 2004, section 6.2). Undefined where fewer than two tell anything.
 */
export function fitVariancePrior(group: readonly EstimatedVariance[]): VariancePrior | undefined {
  const telling = group.filter(({ variance, freedom }) => variance > 0 && freedom > 0);
  if (telling.length < 2) return undefined;
  const logs = telling.map(
    ({ variance, freedom }) => Math.log(variance) - digamma(freedom / 2) + Math.log(freedom / 2),
  );
  const middle = meanOf(logs);
  const spread = logs.reduce((sum, log) => sum + (log - middle) ** 2, 0) / (logs.length - 1);
  const unexplained = spread - meanOf(telling.map(({ freedom }) => trigamma(freedom / 2)));
  const freedom = Math.min(FREEDOM.most, Math.max(FREEDOM.least, 2 * inverseTrigamma(unexplained)));
  return { variance: Math.exp(middle + digamma(freedom / 2) - Math.log(freedom / 2)), freedom };
}

/** A variance as it is with what was known before: the mean of both, weighed by their degrees of freedom. */
export function moderate({ variance, freedom }: EstimatedVariance, prior: VariancePrior): EstimatedVariance {
  const both = freedom + prior.freedom;
  return { variance: (freedom * variance + prior.freedom * prior.variance) / both, freedom: both };
}

/** The derivative of the logarithm of the gamma function. */
export function digamma(x: number): number {
  if (x < 6) return digamma(x + 1) - 1 / x;
  const square = 1 / (x * x);
  return Math.log(x) - 0.5 / x - square * (1 / 12 - square * (1 / 120 - square / 252));
}

/** The derivative of `digamma`. */
export function trigamma(x: number): number {
  if (x < 6) return trigamma(x + 1) + 1 / (x * x);
  const square = 1 / (x * x);
  return 1 / x + square / 2 + (square / x) * (1 / 6 - square * (1 / 30 - square / 42));
}

/** The number whose `trigamma` is this value; Infinity for a value of 0 or less. */
export function inverseTrigamma(value: number): number {
  if (value <= 0) return Number.POSITIVE_INFINITY;
  let [low, high] = [1e-6, 1e6];
  // trigamma falls all the way.
  for (let step = 0; step < 80; step += 1) {
    const middle = Math.sqrt(low * high);
    if (trigamma(middle) > value) low = middle;
    else high = middle;
  }
  return low;
}

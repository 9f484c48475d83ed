import type { BlockOutcomes, ConditionRecord } from '../model/comparison.ts';
import { type EstimatedVariance, fitVariancePrior, moderate, type VariancePrior } from '../stats/moderated-variance.ts';
import { meanOf } from '../stats/order.ts';
import { outcomesOf } from './outcome.ts';

/** Conditions whose times vary alike: those whose link loses packets, or those whose link does not. */
export type Likeness = 'lossy' | 'lossless';

/** A condition's record, and which others it is like. */
export interface LikeRecord {
  readonly likeness: Likeness;
  readonly record: ConditionRecord;
}

/** What is known of how a condition's times vary before it was measured: less than any few conditions tell. */
const NOTHING_KNOWN: VariancePrior = { variance: 0.1 ** 2, freedom: 2 };
/** A clock tells no finer, and no two loads are more alike. */
const LEAST_SPREAD = 0.001;

/** What all conditions of a kind tell of how much the times of one of their arms vary. */
export function fitPriors(
  records: readonly LikeRecord[],
  arms: readonly string[],
): (likeness: Likeness) => VariancePrior {
  const priorFrom = (some: readonly LikeRecord[]) =>
    fitVariancePrior(some.flatMap(({ record }) => arms.map((arm) => varianceOf(record.blocks, arm))));
  const everything = priorFrom(records) ?? NOTHING_KNOWN;
  const byLikeness = new Map(
    (['lossy', 'lossless'] as const).map((likeness) => {
      const own = records.filter((each) => each.likeness === likeness);
      return [likeness, priorFrom(own) ?? everything];
    }),
  );
  return (likeness) => byLikeness.get(likeness)!;
}

/** The standard deviation of the logarithm of each arm's times, moderated by what is known of similar conditions. */
export function spreadsOf(
  blocks: readonly BlockOutcomes[],
  arms: readonly string[],
  prior: VariancePrior,
): readonly number[] {
  return arms.map((arm) => Math.max(LEAST_SPREAD, Math.sqrt(moderate(varianceOf(blocks, arm), prior).variance)));
}

/** The variance of an arm's times over the loads that finished. */
function varianceOf(blocks: readonly BlockOutcomes[], arm: string): EstimatedVariance {
  const logs = outcomesOf(blocks, arm).flatMap((outcome) => (outcome === 'failed' ? [] : Math.log(outcome)));
  if (logs.length < 2) return { variance: 0, freedom: 0 };
  const middle = meanOf(logs);
  const squares = logs.reduce((sum, log) => sum + (log - middle) ** 2, 0);
  return { variance: squares / (logs.length - 1), freedom: logs.length - 1 };
}

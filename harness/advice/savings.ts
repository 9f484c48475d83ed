import { logRatios } from '../comparison/estimate.ts';
import { CONFIDENCE } from '../comparison/rules.ts';
import { samplingOf } from '../comparison/sampling.ts';
import type { Advice, SampledCondition, Saving } from '../model/advice.ts';
import { meanOfMedians } from '../stats/mean-of-medians.ts';
import { weigh } from './traffic.ts';

/**
 * Advice with what was measured of it, for all of the traffic and for each profile. The gain that advice states counts
 * what is proven alone; this has an estimate of every condition, and says how sure it is.
 */
export function withSavings(advice: Advice, conditions: readonly SampledCondition[]): Advice {
  const { against, serve, mix } = advice;
  if (against === undefined) return advice;
  const weighted = weigh(
    conditions.filter(({ blocks }) => blocks.length > 0),
    mix,
  ).filter(({ weight }) => weight > 0);
  const savingOf = (some: typeof weighted) => ({ saving: measure(some, serve[0]!, against) });
  return {
    ...{ ...advice, ...savingOf(weighted) },
    byProfile: advice.byProfile.map((own) => ({
      ...own,
      ...savingOf(weighted.filter(({ profile }) => profile === own.profile)),
    })),
  };
}

function measure(
  weighted: readonly (SampledCondition & { readonly weight: number })[],
  served: string,
  against: string,
): Saving {
  const samples = weighted.map((condition) => ({
    values: logRatios(condition.blocks, served, against),
    ...{ weight: condition.weight, sampling: samplingOf(condition) },
  }));
  const { estimate, low, high } = meanOfMedians(samples, (1 - CONFIDENCE) / 2);
  return { percent: saved(estimate), interval: [saved(high), saved(low)] };
}

/** Percent of time, of the logarithm of a ratio. */
function saved(logRatio: number): number {
  return 0 - 100 * Math.expm1(logRatio);
}

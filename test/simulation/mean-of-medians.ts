import { judgedBlocks, logRatios } from '../../harness/comparison/estimate.ts';
import { RULES } from '../../harness/comparison/rules.ts';
import { meanOfMedians } from '../../harness/stats/mean-of-medians.ts';
import { normalDeviate } from '../../harness/stats/normal.ts';
import { median } from '../../harness/stats/order.ts';
import { type Random, seededRandom } from '../../harness/stats/random.ts';
import { type Draw, drawRecords, measure, type SimulatedStudy } from './studies.ts';

const STOPPINGS = {
  fixed: { kind: 'exactly', blocks: 20 },
  stopped: { kind: 'early', until: 'proven', cap: 60 },
} as const;

/** Times of two arms of which the second has a long tail, as loads over a link that loses packets have. */
function drawOf(ratio: number): Draw {
  return (random) => [1000 * Math.exp(0.05 * normalDeviate(random)), 1000 * ratio * skewed(random)];
}

function skewed(random: Random): number {
  return 1 - 0.1 * Math.log(1 - random());
}

export interface Coverage {
  readonly covered: number;
  /** How many have both ends. */
  readonly bounded: number;
  /** Between the ends, of those. */
  readonly meanWidth: number;
  readonly bootstrap: number;
}

/** How often the interval holds the true mean of logarithms of ratios, when studies of so many conditions end. */
export function coverageOfMean(
  stopping: keyof typeof STOPPINGS,
  conditions: number,
  ratio: number,
  studies: number,
): Coverage {
  const draw = drawOf(ratio);
  const truth = trueMedian(draw);
  const study: SimulatedStudy = {
    ...{ arms: ['h2', 'h3'], rule: RULES.default, stopping: STOPPINGS[stopping] },
    truths: Array.from({ length: conditions }, () => ({ draw, true: {} })),
  };
  const found = Array.from({ length: studies }, (_, seed) => {
    const samples = samplesOf(study, stopping, seed);
    const { low, high } = meanOfMedians(samples, 0.025);
    return {
      covers: low <= truth && truth <= high,
      width: high - low,
      resampled: bootstrapCovers(samples, truth, seed),
    };
  });
  const finite = found.filter(({ width }) => Number.isFinite(width));
  return {
    covered: found.filter(({ covers }) => covers).length / studies,
    bounded: finite.length / studies,
    meanWidth: finite.reduce((sum, { width }) => sum + width, 0) / finite.length,
    bootstrap: found.filter(({ resampled }) => resampled).length / studies,
  };
}

function trueMedian(draw: Draw): number {
  const random = seededRandom(1, 'truth');
  return median(
    Array.from({ length: 400_000 }, () => {
      const [h2, h3] = draw(random, 0);
      return Math.log(h3! / h2!);
    }),
  );
}

function samplesOf(study: SimulatedStudy, sampling: keyof typeof STOPPINGS, seed: number) {
  const records = drawRecords(study, seededRandom(seed, 'mean of medians'));
  return measure(study, records).conditions.map(({ blocks }, index) => ({
    ...{ values: logRatios(judgedBlocks(records[index], blocks), 'h3', 'h2'), weight: 1, sampling },
  }));
}

/** What resampling each condition's blocks would say, for comparison. */
function bootstrapCovers(
  samples: readonly { readonly values: readonly number[] }[],
  truth: number,
  seed: number,
): boolean {
  const random = seededRandom(seed, 'bootstrap');
  const means = Array.from({ length: 200 }, () => {
    const medians = samples.map(({ values }) =>
      median(values.map(() => values[Math.floor(random() * values.length)]!)),
    );
    return medians.reduce((sum, value) => sum + value, 0) / samples.length;
  }).sort((a, b) => a - b);
  return means[5]! <= truth && truth <= means[194]!;
}

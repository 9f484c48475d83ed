import { compareStudy } from '../../harness/comparison/estimate.ts';
import { RULES } from '../../harness/comparison/rules.ts';
import { anytimeMedian } from '../../harness/stats/anytime-median.ts';
import { normalDeviate } from '../../harness/stats/normal.ts';
import { median } from '../../harness/stats/order.ts';
import { type Random, seededRandom } from '../../harness/stats/random.ts';
import { hodgesLehmann } from '../../harness/stats/signed-rank.ts';
import { type Draw, drawRecords, measure, planOf, type SimulatedStudy } from './studies.ts';

/** How two arms' times come about: most loads near the least possible, some much longer. */
export const NOISES = {
  'exponential, the same in both arms': (ratio: number): Draw => {
    return (random) => [1000 * skewed(random, 0.1), 1000 * ratio * skewed(random, 0.1)];
  },
  'one load in ten half as long again': (ratio: number): Draw => {
    const time = (random: Random) => (random() < 0.1 ? 1.5 : 1) * Math.exp(0.03 * normalDeviate(random));
    return (random) => [1000 * time(random), 1000 * ratio * time(random)];
  },
  'exponential in one arm alone': (ratio: number): Draw => {
    return (random) => [1000 * Math.exp(0.02 * normalDeviate(random)), 1000 * ratio * skewed(random, 0.1)];
  },
} as const;

/** By noise: what the estimate of Hodges and Lehmann comes to at last. */
const truths = new Map<keyof typeof NOISES, number>();

/** How often the interval of Hodges and Lehmann holds what its estimate comes to at last. */
export function coverageOfHodgesLehmann(noise: keyof typeof NOISES, blocks: number, studies: number): number {
  const draw = NOISES[noise](0.9);
  const truth = truths.get(noise) ?? hodgesLehmann(logRatiosOf(draw, 400_000, seededRandom(1, 'truth')), 0.95).estimate;
  truths.set(noise, truth);
  return shareOf(studies, (seed) => {
    const { low, high } = hodgesLehmann(logRatiosOf(draw, blocks, seededRandom(seed, noise)), 0.95);
    return low <= truth && truth <= high;
  });
}

/** How often the interval of a comparison holds the true median ratio, at the moment when its condition stopped. */
export function coverageAtStop(noise: keyof typeof NOISES, ratio: number, studies: number): number {
  const draw = NOISES[noise](ratio);
  const truth = Math.exp(median(logRatiosOf(draw, 400_000, seededRandom(1, 'truth'))));
  const study: SimulatedStudy = {
    arms: ['h1', 'h2'],
    truths: [{ draw, true: {} }],
    rule: RULES.default,
    stopping: { kind: 'early', until: 'proven', cap: 100 },
  };
  return shareOf(studies, (seed) => {
    const plan = planOf(study);
    const records = drawRecords(study, seededRandom(seed, noise));
    const [low, high] = compareStudy(plan, records, measure(study, records))[0]!.interval;
    return low <= truth && truth <= high;
  });
}

/** How often the interval of the median holds the truth after every one of a number of blocks. */
export function coverageThroughout(blocks: number, studies: number): number {
  return shareOf(studies, (seed) => {
    const values = logRatiosOf(NOISES['one load in ten half as long again'](1), blocks, seededRandom(seed));
    return values.every((_, last) => {
      const { low, high } = anytimeMedian(values.slice(0, last + 1), 0.95);
      return low <= 0 && 0 <= high;
    });
  });
}

function skewed(random: Random, scale: number): number {
  return 1 - scale * Math.log(1 - random());
}

function logRatiosOf(draw: Draw, count: number, random: Random): number[] {
  return Array.from({ length: count }, () => {
    const [b, a] = draw(random, 0);
    return Math.log(a! / b!);
  });
}

function shareOf(studies: number, holds: (seed: number) => boolean): number {
  return Array.from({ length: studies }, (_, seed) => holds(seed)).filter(Boolean).length / studies;
}

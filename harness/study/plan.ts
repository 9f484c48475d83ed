import type { Block, Measurement, Plan, Study } from '../model/study.ts';
import { seededRandom, shuffled } from '../stats/random.ts';

/** Resolves a study into what will be done. */
export function planStudy(study: Study): Plan {
  return {
    study: study.name,
    seed: study.seed,
    conditions: study.sites.flatMap((site) => study.links.map((link) => ({ id: `${site}|${link.name}`, site, link }))),
    arms: study.arms,
    exactly: study.exactly,
    timeoutMs: study.timeoutMs,
  };
}

/**
 * The next round: a block for each condition that is not finished, conditions and arms in an order that the seed
 * determines. Empty where the study is finished. A block with a void trial is run again.
 */
export function nextBlocks(plan: Plan, measurements: readonly Measurement[]): readonly Block[] {
  const unfinished = plan.conditions.flatMap((condition) => {
    const index = finishedBlocks(plan, condition.id, measurements);
    return index < plan.exactly ? [{ condition: condition.id, index }] : [];
  });
  const round = Math.min(...unfinished.map((block) => block.index));
  return shuffled(unfinished, seededRandom(plan.seed, `round ${round}`)).map((block) => ({
    ...block,
    order: shuffled(
      plan.arms.map((arm) => arm.name),
      seededRandom(plan.seed, `${block.condition} ${block.index}`),
    ),
  }));
}

function finishedBlocks(plan: Plan, condition: string, measurements: readonly Measurement[]): number {
  const counted = new Map<number, number>();
  for (const measurement of measurements)
    if (measurement.condition === condition && measurement.status !== 'void')
      counted.set(measurement.block, (counted.get(measurement.block) ?? 0) + 1);
  return [...counted.values()].filter((trials) => trials >= plan.arms.length).length;
}

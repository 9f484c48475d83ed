import { type Link, loses, meanRateKbps } from '../model/link.ts';
import type { Measurement } from '../model/measurement.ts';
import type { Block, Plan, Study } from '../model/study.ts';
import { seededRandom, shuffled } from '../stats/random.ts';
import { recordsOf } from '../verdict/records.ts';

/** What a plan must know of a site. */
export interface SiteFacts {
  /** Of all that a load brings. */
  readonly bytes: number;
}

/** The one server that there is so far. */
const SERVER = 'nginx';

/** Resolves a study into what will be done. */
export function planStudy(study: Study, factsOf: (site: string) => SiteFacts): Plan {
  const { device } = study;
  return {
    study: study.name,
    seed: study.seed,
    conditions: study.sites.flatMap((site) =>
      study.links.flatMap((link) =>
        study.visits.map((visit) => ({
          id: [site, link.name, SERVER, visit].join('|'),
          ...{ site, link, server: SERVER, visit, device },
          timeoutMs: study.timeoutMs ?? suggestTimeoutMs(link, factsOf(site).bytes),
        })),
      ),
    ),
    arms: study.arms,
    exactly: study.exactly,
    lighthouse: study.lighthouse,
  };
}

const TIMEOUT_MS = 120_000;
/** One connection that loses packets over a long way takes minutes. */
const TIMEOUT_WITH_LOSS_MS = 600_000;

/** The larger of two minutes and ten times what the bytes take at the link's rate; ten minutes where there is loss. */
export function suggestTimeoutMs(link: Link, bytes: number): number {
  const kbps = meanRateKbps(link.down.rate) ?? Number.POSITIVE_INFINITY;
  return Math.max(loses(link) ? TIMEOUT_WITH_LOSS_MS : TIMEOUT_MS, Math.ceil((10 * bytes * 8) / kbps));
}

/** What is void so often in one block will be so again: the condition gets no more blocks. */
const VOIDS_MAX = 10;

/**
 * The next round: a block for each condition that is not finished, conditions and arms in an order that the seed
 * determines. Empty where the study is finished. A block with a void trial is run again.
 */
export function nextBlocks(plan: Plan, measurements: readonly Measurement[]): readonly Block[] {
  const records = new Map(recordsOf(measurements, plan.arms, 'plt').map((record) => [record.condition, record]));
  const unfinished = plan.conditions.flatMap(({ id }) => {
    const { blocks = [], voids = [] } = records.get(id) ?? {};
    const index = blocks.length;
    const givenUp = voids.filter(({ block }) => block === index).length >= VOIDS_MAX;
    return index < plan.exactly && !givenUp ? [{ condition: id, index }] : [];
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

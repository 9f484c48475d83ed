import { studySources } from '../../harness/commands/sources.ts';
import { type Summary, summarizeStudy } from '../../harness/findings/summary.ts';
import type { Measurement } from '../../harness/model/measurement.ts';
import type { Plan } from '../../harness/model/study.ts';
import { normalDeviate } from '../../harness/stats/normal.ts';
import { seededRandom } from '../../harness/stats/random.ts';
import { type StudyFlags, studyFromFlags } from '../../harness/study/flags.ts';
import { nextBlocks } from '../../harness/study/next-blocks.ts';
import { planStudy } from '../../harness/study/plan.ts';
import { RECIPES } from '../../sites/recipes.ts';
import { toldSize } from '../../sites/told-size.ts';
import { MACHINE } from '../fakes/machine.ts';
import { measured } from '../study/plans.ts';

/** What is true in a made-up study: the time of a load of an arm, but for its noise. */
export type Truth = (site: string, link: string, arm: string) => number;

/** Round trips cost HTTP/1.1 and HTTP/2 more; a large page over a quick link costs HTTP/3 more, and so does loss there. */
export const PLAUSIBLE: Truth = (site, link, arm) => {
  const size = { article: 700, shop: 1_100, app: 900, gallery: 2_600 }[site]!;
  const isLarge = site === 'gallery' || site === 'app';
  const h3 = {
    fibre: isLarge ? 1.1 : 1.01,
    cable: isLarge ? 1.02 : 0.9,
    'wifi-lossy': isLarge ? 1.3 : 0.82,
    'satellite-leo': 0.85,
    '4g': 0.8,
  }[link]!;
  const h1 = link === 'wifi-lossy' && isLarge ? 0.88 : 1.25;
  return size * { h1, h2: 1, h3 }[arm]!;
};

export interface MadeUp {
  readonly flags?: StudyFlags;
  readonly truth?: Truth;
  /** The standard deviation of the logarithm of a time. */
  readonly noise?: number;
  /** Blocks after which it is stopped; absent: it goes on until it is finished. */
  readonly blocks?: number;
}

/** The plan of the default study, and what was measured of it in a world where that is true. */
export function measureMadeUp({ flags = {}, truth = PLAUSIBLE, noise = 0.04, blocks = 5_000 }: MadeUp = {}): {
  readonly plan: Plan;
  readonly measurements: readonly Measurement[];
} {
  const { study } = studyFromFlags({ seed: '7', ...flags }, studySources());
  const plan = planStudy(study, (site) => ({ ...toldSize(RECIPES[site]!), digest: '' }));
  const random = seededRandom(7, 'made up');
  const measurements: Measurement[] = [];
  for (let done = 0; done < blocks; ) {
    const round = nextBlocks(plan, measurements).slice(0, blocks - done);
    if (round.length === 0) break;
    for (const { condition, index, order } of round) {
      done += 1;
      const own = plan.conditions.find(({ id }) => id === condition);
      const timeOf = (arm: string) =>
        own ? truth(own.site, own.link.name, arm) * Math.exp(noise * normalDeviate(random)) : controlMs(arm);
      const arms = Object.fromEntries(order.map((arm) => [arm, timeOf(arm)]));
      measurements.push(...measured({ condition, block: index, arms, launch: 1 + Math.floor(done / 12) }));
    }
  }
  return { plan, measurements };
}

/** The twin takes as long, and the delay is a tenth. */
function controlMs(arm: string): number {
  return arm.endsWith('delayed') ? 330 : 300;
}

/** What such a study found. */
export function summaryOfMadeUp(wish: MadeUp = {}): Summary {
  const session = { number: 1, beganMs: 0, lastMs: 300_000, machine: MACHINE, notes: [] };
  return summarizeStudy({
    ...measureMadeUp(wish),
    links: [],
    scores: [],
    sessions: [session],
    warmUps: 4,
    disturbed: 0,
    films: 0,
    references: [],
  });
}

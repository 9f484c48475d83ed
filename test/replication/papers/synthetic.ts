import { compareStudy } from '../../../harness/comparison/estimate.ts';
import { judgeStudy } from '../../../harness/comparison/judge.ts';
import { recordsOf } from '../../../harness/comparison/records.ts';
import { RULES } from '../../../harness/comparison/rules.ts';
import type { FoundStudy } from '../../../harness/model/found-study.ts';
import type { Link, LinkDirection } from '../../../harness/model/link.ts';
import type { LoadFigures, Measurement } from '../../../harness/model/measurement.ts';
import type { Paper, PaperPlace } from '../../../harness/model/paper.ts';
import type { Arm, Condition, Plan } from '../../../harness/model/study.ts';
import type { ThenAndNow } from '../../../harness/model/then-and-now.ts';
import { describePlace, expandPlaces } from '../../../harness/replication/places.ts';
import { compareWithPaper } from '../../../harness/replication/then-and-now.ts';
import { type Random, seededRandom } from '../../../harness/stats/random.ts';
import { okLoad } from '../../store/studies.ts';

/** What is true of an arm of a paper somewhere, but for the noise: the figures that matter, or that its loads fail. */
export type Truth = (place: PaperPlace, arm: string) => Partial<LoadFigures> | 'failed';

export interface SyntheticStudy {
  readonly paper: Paper;
  readonly truth: Truth;
  readonly places?: readonly PaperPlace[];
  /** The paper's arms that are measured. */
  readonly arms?: readonly string[];
  readonly blocks?: number;
  readonly change?: Partial<Plan>;
}

/** A study with a paper's arms in all places that its claims are about, in which the truth is known. */
export function syntheticStudy(asked: SyntheticStudy) {
  const { paper, truth, places = placesOf(paper), arms = Object.keys(paper.arms), blocks = 10, change = {} } = asked;
  const conditions = places.map(conditionAt);
  const plan: Plan = {
    study: 'synthetic',
    seed: 1,
    conditions,
    arms: arms.map((name) => armOf(name, paper)),
    metric: 'plt',
    rule: paper.rule ?? RULES.default,
    stopping: { kind: 'exactly', blocks },
    served: arms[0]!,
    lighthouse: 0,
    sites: Object.fromEntries(
      conditions.map(({ site }) => [
        site,
        { ...(paper.sites?.[site] ?? { objects: 10, bytes: 100_000 }), digest: site },
      ]),
    ),
    control: { id: 'control', condition: conditions[0]!, arm: 'a', twin: 'b', delayed: 'c', cap: 0 },
    repeats: paper.name,
    ...change,
  };
  const random = seededRandom(plan.seed, paper.name);
  const measurements = Array.from({ length: blocks }, (_, block) =>
    conditions.flatMap((condition, index) =>
      arms.map((arm) => measure({ condition: condition.id, block, arm }, truth(places[index]!, arm), random)),
    ),
  ).flat();
  return { plan, measurements };
}

/** What such a study comes to. */
export function judged(asked: SyntheticStudy): ThenAndNow {
  const { plan, measurements } = syntheticStudy(asked);
  return judgedAs(asked.paper, plan, measurements);
}

/** What is proven in a study; what to serve is of no matter here, and would take most of the time. */
export function judgeMeasurements(plan: Plan, measurements: readonly Measurement[]) {
  const records = recordsOf(measurements, plan.arms, plan.metric);
  return { records, judgement: judgeStudy(plan, records) };
}

/** What any study comes to. */
export function judgedAs(
  paper: Paper,
  plan: Plan,
  measurements: readonly Measurement[],
  references: FoundStudy['references'] = [],
): ThenAndNow {
  const { records, judgement } = judgeMeasurements(plan, measurements);
  const comparisons = compareStudy(plan, records, judgement);
  return compareWithPaper(paper, { plan, measurements, references, scores: [], judgement, comparisons });
}

/** One percent, one way or the other: less than any claim is about. */
const NOISE = 0.01;

function measure(
  key: { condition: string; block: number; arm: string },
  figures: Partial<LoadFigures> | 'failed',
  random: Random,
): Measurement {
  const launch = Math.floor(key.block / 3);
  if (figures === 'failed') return { ...key, status: 'failed', reason: 'timeout', says: 'too slow', launch };
  const noisy = Object.entries(figures).map(([name, value]) => [
    name,
    Number(value) * (1 + NOISE * (2 * random() - 1)),
  ]);
  return { ...okLoad(key.condition, key.block, key.arm, Object.fromEntries(noisy)), launch };
}

/** All places that a paper's claims are about, with both ends of what they vary. */
export function placesOf({ claims }: Paper): readonly PaperPlace[] {
  const places = claims.flatMap(({ question: { where, asks } }) =>
    expandPlaces(where).flatMap((place) =>
      'dimension' in asks ? [asks.from, asks.to].map((value) => ({ ...place, [asks.dimension]: value })) : [place],
    ),
  );
  const all = [...new Map(places.map((place) => [describePlace(place), place])).values()];
  // What leaves open what another tells is no place of its own.
  const isWithin = (place: PaperPlace, other: PaperPlace) =>
    other !== place && Object.entries(place).every(([key, value]) => other[key as keyof PaperPlace] === value);
  return all.filter((place) => !all.some((other) => isWithin(place, other)));
}

/** What a claim leaves open is what most others have. */
const USUAL: Required<Omit<PaperPlace, 'tabs'>> = {
  site: 'upload-jpg-8mb',
  server: 'nginx',
  rateKbps: 4000,
  rttMs: 30,
  lossPercent: 0,
};

function conditionAt(place: PaperPlace): Condition {
  const { site, server, rateKbps, rttMs, lossPercent } = { ...USUAL, ...place };
  const direction: LinkDirection = {
    rate: Number.isFinite(rateKbps) ? { kind: 'constant', kbps: rateKbps } : { kind: 'unlimited' },
    delayMs: rttMs / 2,
    jitterMs: 0,
    jitterDistribution: 'normal',
    reorderPercent: 0,
    duplicatePercent: 0,
    loss: lossPercent === 0 ? { kind: 'none' } : { kind: 'random', percent: lossPercent },
    queuePackets: 10,
  };
  const name = `rate=${rateKbps}kbit,rtt=${rttMs}ms,loss=${lossPercent}%`;
  const link: Link = { name, down: direction, up: direction };
  const tabs = place.tabs === undefined ? {} : { tabs: place.tabs, topology: 'crowd' as const };
  const id = [site, name, server, 'cold', ...(place.tabs === undefined ? [] : [`${place.tabs}`])].join('|');
  return { id, site, link, server, visit: 'cold', device: 'desktop', timeoutMs: 1000, ...tabs };
}

function armOf(name: string, { arms }: Paper): Arm {
  const { called: _, ...way } = arms[name]!;
  return { name, ...way };
}

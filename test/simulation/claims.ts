import { type ReplayedCondition, readReplayed } from '../../harness/bench/decisions/replay.ts';
import { DRAWS } from '../../harness/comparison/typical.ts';
import type { Measurement } from '../../harness/model/measurement.ts';
import type { Asked, HoldsIn, Paper, PaperPlaces } from '../../harness/model/paper.ts';
import type { Plan } from '../../harness/model/study.ts';
import type { ClaimFinding, ClaimStanding, ClaimSureness } from '../../harness/model/then-and-now.ts';
import { alikeBy } from '../../harness/replication/answer.ts';
import { casesOf } from '../../harness/replication/cases.ts';
import { drawnStandingOf } from '../../harness/replication/claim-standing.ts';
import { drawCase } from '../../harness/replication/drawn-answer.ts';
import { type MeasuredSource, measuredSource } from '../../harness/replication/measured.ts';
import { kramer2015 } from '../../harness/replication/papers/kramer2015.ts';
import type { Spot } from '../../harness/replication/source.ts';
import { normalDeviate } from '../../harness/stats/normal.ts';
import { median } from '../../harness/stats/order.ts';
import { type Random, seededRandom } from '../../harness/stats/random.ts';
import { judgedAs, judgeMeasurements, syntheticStudy } from '../replication/papers/synthetic.ts';
import { okLoad } from '../store/studies.ts';

/** How many claims were told, by how sure studies were of them, and how many of those wrongly. */
export interface ClaimTally {
  readonly claims: number;
  readonly told: Record<ClaimSureness, number>;
  readonly wrong: Record<ClaimSureness, number>;
}

function newTally(): ClaimTally {
  const none = () => ({ proven: 0, sure: 0, likely: 0 });
  return { claims: 0, told: none(), wrong: none() };
}

function count(tally: ClaimTally, { sureness }: ClaimFinding, isRight: boolean): ClaimTally {
  if (sureness) {
    tally.told[sureness] += 1;
    if (!isRight) tally.wrong[sureness] += 1;
  }
  return { ...tally, claims: tally.claims + 1 };
}

/**
 * What the claims of the 2015 study come to over a number of studies that draw their blocks from those of its sample,
 * with replacement; the medians of all blocks are the truth.
 */
export function replayedClaims(blocks: number, studies: number): ClaimTally {
  const replayed = new Map(readReplayed().map((each) => [each.id, each]));
  const truths = trueStandings(replayed);
  let tally = newTally();
  for (let seed = 0; seed < studies; seed += 1) {
    const random = seededRandom(seed, 'claims');
    const plan = planOf2015(seed);
    const anyBlocks = ({ launches }: ReplayedCondition) =>
      Array.from({ length: blocks }, () => Math.floor(random() * launches.length));
    for (const claim of judgedAs(kramer2015, plan, measurementsOf(plan, replayed, anyBlocks)).claims) {
      const truth = truths.get(claim.id)!;
      tally = count(tally, claim, claim.standing === truth || saysLess(claim.standing, truth));
    }
  }
  return tally;
}

/** What is reversed does no longer hold, which is true as well. */
function saysLess(told: ClaimStanding, truth: ClaimStanding): boolean {
  return told === 'no longer' && truth === 'reversed';
}

const TIMEOUT_MS = 600_000;

/** The plan of the 2015 study, whose conditions and arms are called as in its sample. */
function planOf2015(seed: number): Plan {
  const { plan } = syntheticStudy({ paper: kramer2015, truth: () => 'failed', blocks: 0 });
  const sampleName = (id: string) => id.replace(/rate=(\d+)000kbit/, 'rate=$1mbit');
  return {
    ...plan,
    seed,
    stopping: { kind: 'early', until: 'settled', cap: 100 },
    conditions: plan.conditions.map((each) => ({ ...each, id: sampleName(each.id), timeoutMs: TIMEOUT_MS })),
    arms: plan.arms.map((arm) => ({ ...arm, name: arm.protocol })),
  };
}

/** The 2015 study as if it had measured these blocks of the sample. */
function measurementsOf(
  { conditions, arms }: Plan,
  replayed: ReadonlyMap<string, ReplayedCondition>,
  blocksOf: (condition: ReplayedCondition) => readonly number[],
): readonly Measurement[] {
  return conditions.flatMap(({ id }) => {
    const condition = replayed.get(id);
    if (!condition) return [];
    return blocksOf(condition).flatMap((place, block) =>
      arms.map(({ name }): Measurement => {
        const time = condition.times[name]![place] ?? null;
        const launch = Math.floor(block / 2);
        return time === null
          ? { condition: id, block, arm: name, status: 'failed', reason: 'timeout', says: 'too slow', launch }
          : { ...okLoad(id, block, name, { pltMs: time }), launch };
      }),
    );
  });
}

/** What each claim comes to where the typical times are known. */
function trueStandings(replayed: ReadonlyMap<string, ReplayedCondition>): ReadonlyMap<string, ClaimStanding> {
  const plan = planOf2015(1);
  const measurements = measurementsOf(plan, replayed, ({ launches }) => [...launches.keys()]);
  const { judgement } = judgeMeasurements(plan, measurements);
  const source = measuredSource(kramer2015, {
    plan,
    measurements,
    references: [],
    scores: [],
    judgement,
    comparisons: [],
  });
  const timesOf = (spot: Spot, arm: string) =>
    Array.from({ length: source.blocksOf(spot) }, (_, block) => source.valueOf(spot, arm, 'pltMs', block)!);
  const known: MeasuredSource = {
    ...source,
    winsOf(spot, arm, other) {
      const [own, its] = [timesOf(spot, arm), timesOf(spot, other)];
      const won = own.filter((time, block) => time <= its[block]! * (1 - plan.rule.advantage)).length;
      return { won: KNOWN * won, blocks: KNOWN * own.length };
    },
  };
  const typical = (spot: Spot, arm: string) => {
    const times = timesOf(spot, arm);
    return times.length === 0 ? undefined : new Float64Array(DRAWS).fill(Math.log(median(times)));
  };
  return new Map(
    kramer2015.claims.map(({ id, question: { where, asks, holdsIn } }) => {
      const { cases, missingCases } = casesOf({ where, asks, holdsIn }, known, kramer2015);
      const alike = alikeBy(kramer2015.margin, asks);
      const drawing = { asks, source: known, typical, alike, share: plan.rule.share, seed: 1 };
      const drawn = cases.map((each) => drawCase(each, drawing));
      return [id, drawnStandingOf(drawn, missingCases, holdsIn).standing];
    }),
  );
}

/** What was seen so often leaves no doubt. */
const KNOWN = 50;

/** True ratios of two arms in some places, and what is claimed of them. */
export interface ClaimScenario {
  /** True ratios are spread like this, as logarithms; 0 where the arms are the same. */
  readonly ratios: number;
  /** The standard deviation of the logarithm of a time. */
  readonly noise: number;
  readonly places: number;
  readonly blocks: number;
  readonly holdsIn: HoldsIn;
  /** Which share of the old arm's loads fail: then it is claimed that most do. */
  readonly failing?: number;
}

export const CLAIM_SCENARIOS: Readonly<Record<string, ClaimScenario>> = {
  'one place': { ratios: 0.1, noise: 0.05, places: 1, blocks: 4, holdsIn: 'each' },
  'one place, noisy': { ratios: 0.1, noise: 0.3, places: 1, blocks: 6, holdsIn: 'each' },
  'one place, the same arm twice': { ratios: 0, noise: 0.05, places: 1, blocks: 4, holdsIn: 'each' },
  'each of 4 places': { ratios: 0.1, noise: 0.1, places: 4, blocks: 4, holdsIn: 'each' },
  'most of 24 places': { ratios: 0.1, noise: 0.1, places: 24, blocks: 4, holdsIn: { moreThan: 0.5 } },
  'most of 24 places, noisy': { ratios: 0.1, noise: 0.4, places: 24, blocks: 6, holdsIn: { moreThan: 0.5 } },
  'not each of 24 places': { ratios: 0.1, noise: 0.2, places: 24, blocks: 4, holdsIn: 'not each' },
  'most of 24 places, the same arm twice': {
    ratios: 0,
    noise: 0.1,
    places: 24,
    blocks: 4,
    holdsIn: { moreThan: 0.5 },
  },
  'each of 8 places, just over half fail': {
    ratios: 0.1,
    noise: 0.1,
    places: 8,
    blocks: 3,
    holdsIn: 'each',
    failing: 0.52,
  },
  'each of 24 places, slightly ahead': { ratios: 0, noise: 0.1, places: 24, blocks: 6, holdsIn: 'each' },
};

const ASKS: Asked = {
  kind: 'ratio',
  figure: 'pltMs',
  range: { below: 1 },
  pairs: [{ of: { arm: 'new' }, to: [{ arm: 'old' }] }],
};
const ASKS_WHAT_FAILS: Asked = { kind: 'completes', arm: 'new', other: 'old' };
const MARGIN = 0.03;
/** What is slightly ahead is so by this ratio. */
const SLIGHTLY = 0.96;

function generatedPaper({ places, holdsIn, failing }: ClaimScenario): Paper {
  const rttMs = Array.from({ length: places }, (_, place) => 10 * (place + 1));
  const where: readonly PaperPlaces[] = [{ site: ['a'], rateKbps: [1000], rttMs, lossPercent: [0] }];
  return {
    name: 'kramer2015',
    short: 'Test',
    citation: 'Test',
    task: 'Test',
    margin: MARGIN,
    tables: [],
    notes: [],
    arms: { old: { called: 'Old', protocol: 'h1' }, new: { called: 'New', protocol: 'h2' } },
    claims: [
      {
        id: 'ahead',
        says: 'it is ahead',
        where: 'table 1',
        published: 'ahead',
        question: { where, asks: failing === undefined ? ASKS : ASKS_WHAT_FAILS, holdsIn },
      },
    ],
  };
}

/** What a claim comes to over a number of studies, each with true ratios of its own: "the new one is ahead". */
export function generatedClaims(name: string, studies: number): ClaimTally {
  const scenario = CLAIM_SCENARIOS[name]!;
  const paper = generatedPaper(scenario);
  let tally = newTally();
  for (let seed = 0; seed < studies; seed += 1) {
    const random = seededRandom(seed, name);
    const middle = name.includes('slightly') ? Math.log(SLIGHTLY) : 0;
    const logs = Array.from({ length: scenario.places }, () => middle + scenario.ratios * heavyTailedDeviate(random));
    const truth = ({ rttMs }: { readonly rttMs?: number }, arm: string) => {
      if (arm === 'old' && random() < (scenario.failing ?? 0)) return 'failed';
      return {
        pltMs: 100 * Math.exp((arm === 'new' ? logs[rttMs! / 10 - 1]! : 0) + scenario.noise * normalDeviate(random)),
      };
    };
    const change: Partial<Plan> = { seed, stopping: { kind: 'early', until: 'settled', cap: 100 } };
    const study = syntheticStudy({ paper, truth, blocks: scenario.blocks, change });
    const [claim] = judgedAs(paper, study.plan, study.measurements).claims;
    const isRight =
      scenario.failing === undefined ? isTrue(claim!.standing, logs, scenario.holdsIn) : claim!.standing === 'holds';
    tally = count(tally, claim!, isRight);
  }
  return tally;
}

/** Student's t with two degrees of freedom: half of them within 0.8, a few of ten and more. */
function heavyTailedDeviate(random: Random): number {
  return normalDeviate(random) / Math.sqrt(-Math.log(1 - random()));
}

/** Whether what was told of the claim is true: what is alike by the margin may be told to be ahead, and not to be. */
function isTrue(told: ClaimStanding, logs: readonly number[], holdsIn: HoldsIn): boolean {
  const most = typeof holdsIn === 'object' ? Math.floor(holdsIn.moreThan * logs.length) : logs.length - 1;
  const ahead = logs.filter((log) => log < 0).length > most;
  const aheadByMore = logs.filter((log) => log < Math.log(1 - MARGIN)).length > most;
  const behindByMore = logs.filter((log) => log > -Math.log(1 - MARGIN)).length > most;
  if (holdsIn === 'not each') return told === 'holds' ? !aheadByMore : ahead;
  if (told === 'holds') return ahead;
  return told === 'reversed' ? behindByMore : !aheadByMore;
}

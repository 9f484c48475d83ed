import { judgedBlocks } from '../../harness/comparison/estimate.ts';
import { RULES } from '../../harness/comparison/rules.ts';
import { judgeGate } from '../../harness/gate/judge-gate.ts';
import type { GateCondition, GateFindings, GateLimits, GateStudy } from '../../harness/model/gate.ts';
import { normalDeviate } from '../../harness/stats/normal.ts';
import { type Random, seededRandom } from '../../harness/stats/random.ts';
import { type Draw, drawRecords, measure, type SimulatedStudy } from './studies.ts';

const ARMS = ['h1', 'h2', 'h3'];
const CONDITIONS = 8;
const SAMPLINGS = {
  'of 20 blocks': { kind: 'exactly', blocks: 20 },
  'stopped when it knows': { kind: 'early', until: 'proven', cap: 60 },
} as const;

export type SamplingName = keyof typeof SAMPLINGS;

/** How one load comes about, in parts of the median. */
type Noise = (random: Random) => number;

const normal =
  (spread: number): Noise =>
  (random) =>
    Math.exp(spread * normalDeviate(random));
/** Most near the least possible, some much longer; scaled so that the median is 1. */
const skewed: Noise = (random) => (1 - 0.2 * Math.log(1 - random())) / (1 + 0.2 * Math.LN2);
/** One in twelve fails, symmetrically for those that hold it against another. */
const failing: Noise = (random) => (random() < 1 / 12 ? Number.POSITIVE_INFINITY : normal(0.05)(random));

/** Two studies' noises, then and now: of the same shape, and of others; each of median 1 or with a shift of 0. */
const SHAPES = {
  'normal, the same in both': [normal(0.05), normal(0.05)],
  'normal, then hardly any': [normal(0.0005), normal(0.08)],
  'normal, now hardly any': [normal(0.08), normal(0.0005)],
  'skewed in both': [skewed, skewed],
  'one in twelve fails in both': [failing, failing],
} as const satisfies Record<string, readonly [then: Noise, now: Noise]>;

export type ShapeName = keyof typeof SHAPES;

export const SHAPE_NAMES = Object.keys(SHAPES) as ShapeName[];
export const SAMPLING_NAMES = Object.keys(SAMPLINGS) as SamplingName[];

/** A study whose arms all have one median, but for one that is clearly faster: so it may stop early. */
function drawStudy(noise: Noise, factor: number, sampling: SamplingName, seed: number): GateStudy {
  const draw: Draw = (random) => [1, 1, 0.9].map((arm) => finite(1000 * arm * factor * noise(random)));
  return gateStudyOf(draw, sampling, seed);
}

/** Times that nothing finishes in stand for failures in simulated blocks, which have numbers alone. */
const ENDLESS = 1e300;

function finite(time: number): number {
  return time === Number.POSITIVE_INFINITY ? ENDLESS : time;
}

function gateStudyOf(draw: Draw, sampling: SamplingName, seed: number): GateStudy {
  const simulated: SimulatedStudy = {
    arms: ARMS,
    rule: RULES.default,
    stopping: SAMPLINGS[sampling],
    truths: Array.from({ length: CONDITIONS }, () => ({ draw, true: {} })),
  };
  const records = drawRecords(simulated, seededRandom(seed, 'gate')).map((record) => ({
    ...record,
    blocks: record.blocks.map((block) => ({
      ...block,
      outcomes: Object.fromEntries(
        Object.entries(block.outcomes).map(([arm, time]) => [arm, time === ENDLESS ? ('failed' as const) : time]),
      ),
    })),
  }));
  const judgement = measure(simulated, records);
  const conditions = judgement.conditions.map(({ condition, blocks: count }, index): GateCondition => {
    const blocks = judgedBlocks(records[index], count);
    return {
      id: condition,
      title: condition,
      site: 'page',
      link: condition,
      weight: 1 / CONDITIONS,
      blocks,
      plts: blocks,
      verdicts: [],
      isFixed: simulated.stopping.kind === 'exactly',
    };
  });
  return { conditions, unmeasured: [], arms: ARMS, rule: RULES.default };
}

const NO_LIMITS: GateLimits = { maxPlt: [] };
const MARGIN = 1 + RULES.default.advantage;

/** A gate held against a study in which every arm took a little less: exactly by what is allowed. */
function gateAtMargin(shape: ShapeName, sampling: SamplingName, seed: number): GateFindings {
  const [then, now] = SHAPES[shape];
  const study = drawStudy(now, MARGIN, sampling, 2 * seed);
  const baseline = { study: drawStudy(then, 1, sampling, 2 * seed + 1), arms: ARMS };
  return judgeGate({ study, served: 'h2', limits: NO_LIMITS, baseline, strict: false });
}

/** A gate whose limits of load time and regret are exactly what is true. */
function gateAtLimits(shape: ShapeName, sampling: SamplingName, seed: number): GateFindings {
  const [, noise] = SHAPES[shape];
  const study = drawStudy(noise, 1, sampling, seed);
  const maxPlt = ARMS.map((arm) => ({ asked: '', arm, ms: arm === 'h3' ? 900 : 1000 }));
  return judgeGate({ study, served: 'h2', limits: { maxRegret: 1 / 0.9 - 1, maxPlt }, strict: false });
}

const GATES = { gateAtMargin, gateAtLimits } as const;

/**
 * Among gates whose every limit is exactly the truth, the share that fails, and the share that calls any limit kept.
 */
export function falseClaims(
  gate: keyof typeof GATES,
  shape: ShapeName,
  sampling: SamplingName,
  gates: number,
): { readonly broken: number; readonly held: number } {
  const findings = Array.from({ length: gates }, (_, seed) => GATES[gate](shape, sampling, seed));
  const share = (outcome: string) =>
    findings.filter(({ checks }) => checks.some((check) => check.outcome === outcome)).length / gates;
  return { broken: share('broken'), held: share('held') };
}

/** How often a gate notices that everything has become slower, in one comparison of 24. */
export interface GatePower {
  readonly slowerPercent: number;
  readonly noise: number;
  readonly blocks: number;
  readonly broken: number;
  readonly held: number;
}

const GATES_FOR_POWER = 8;

export function powerTable(
  slower: readonly number[],
  noises: readonly number[],
  counts: readonly number[],
): readonly GatePower[] {
  return counts.flatMap((blocks) =>
    noises.flatMap((noise) => slower.map((slowerPercent) => power({ slowerPercent, noise, blocks }))),
  );
}

function power(wish: Pick<GatePower, 'slowerPercent' | 'noise' | 'blocks'>): GatePower {
  const { slowerPercent, noise, blocks } = wish;
  const studyOf = (factor: number, seed: number): GateStudy => {
    const random = seededRandom(seed, 'power of a gate');
    const conditions = Array.from({ length: CONDITIONS }, (_, condition): GateCondition => {
      const drawn = Array.from({ length: blocks }, (__, index) => {
        const outcomes = Object.fromEntries(ARMS.map((arm) => [arm, 1000 * factor * normal(noise)(random)]));
        return { index, launch: Math.floor(index / 3), at: index, outcomes };
      });
      return {
        id: `${condition}`,
        title: `${condition}`,
        site: 'page',
        link: '4g',
        weight: 1 / CONDITIONS,
        blocks: drawn,
        plts: drawn,
        verdicts: [],
        isFixed: true,
      };
    });
    return { conditions, unmeasured: [], arms: ARMS, rule: RULES.default };
  };
  const checks = Array.from({ length: GATES_FOR_POWER }, (_, seed) =>
    judgeGate({
      study: studyOf(1 + slowerPercent / 100, 2 * seed),
      served: 'h2',
      limits: NO_LIMITS,
      strict: false,
      baseline: { study: studyOf(1, 2 * seed + 1), arms: ARMS },
    }),
  ).flatMap((findings) => findings.checks);
  const share = (outcome: string) => checks.filter((check) => check.outcome === outcome).length / checks.length;
  return { ...wish, broken: share('broken'), held: share('held') };
}

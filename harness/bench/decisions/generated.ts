import { type DecidingPlan, decideStudy } from '../../comparison/answers.ts';
import { armsInPlay } from '../../comparison/arms-in-play.ts';
import { judgeStudy } from '../../comparison/judge.ts';
import { LEAST_BLOCKS, RULES } from '../../comparison/rules.ts';
import { type Decision, isSure } from '../../model/answer.ts';
import type { BlockOutcomes, ConditionRecord } from '../../model/comparison.ts';
import { normalDeviate } from '../../stats/normal.ts';
import { type Random, seededRandom } from '../../stats/random.ts';
import { countLook, countSettled, newTally, type Tally } from './calibration.ts';

/** How far single loads lie from the typical one, as logarithms, for a noise of 1. */
const SHAPES = {
  normal: normalDeviate,
  /** Student's t with three degrees of freedom, scaled to a standard deviation of 1. */
  'heavy tails': (random: Random) => {
    const squares = normalDeviate(random) ** 2 + normalDeviate(random) ** 2 + normalDeviate(random) ** 2;
    return normalDeviate(random) / Math.sqrt(squares);
  },
  /** One load in four takes longer by one to three standard deviations: the median is a third of the way up. */
  'delayed loads': (random: Random) => (random() < 0.25 ? 1 + 2 * random() : 0.3 * normalDeviate(random)),
  /** Three loads in five lose a packet that they have to wait for, and the median is one of them. */
  'two modes': (random: Random) => (random() < 0.6 ? 1 : 0) + 0.1 * normalDeviate(random),
} as const satisfies Record<string, (random: Random) => number>;

export type Shape = keyof typeof SHAPES;

/** How the true ratios of the arms to the first one come about. */
const RATIOS = {
  'spread over 0.7 to 1.4': (random: Random) => Math.log(0.7) + Math.log(2) * random(),
  'spread over ±4 %': (random: Random) => 0.08 * (random() - 0.5),
  'all equal': () => 0,
  /** 3.05 % slower than the best, where 3 % are allowed. */
  'a hair beyond the margin': () => Math.log(1.0305),
} as const satisfies Record<string, (random: Random) => number>;

export type Ratios = keyof typeof RATIOS;

/** What a study has of other pages over the same link. */
const OTHER_PAGES = {
  /** Their arms differ as its own do, but for some tenth. */
  alike: (effects: readonly number[], _drawn: () => readonly number[], random: Random) =>
    Array.from({ length: 3 }, () => effects.map((effect) => effect + 0.1 * normalDeviate(random))),
  /** They have nothing to do with it, nor with each other. */
  unlike: (_effects: readonly number[], drawn: () => readonly number[]) => Array.from({ length: 3 }, drawn),
  /** They are all like each other, and have nothing to do with it. */
  'it alone differs': (_effects: readonly number[], drawn: () => readonly number[]) => {
    const theirs = drawn();
    return Array.from({ length: 3 }, () => theirs);
  },
} as const satisfies Record<
  string,
  (effects: readonly number[], drawn: () => readonly number[], random: Random) => readonly (readonly number[])[]
>;

/** A kind of study whose truth is known. */
export interface Scenario {
  readonly ratios: Ratios;
  readonly shape: Shape;
  /** The standard deviation of the logarithm of a load's time. */
  readonly noise: number;
  /** What a launch of a browser adds to all its loads, of the noise; `h1` and `h2` share a browser, `h3` has its own. */
  readonly launchShare: number;
  /** The workers that run its blocks, and the standard deviation of what each of them adds to each arm alone. */
  readonly machines?: { readonly count: number; readonly interaction: number } | undefined;
  /** How three other pages over the same link are like it; absent: there are none. */
  readonly otherPages?: keyof typeof OTHER_PAGES;
}

const ARMS = ['h1', 'h2', 'h3'] as const;
const BLOCKS_PER_LAUNCH = 3;
/** How far the machine drifts to either side, as a fraction, over some forty blocks. */
const DRIFT = 0.05;
export const MOST_BLOCKS = 60;
/** What a study has of other conditions by then, which tell of its machines or of its link as well. */
const OTHERS = { conditions: 5, blocks: 6 } as const;

/** Studies of one condition each, looked at after every block until the answer is sure. */
export function simulate(scenario: Scenario, studies: number): Tally {
  const tally = newTally();
  for (let seed = 1; seed <= studies; seed += 1) simulateOnce(scenario, seed, tally);
  return tally;
}

function simulateOnce(scenario: Scenario, seed: number, tally: Tally): void {
  const random = seededRandom(seed, `${scenario.ratios} ${scenario.shape} ${scenario.noise}`);
  const drawn = () => [0, RATIOS[scenario.ratios](random), RATIOS[scenario.ratios](random)];
  const effects = drawn();
  const least = Math.min(...effects);
  const truth = Object.fromEntries(ARMS.map((arm, index) => [arm, Math.exp(effects[index]! - least) - 1]));
  const pages = scenario.otherPages ? OTHER_PAGES[scenario.otherPages](effects, drawn, random) : [];
  const others = scenario.machines ? Array.from({ length: OTHERS.conditions }, () => effects) : pages;
  const elsewhere = others.map((theirs, place): ConditionRecord => {
    const blocks = Array.from({ length: OTHERS.blocks }, (_, index) => index).map(
      blockSource(scenario, theirs, random),
    );
    return { condition: `other ${place}`, blocks, voids: [] };
  });
  const plan: DecidingPlan = {
    conditions: ['c', ...elsewhere.map(({ condition }) => condition)].map((id) => ({
      id,
      timeoutMs: 120_000,
      lossy: false,
      setting: scenario.otherPages ? 'its link' : id,
    })),
    arms: ARMS.map((name) => ({ name })),
    rule: RULES.default,
    stopping: { kind: 'early', until: 'settled', cap: MOST_BLOCKS },
    served: 'h2',
    seed,
  };
  const drawBlock = blockSource(scenario, effects, random);
  const blocks: BlockOutcomes[] = [];
  let decision: Decision | undefined;
  while (blocks.length < MOST_BLOCKS) {
    const { outcomes, ...block } = drawBlock(blocks.length);
    const kept = armsInPlay(ARMS, decision).map((arm) => [arm, outcomes[arm]!]);
    blocks.push({ ...block, outcomes: Object.fromEntries(kept) });
    if (blocks.length < LEAST_BLOCKS.sure) continue;
    const records: ConditionRecord[] = [{ condition: 'c', blocks, voids: [] }, ...elsewhere];
    decision = decideStudy(plan, records, judgeStudy(plan, records), (id) => id === 'c')[0]!;
    const { answer } = decision;
    countLook(tally, answer, truth, plan.rule.advantage);
    if (isSure(answer.sureness)) {
      countSettled(tally, answer, truth, plan.rule.advantage);
      return;
    }
  }
  tally.unsettledAfter.push(MOST_BLOCKS);
}

function blockSource({ shape, noise, launchShare, machines }: Scenario, effects: readonly number[], random: Random) {
  const phase = random();
  const rigs = Array.from({ length: machines?.count ?? 1 }, () => ({
    browsers: [0, 0],
    blocks: 0,
    ...rigOf(machines, random),
  }));
  return (index: number): BlockOutcomes => {
    const place = rigs.length > 1 ? Math.floor(rigs.length * random()) : 0;
    const rig = rigs[place]!;
    if (rig.blocks % BLOCKS_PER_LAUNCH === 0)
      rig.browsers = rig.browsers.map(() => launchShare * noise * normalDeviate(random));
    const launch = rigs.length * Math.floor(rig.blocks / BLOCKS_PER_LAUNCH) + place;
    rig.blocks += 1;
    const drift = DRIFT * Math.sin(2 * Math.PI * (index / 40 + phase)) + rig.slower;
    const outcomes = ARMS.map((arm, own) => {
      const browser = rig.browsers[arm === 'h3' ? 1 : 0]!;
      const typical = effects[own]! + rig.interactions[own]! + drift + browser;
      return [arm, 1000 * Math.exp(typical + noise * SHAPES[shape](random))] as const;
    });
    return {
      index,
      launch,
      at: index,
      outcomes: Object.fromEntries(outcomes),
      machine: machines && `${place}`,
    };
  };
}

/** How much slower loads are on a machine, as a standard deviation. */
const SPEEDS = 0.3;

/** What a machine does to all its loads, and to those of each arm; nothing where there is but one. */
function rigOf(machines: Scenario['machines'], random: Random) {
  const { interaction = 0 } = machines ?? {};
  return {
    slower: machines ? SPEEDS * normalDeviate(random) : 0,
    interactions: ARMS.map(() => (machines ? interaction * normalDeviate(random) : 0)),
  };
}

const SPREAD = 'spread over 0.7 to 1.4';

/** What answers are held against: the common, the hard, and the worst. */
export const SCENARIOS: readonly Scenario[] = [
  ...[0.01, 0.05, 0.15, 0.5].map((noise) => ({ ratios: SPREAD, shape: 'heavy tails', noise, launchShare: 0 }) as const),
  ...[0.05, 0.15, 0.5].map((noise) => ({ ratios: SPREAD, shape: 'normal', noise, launchShare: 1 / 3 }) as const),
  { ratios: SPREAD, shape: 'delayed loads', noise: 0.3, launchShare: 0 },
  ...[0.15, 0.5, 1.5].map((noise) => ({ ratios: SPREAD, shape: 'two modes', noise, launchShare: 0 }) as const),
  { ratios: 'spread over ±4 %', shape: 'heavy tails', noise: 0.05, launchShare: 0 },
  { ratios: 'all equal', shape: 'heavy tails', noise: 0.05, launchShare: 0 },
  ...[0.01, 0.05, 0.15, 0.5].map(
    (noise) => ({ ratios: 'a hair beyond the margin', shape: 'heavy tails', noise, launchShare: 0 }) as const,
  ),
  ...(['alike', 'unlike', 'it alone differs'] as const).flatMap((otherPages) =>
    [0.05, 0.15, 0.5].map(
      (noise) => ({ ratios: SPREAD, shape: 'heavy tails', noise, launchShare: 0, otherPages }) as const,
    ),
  ),
  ...([SPREAD, 'spread over ±4 %'] as const).flatMap((ratios) =>
    [0, 0.03].map(
      (interaction) =>
        ({ ratios, shape: 'normal', noise: 0.05, launchShare: 0, machines: { count: 2, interaction } }) as const,
    ),
  ),
];

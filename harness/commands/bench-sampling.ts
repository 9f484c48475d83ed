import { judgeStudy } from '../comparison/judge.ts';
import { FALSE_DISCOVERY_RATE, MIN_LAUNCHES, RULES } from '../comparison/rules.ts';
import type { BlockOutcomes, ConditionRecord, Judgement, JudgingPlan, Stopping, Verdict } from '../model/comparison.ts';
import { renderTable, type TerminalColumn } from '../report/table.ts';
import { evidencePerTrial } from '../stats/evidence.ts';
import { normalCdf, normalDeviate } from '../stats/normal.ts';
import { type Random, seededRandom, shuffled } from '../stats/random.ts';

const ARMS = ['h1', 'h2', 'h3'] as const;
const CONDITIONS = 48;
const BLOCKS = 100;
const LOADS = CONDITIONS * ARMS.length * BLOCKS;
const RATIOS = [0.8, 1.25] as const;
const NOISES = [0.01, 0.05, 0.15] as const;
const STUDIES_PER_NOISE = 10;
/** What a launch of a browser adds to all its loads, of the noise; `h1` and `h2` share a browser, `h3` has its own. */
const LAUNCH_SHARE = 1 / 3;
const BLOCKS_PER_LAUNCH = 3;
/** How far the machine drifts to either side over some forty blocks. */
const DRIFT = 0.05;
const GIVE_UP_BELOW = [0, 0.1, 0.2, 0.25, 0.3] as const;
const TARGET = { loads: 0.25, agreement: 0.95 } as const;
/** What was reached when this was written, with some room for other noise: worse is a defect. */
const FLOOR = { giveUpBelow: 0.25, loads: 0.28, agreement: 0.94 } as const;

/** A full study whose truth is known. */
interface GeneratedStudy {
  readonly noise: number;
  readonly records: readonly ConditionRecord[];
  /** The logarithm of each arm's true time over that of `h1`, by condition and arm. */
  readonly truth: ReadonlyMap<string, Readonly<Record<string, number>>>;
}

/** What became of the comparisons of one study or more under a stopping rule, against all blocks judged once. */
interface Sampling {
  readonly giveUpBelow: number;
  readonly noise: number | 'all';
  readonly loads: number;
  readonly comparisons: number;
  /** The same verdict, or undecided both. */
  readonly agreeing: number;
  /** Undecided, where the full sample decides. */
  readonly missed: number;
  /** Decided, where the full sample does not. */
  readonly early: number;
  /** Decided, where the full sample decides otherwise. */
  readonly contradicted: number;
  readonly fullLoads: number;
}

/** `photofinish bench sampling`: how many loads the stopping rule saves, and what that does to the verdicts. */
export async function benchSampling(print: (line: string) => void): Promise<number> {
  const studies = NOISES.flatMap((noise) =>
    Array.from({ length: STUDIES_PER_NOISE }, (_, seed) => generateStudy(noise, seed + 1)),
  );
  print(
    `${studies.length} generated studies of ${CONDITIONS} conditions × ${ARMS.length} arms × ${BLOCKS} blocks (${LOADS.toLocaleString('en')} loads): the ratios of h2 and of h3 to h1 are spread evenly over ${RATIOS.join(' to ')}, a launch adds a third of the noise, the machine drifts by ${100 * DRIFT} %`,
  );
  const rows = GIVE_UP_BELOW.flatMap((giveUpBelow) => {
    const byNoise = NOISES.map((noise) =>
      merge(studies.filter((study) => study.noise === noise).map((study) => sample(study, giveUpBelow))),
    );
    return [...byNoise, { ...merge(byNoise), noise: 'all' as const }];
  });
  print(renderTable(COLUMNS, rows));
  for (const line of conclude(rows, studies)) print(line);
  return holdsFloor(rows) ? 0 : 1;
}

/** Judges a study by the stopping rule and by all its blocks at once, and holds the verdicts against each other. */
function sample({ records, noise }: GeneratedStudy, giveUpBelow: number): Sampling {
  const stopped = judge(records, { kind: 'early', cap: BLOCKS, giveUpBelow });
  const full = verdictsOf(judge(records, { kind: 'exactly', blocks: BLOCKS }));
  const early = verdictsOf(stopped);
  const count = (holds: (early: Verdict, full: Verdict) => boolean) =>
    early.filter((verdict, index) => holds(verdict, full[index]!)).length;
  return {
    giveUpBelow,
    noise,
    loads: ARMS.length * stopped.conditions.reduce((sum, condition) => sum + condition.blocks, 0),
    fullLoads: LOADS,
    comparisons: early.length,
    agreeing: count((a, b) => a === b),
    missed: count((a, b) => a === 'undecided' && b !== 'undecided'),
    early: count((a, b) => a !== 'undecided' && b === 'undecided'),
    contradicted: count((a, b) => a !== b && a !== 'undecided' && b !== 'undecided'),
  };
}

function verdictsOf({ conditions }: Judgement): readonly Verdict[] {
  return conditions.flatMap(({ pairs }) => pairs.map((pair) => pair.verdict));
}

function judge(records: readonly ConditionRecord[], stopping: Stopping): Judgement {
  const plan: JudgingPlan = {
    conditions: records.map((record) => ({ id: record.condition })),
    arms: ARMS.map((name) => ({ name })),
    rule: RULES.default,
    stopping,
  };
  return judgeStudy(plan, records);
}

function merge(samplings: readonly Sampling[]): Sampling {
  const sum = (figure: (sampling: Sampling) => number) => samplings.reduce((total, each) => total + figure(each), 0);
  return {
    ...samplings[0]!,
    loads: sum((each) => each.loads),
    fullLoads: sum((each) => each.fullLoads),
    comparisons: sum((each) => each.comparisons),
    agreeing: sum((each) => each.agreeing),
    missed: sum((each) => each.missed),
    early: sum((each) => each.early),
    contradicted: sum((each) => each.contradicted),
  };
}

const COLUMNS: readonly TerminalColumn<Sampling>[] = [
  { title: 'gives up', text: (row) => (row.giveUpBelow === 0 ? 'when certain' : `below ${percent(row.giveUpBelow)}`) },
  { title: 'noise', align: 'right', text: (row) => (row.noise === 'all' ? 'all' : percent(row.noise)) },
  { title: `loads of ${LOADS}`, align: 'right', text: (row) => `${Math.round((LOADS * row.loads) / row.fullLoads)}` },
  { title: 'used', align: 'right', text: (row) => percent(row.loads / row.fullLoads, 1) },
  { title: 'agree', align: 'right', text: (row) => percent(row.agreeing / row.comparisons, 1) },
  { title: 'missed', align: 'right', text: (row) => percent(row.missed / row.comparisons, 1) },
  { title: 'only early', align: 'right', text: (row) => percent(row.early / row.comparisons, 1) },
  { title: 'contradicted', align: 'right', text: (row) => `${row.contradicted}` },
];

function percent(share: number, digits = 0): string {
  return `${(100 * share).toFixed(digits)} %`;
}

function conclude(rows: readonly Sampling[], studies: readonly GeneratedStudy[]): string[] {
  const reached = rows.find(
    (row) =>
      row.noise === 'all' &&
      row.loads <= TARGET.loads * row.fullLoads &&
      row.agreeing >= TARGET.agreement * row.comparisons,
  );
  const bound = studies.reduce((sum, study) => sum + leastLoads(study), 0) / (LOADS * studies.length);
  return [
    'agree: the same as on all blocks, judged once; missed: undecided, which all blocks decide; only early: decided, which all blocks leave undecided',
    `at most ${percent(TARGET.loads)} of the loads with at least ${percent(TARGET.agreement)} agreement: ${reached ? `reached, giving up below ${percent(reached.giveUpBelow)}` : 'not reached'}`,
    'A condition goes on until nothing more can be decided in it. Giving up once that is merely unlikely is as valid, for it claims nothing, and trades agreement for loads.',
    `To decide all that ${BLOCKS} blocks can decide, evidence takes ${percent(bound, 1)} of the loads on average even where every true share is known beforehand: the logarithm of the least threshold over what a block adds to it.`,
  ];
}

function holdsFloor(rows: readonly Sampling[]): boolean {
  const row = rows.find((each) => each.noise === 'all' && each.giveUpBelow === FLOOR.giveUpBelow)!;
  return row.loads <= FLOOR.loads * row.fullLoads && row.agreeing >= FLOOR.agreement * row.comparisons;
}

/**
 * The loads that evidence takes on average where all is known but the outcomes. What a block adds to the logarithm of any
 * e-value has the divergence as its largest mean (Kelly 1956), and the least e-value that can be a verdict is that of a
 * study in which every comparison is decided.
 */
function leastLoads({ noise, truth }: GeneratedStudy): number {
  const logThreshold = Math.log(3 / FALSE_DISCOVERY_RATE);
  const least = (MIN_LAUNCHES - 1) * BLOCKS_PER_LAUNCH + 1;
  const loads = [...truth.values()].map((effects) => {
    const blocks = PAIRS.map(
      ([a, b]) => logThreshold / evidencePerBlock(effects[a]! - effects[b]!, spreadOf(noise, a, b)),
    );
    return ARMS.length * Math.max(least, ...blocks.filter((each) => each <= BLOCKS));
  });
  return loads.reduce((sum, each) => sum + each, 0);
}

const PAIRS = [
  ['h2', 'h1'],
  ['h3', 'h1'],
  ['h3', 'h2'],
] as const;

/** Of the logarithm of a ratio, within a block. */
function spreadOf(noise: number, a: string, b: string): number {
  const launches = a === 'h3' || b === 'h3' ? 2 * LAUNCH_SHARE ** 2 : 0;
  return noise * Math.sqrt(2 + launches);
}

function evidencePerBlock(logRatio: number, spread: number): number {
  const { advantage, share } = RULES.default;
  const margin = -Math.log(1 - advantage);
  const aWins = normalCdf((-margin - logRatio) / spread);
  const bWins = normalCdf((logRatio - margin) / spread);
  const ofTie = Math.min(1 - aWins, 1 - bWins);
  const gain = (truth: number, limit: number) => (truth > limit ? evidencePerTrial(truth, limit) : 0);
  return Math.max(gain(aWins, share), gain(bWins, share), gain(ofTie, 1 - share));
}

/** The same study for the same noise and seed: the logarithm of a load's time is normal. */
function generateStudy(noise: number, seed: number): GeneratedStudy {
  const random = seededRandom(seed, `study of noise ${noise}`);
  const positions = Array.from({ length: CONDITIONS }, (_, index) => index);
  const [ofH2, ofH3] = [shuffled(positions, random), shuffled(positions, random)];
  const truth = new Map(
    positions.map((index) => [`${index}`, { h1: 0, h2: logRatioAt(ofH2[index]!), h3: logRatioAt(ofH3[index]!) }]),
  );
  const records = [...truth].map(([condition, effects]) => ({
    condition,
    blocks: generateBlocks(effects, noise, random),
    voids: [],
  }));
  return { noise, records, truth };
}

function logRatioAt(position: number): number {
  const [low, high] = [Math.log(RATIOS[0]), Math.log(RATIOS[1])];
  return low + ((high - low) * position) / (CONDITIONS - 1);
}

function generateBlocks(effects: Readonly<Record<string, number>>, noise: number, random: Random): BlockOutcomes[] {
  const baseMs = 500 * Math.exp(2.3 * random());
  const phase = random();
  let browsers = { tcp: 0, quic: 0 };
  return Array.from({ length: BLOCKS }, (_, index) => {
    if (index % BLOCKS_PER_LAUNCH === 0)
      browsers = {
        tcp: LAUNCH_SHARE * noise * normalDeviate(random),
        quic: LAUNCH_SHARE * noise * normalDeviate(random),
      };
    const drift = DRIFT * Math.sin(2 * Math.PI * (index / 40 + phase));
    const timeMs = (arm: string) =>
      baseMs *
      Math.exp(effects[arm]! + drift + (arm === 'h3' ? browsers.quic : browsers.tcp) + noise * normalDeviate(random));
    return {
      index,
      launch: Math.floor(index / BLOCKS_PER_LAUNCH),
      outcomes: Object.fromEntries(ARMS.map((arm) => [arm, timeMs(arm)])),
    };
  });
}

import { setTimeout } from 'node:timers/promises';
import { LINK_SOURCES } from '../commands/sources.ts';
import { measurementOf } from '../measurement/measurement.ts';
import type { Protocol } from '../model/arm.ts';
import { BLOCKS_OF_A_LAUNCH } from '../model/pace.ts';
import { renderTable, type TerminalColumn } from '../report/table.ts';
import { type Lab, openLab } from '../run/lab.ts';
import { findSite } from '../run/sites.ts';
import { meanOf, median } from '../stats/order.ts';
import { type Random, seededRandom, shuffled } from '../stats/random.ts';
import {
  bestGroupSize,
  type SamplingCosts,
  type VarianceParts,
  varianceInTime,
  varianceParts,
} from '../stats/variance-parts.ts';
import { parseLink } from '../study/link.ts';

const ARMS = ['h1', 'h2', 'h3'] as const;
const SEED = 1;
/** Loads that the host or the harness spoilt, in all, before the bench gives up. */
const SPOILT_MOST = 20;

/** A page over a link, measured in a number of launches of the browsers with a number of blocks each. */
export interface LaunchedCondition {
  readonly site: string;
  readonly link: string;
  readonly launches: number;
  readonly blocks: number;
}

export const CONDITIONS: readonly LaunchedCondition[] = [
  { site: 'many-small', link: 'fibre', launches: 16, blocks: 5 },
  { site: 'article', link: 'fibre', launches: 16, blocks: 5 },
  { site: 'article', link: '4g', launches: 8, blocks: 4 },
];

/** Launches whose first loads are held against each other, warmed up and not. */
export interface WarmedCondition {
  readonly site: string;
  readonly link: string;
  readonly launches: number;
  /** The loads of each arm after a launch. */
  readonly loads: number;
}

/** Pages over the quickest link, where a browser that has not loaded anything yet would show most. */
export const WARMED: readonly WarmedCondition[] = [
  { site: 'many-small', link: 'fibre', launches: 48, loads: 3 },
  { site: 'article', link: 'fibre', launches: 48, loads: 3 },
];

/**
 * `photofinish bench launches`: how much load times, and what arms differ by, vary between launches of the browsers and
 * within one; how many blocks a launch should serve for that; and what a first load is like with and without a warm-up.
 */
export async function benchLaunches(print: (line: string) => void): Promise<number> {
  const sites = [...new Set([...CONDITIONS, ...WARMED].map(({ site }) => site))];
  await using lab = await openLab({ sites: sites.map(findSite) });
  for (const condition of CONDITIONS)
    for (const line of describe(condition, await measure(lab, condition))) print(line);
  for (const warmed of WARMED) for (const line of await describeWarmUps(lab, warmed)) print(line);
  print(`A launch serves now: ${JSON.stringify(BLOCKS_OF_A_LAUNCH)}`);
  return 0;
}

/** One block: the load time of each arm. */
type BlockTimes = Readonly<Record<Protocol, number>>;

interface Measured {
  /** The blocks of each launch. */
  readonly launches: readonly (readonly BlockTimes[])[];
  readonly costs: SamplingCosts;
}

/** Measures a condition in launch after launch. */
export async function measure(lab: Lab, { site, link, launches, blocks }: LaunchedCondition): Promise<Measured> {
  const random = seededRandom(SEED, `${site} ${link}`);
  await lab.setLink(parseLink(link, LINK_SOURCES));
  const measured: BlockTimes[][] = [];
  const [launchesTook, blocksTook]: [number[], number[]] = [[], []];
  for (let launch = 0; launch < launches; launch += 1) {
    launchesTook.push(await secondsOf(() => lab.relaunch()));
    const own: BlockTimes[] = [];
    for (let block = 0; block < blocks; block += 1)
      blocksTook.push(
        await secondsOf(async () => {
          own.push(await runBlock(lab, site, random));
        }),
      );
    measured.push(own);
  }
  return { launches: measured, costs: { group: median(launchesTook), value: median(blocksTook) } };
}

async function secondsOf(act: () => Promise<unknown>): Promise<number> {
  const beganMs = performance.now();
  await act();
  return (performance.now() - beganMs) / 1000;
}

async function runBlock(lab: Lab, site: string, random: Random): Promise<BlockTimes> {
  const times: Partial<Record<Protocol, number>> = {};
  for (const arm of shuffled(ARMS, random)) times[arm] = await pltMsOf(lab, site, arm);
  return times as BlockTimes;
}

let spoilt = 0;

/** The time of a load that counts; one that the host or the harness spoilt is made again, as in a study. */
async function pltMsOf(lab: Lab, site: string, protocol: Protocol): Promise<number> {
  for (;;) {
    const capture = await lab.load({ site, protocol, visit: 'cold', device: 'desktop', timeoutMs: 60_000 });
    const measured = measurementOf({ condition: site, block: 0, arm: protocol }, capture);
    if (measured.status === 'ok') return measured.pltMs;
    spoilt += 1;
    if (measured.status === 'failed' || spoilt > SPOILT_MOST) throw new Error(`${measured.reason}: ${measured.says}`);
    await setTimeout(100);
  }
}

/** What varies: the logarithm of a block's figure, so that what varies is a share. */
const FIGURES: Readonly<Record<string, (block: BlockTimes) => number>> = {
  h1: ({ h1 }) => Math.log(h1),
  h2: ({ h2 }) => Math.log(h2),
  h3: ({ h3 }) => Math.log(h3),
  'h2 against h1': ({ h1, h2 }) => Math.log(h2 / h1),
  'h3 against h2': ({ h2, h3 }) => Math.log(h3 / h2),
};

interface Row {
  readonly figure: string;
  readonly parts: VarianceParts;
  /** The interval that nine in ten draws of the launches lie in. */
  readonly betweenPercent: readonly [low: number, high: number];
  readonly costs: SamplingCosts;
}

const DRAWS = 2_000;
/** Conditions of one lab that have a launch in common. */
const SHARED_BY = 5;
const SIZES = [1, 2, 4, 8, 24] as const;

export function describe({ site, link, launches, blocks }: LaunchedCondition, measured: Measured): readonly string[] {
  const { costs } = measured;
  const rows = Object.entries(FIGURES).map(([figure, of]): Row => {
    const groups = measured.launches.map((own) => own.map(of));
    const draws = drawAgain(groups, seededRandom(SEED, `${site} ${link} ${figure}`));
    const betweenPercent = [percentOf(draws[DRAWS * 0.05]!), percentOf(draws[DRAWS * 0.95]!)] as const;
    return { figure, parts: varianceParts(groups), betweenPercent, costs };
  });
  const medians = ARMS.map((arm) => `${arm} ${median(measured.launches.flat().map((block) => block[arm])).toFixed(0)}`);
  return [
    `${site} over ${link}: ${launches} launches of ${blocks} blocks; medians ${medians.join(', ')} ms; a launch takes ${costs.group.toFixed(1)} s, a block ${costs.value.toFixed(1)} s`,
    renderTable(COLUMNS, rows),
    '',
  ];
}

/** The variance between launches of as many launches drawn from these, in ascending order. */
function drawAgain(groups: readonly (readonly number[])[], random: Random): readonly number[] {
  const draw = () => groups.map(() => groups[Math.floor(random() * groups.length)]!);
  return Array.from({ length: DRAWS }, () => varianceParts(draw()).between).toSorted((a, b) => a - b);
}

/** A variance of logarithms as a standard deviation in percent. */
function percentOf(variance: number): number {
  return 100 * Math.sqrt(Math.max(0, variance));
}

const COLUMNS: readonly TerminalColumn<Row>[] = [
  { title: 'log of', text: ({ figure }) => figure },
  { title: 'within', align: 'right', text: ({ parts }) => `${percentOf(parts.within).toFixed(1)} %` },
  { title: 'between', align: 'right', text: ({ parts }) => `${percentOf(parts.between).toFixed(1)} %` },
  {
    title: '90 %',
    align: 'right',
    text: ({ betweenPercent: [low, high] }) => `${low.toFixed(1)} to ${high.toFixed(1)}`,
  },
  { title: 'best blocks', align: 'right', text: (row) => shownSize(row, 1) },
  { title: `of ${SHARED_BY}`, align: 'right', text: (row) => shownSize(row, SHARED_BY) },
  ...SIZES.map(
    (size): TerminalColumn<Row> => ({
      title: `${size}`,
      align: 'right',
      text: ({ parts, costs }) => errorAgainstBest(parts, costs, size).toFixed(2),
    }),
  ),
];

/** The best number of blocks where conditions share launches. */
function shownSize({ parts, costs }: Row, conditions: number): string {
  const size = bestGroupSize(parts, { ...costs, group: costs.group / conditions });
  return Number.isFinite(size) ? size.toFixed(1) : 'no end';
}

/** The standard error after a given time where a launch serves `size` blocks, over that of the best number. */
function errorAgainstBest(parts: VarianceParts, costs: SamplingCosts, size: number): number {
  const best = Math.min(bestGroupSize(parts, costs), 1000);
  return Math.sqrt(varianceInTime(parts, costs, size) / varianceInTime(parts, costs, best));
}

/** The load times after a launch, in their order, by arm. */
type FirstLoads = Readonly<Record<'h2' | 'h3', readonly number[]>>;

/** Holds the first loads of launches that were warmed up against those of launches that were not. */
export async function describeWarmUps(
  lab: Lab,
  { site, link, launches, loads }: WarmedCondition,
): Promise<readonly string[]> {
  const random = seededRandom(SEED, `warm-ups ${site}`);
  await lab.setLink(parseLink(link, LINK_SOURCES));
  const order = shuffled(
    Array.from({ length: launches }, (_, index) => index % 2 === 0),
    random,
  );
  const measured: { readonly warm: boolean; readonly seconds: number; readonly first: FirstLoads }[] = [];
  for (const warm of order) {
    const seconds = await secondsOf(() => lab.relaunch({ warm }));
    const first: Record<'h2' | 'h3', number[]> = { h2: [], h3: [] };
    for (let load = 0; load < loads; load += 1)
      for (const arm of shuffled(['h2', 'h3'] as const, random)) first[arm].push(await pltMsOf(lab, site, arm));
    measured.push({ warm, seconds, first });
  }
  lab.takeWarmUps();
  const of = (warm: boolean) => measured.filter((each) => each.warm === warm);
  const lines = (['h2', 'h3'] as const).flatMap((arm) =>
    [true, false].map((warm) => {
      const medians = Array.from({ length: loads }, (_, place) =>
        median(of(warm).map(({ first }) => first[arm][place]!)),
      );
      const excess = of(warm).map(({ first }) => Math.log(first[arm][0]! / meanOf(first[arm].slice(1))));
      const { low, middle, high } = intervalOfMedian(excess, seededRandom(SEED, `${arm} ${warm}`));
      return `  ${arm} ${warm ? 'warmed up' : 'cold     '}: medians ${medians.map((ms) => ms.toFixed(0)).join(', ')} ms; the first over the mean of the others ${(100 * middle).toFixed(1)} % (${(100 * low).toFixed(1)} to ${(100 * high).toFixed(1)})`;
    }),
  );
  const seconds = [true, false].map((warm) => median(of(warm).map((each) => each.seconds)).toFixed(2));
  return [
    `Warm-ups, ${site} over ${link}: ${launches / 2} launches each; a launch takes ${seconds[0]} s with warm-ups and ${seconds[1]} s without`,
    ...lines,
  ];
}

/** The median, and where nine in ten medians of values drawn again lie. */
function intervalOfMedian(values: readonly number[], random: Random) {
  const draw = () => median(values.map(() => values[Math.floor(random() * values.length)]!));
  const draws = Array.from({ length: DRAWS }, draw).toSorted((a, b) => a - b);
  return { middle: median(values), low: draws[DRAWS * 0.05]!, high: draws[DRAWS * 0.95]! };
}

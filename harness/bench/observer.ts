import { setTimeout } from 'node:timers/promises';
import { LINK_SOURCES } from '../commands/sources.ts';
import { measurementOf } from '../measurement/measurement.ts';
import type { Protocol } from '../model/arm.ts';
import { type Link, UNLIMITED } from '../model/link.ts';
import { renderTable, type TerminalColumn } from '../report/table.ts';
import { type Lab, openLab } from '../run/lab.ts';
import { findSite } from '../run/sites.ts';
import { median } from '../stats/order.ts';
import { type Random, seededRandom, shuffled } from '../stats/random.ts';
import { type Interval, ratioOfMedians } from '../stats/ratio-of-medians.ts';
import { parseLink } from '../study/link.ts';
import { loadBare } from './bare-load.ts';
import { openBenchFolder } from './folder.ts';
import { makePngPage, recordShop } from './observer-pages.ts';

/** How much longer than a bare load one that counts may take, as a ratio of medians. */
const MOST = 1.02;
const PAIRS = 40;
const LINKS = [UNLIMITED, named('fibre'), named('4g')];
const SEED = 1;
const TIMEOUT_MS = 60_000;
/** Loads that the host spoilt, of one comparison, before it is given up. */
const SPOILT_MOST = 10;

/**
 * `photofinish bench observer`: what it adds to a load time that the load is measured. Loads that count, exactly as a study
 * makes them, are held against bare ones; then loads that count against loads that are watched, and loads in the headless
 * shell against loads in Chromium itself. 1 where a load that counts takes more than 1.02 times as long as a bare one.
 */
export async function benchObserver(print: (line: string) => void): Promise<number> {
  using folder = openBenchFolder('observer');
  const sites = [findSite('many-small'), findSite('article'), makePngPage(folder.path), await recordShop(folder.path)];
  await using lab = await openLab({ sites });
  const rows: ObserverRow[] = [];
  for (const link of LINKS)
    for (const { manifest } of sites) {
      const load = { site: manifest.site, protocol: 'h2', watched: false } as const;
      rows.push({ site: manifest.site, link: link.name, ...(await holdAgainstBare(lab, link, load, PAIRS)) });
      print(renderTable(OBSERVER_COLUMNS, rows.slice(-1)));
    }
  const { text, holds } = describeRows(rows);
  print(text);
  const counted = { name: 'counted', lab, watched: false };
  for (const link of SIDE_BY_SIDE_LINKS)
    for (const line of await describeWays([counted, { name: 'watched', lab, watched: true }], 'many-small', link))
      print(line);
  await using chromium = await openLab({ sites, isShellSpared: true });
  const shell = { ...counted, name: 'headless shell' };
  for (const link of SIDE_BY_SIDE_LINKS)
    for (const site of ['many-small', 'article'])
      for (const line of await describeWays([shell, { name: 'Chromium', lab: chromium, watched: false }], site, link))
        print(line);
  return holds ? 0 : 1;
}

function named(link: string): Link {
  return parseLink(link, LINK_SOURCES);
}

/** A load that is held against a bare one. */
interface HeldLoad {
  readonly site: string;
  readonly protocol: Protocol;
  readonly watched: boolean;
}

/** Loads of the lab's and bare ones, paired. */
export interface HeldAgainstBare {
  readonly loadsMs: readonly number[];
  readonly bareMs: readonly number[];
  readonly ratio: Interval;
}

/** Makes pairs of loads, one as the lab makes it and one bare, in random order. */
export async function holdAgainstBare(lab: Lab, link: Link, load: HeldLoad, pairs: number): Promise<HeldAgainstBare> {
  const random = seededRandom(SEED, `${load.site} ${link.name}`);
  await lab.setLink(link);
  await lab.relaunch();
  const loads = openLoads(lab);
  const [loadsMs, bareMs]: [number[], number[]] = [[], []];
  // The first of each is for nothing but to know how long one takes, and to find the caches of the machine's disk filled.
  let longestMs = await loads.counted(load);
  const act = {
    counted: async () => {
      const tookMs = await loads.counted(load);
      longestMs = Math.max(longestMs, tookMs);
      loadsMs.push(tookMs);
    },
    bare: async () => {
      bareMs.push(await loads.bare(load, longestMs));
    },
  };
  await loads.bare(load, longestMs);
  for (let pair = 0; pair < pairs; pair += 1)
    for (const which of shuffled(['counted', 'bare'] as const, random)) await act[which]();
  return { loadsMs, bareMs, ratio: ratioOfMedians(loadsMs, bareMs, random) };
}

/** A lab's loads, each as long as its page says that it took. */
function openLoads(lab: Lab) {
  let spoilt = 0;
  const wanted = ({ site, protocol, watched }: HeldLoad) =>
    ({ site, protocol, watched, visit: 'cold', device: 'desktop', timeoutMs: TIMEOUT_MS }) as const;
  return {
    async counted(load: HeldLoad): Promise<number> {
      for (;;) {
        const capture = await lab.load(wanted(load));
        const measured = measurementOf({ condition: load.site, block: 0, arm: load.protocol }, capture);
        if (measured.status === 'ok') return measured.pltMs;
        spoilt += 1;
        if (measured.status === 'failed' || spoilt > SPOILT_MOST)
          throw new Error(`${measured.reason}: ${measured.says}`);
      }
    },
    async bare(load: HeldLoad, longestMs: number): Promise<number> {
      const tookMs = await loadBare(await lab.prepare(wanted(load)), WAIT_MS + 1.2 * longestMs);
      await setTimeout(WAIT_MS); // Its connections close.
      return tookMs;
    },
  };
}

/** What is left to the network after a load, and to a load that takes longer than any before. */
const WAIT_MS = 200;

export interface ObserverRow extends HeldAgainstBare {
  readonly site: string;
  readonly link: string;
}

/**
 * All comparisons, and whether they hold: none is above what is asked and proven to be heavier than a bare load, and neither is
 * their geometric mean above it. One alone may be above it by chance, as its interval says.
 */
export function describeRows(rows: readonly ObserverRow[]): { readonly text: string; readonly holds: boolean } {
  const heavier = rows.filter((row) => standingOf(row) === 'HEAVIER');
  const all = geometricMean(rows.map(({ ratio }) => ratio));
  const holds = heavier.length === 0 && all.estimate <= MOST;
  const [estimate, low, high] = [all.estimate, all.low, all.high].map((each) => each.toFixed(3));
  const text = [
    `\nLoads by H2 that count against bare ones, ${PAIRS} each in random order:`,
    renderTable([...OBSERVER_COLUMNS, { title: `at most ${MOST}`, text: standingOf }], rows),
    `All together (geometric mean of the ratios): ${estimate} (${low} to ${high})`,
    holds ? `At most ${MOST}, as is asked.` : `MORE THAN ${MOST}.`,
  ].join('\n');
  return { text, holds };
}

function standingOf({ ratio: { estimate, low } }: ObserverRow): string {
  if (estimate <= MOST) return 'yes';
  return low > 1 ? 'HEAVIER' : 'above, by chance or not';
}

/** The geometric mean of independent figures: the widths of their intervals add up as independent errors do. */
function geometricMean(ratios: readonly Interval[]): Interval {
  const mean = ratios.reduce((sum, { estimate }) => sum + Math.log(estimate), 0) / ratios.length;
  const halves = ratios.map(({ low, high }) => (Math.log(high) - Math.log(low)) / 2);
  const half = Math.hypot(...halves) / ratios.length;
  return { estimate: Math.exp(mean), low: Math.exp(mean - half), high: Math.exp(mean + half) };
}

const OBSERVER_COLUMNS: readonly TerminalColumn<ObserverRow>[] = [
  { title: 'page', text: ({ site }) => site.padEnd(13) },
  { title: 'link', text: ({ link }) => link.padEnd(9) },
  { title: 'bare ms', align: 'right', text: ({ bareMs }) => median(bareMs).toFixed(1) },
  { title: 'counted ms', align: 'right', text: ({ loadsMs }) => median(loadsMs).toFixed(1) },
  { title: 'ratio', align: 'right', text: ({ ratio }) => ratio.estimate.toFixed(3) },
  { title: '95 %', align: 'right', text: ({ ratio: { low, high } }) => `${low.toFixed(3)} to ${high.toFixed(3)}` },
];

const SIDE_BY_SIDE_LINKS = [named('rate=50mbit,rtt=18ms'), named('rate=10mbit,rtt=18ms')];
const BLOCKS = 30;
const BLOCKS_OF_A_LAUNCH = 5;
const ARMS = ['h1', 'h2', 'h3'] as const;

/** A way to load a page, which may change its times. */
interface Way {
  readonly name: string;
  readonly lab: Lab;
  readonly watched: boolean;
}

/** Loads a page in two ways by each arm, in blocks of all six in random order. */
async function describeWays(ways: readonly [Way, Way], site: string, link: Link): Promise<readonly string[]> {
  const random = seededRandom(SEED, link.name);
  const labs = [...new Set(ways.map(({ lab }) => lab))];
  for (const lab of labs) await lab.setLink(link);
  const loads = new Map(labs.map((lab) => [lab, openLoads(lab)]));
  const kinds = ways.flatMap((way) => ARMS.map((protocol) => ({ way, protocol, timesMs: [] as number[] })));
  for (let block = 0; block < BLOCKS; block += 1) {
    if (block % BLOCKS_OF_A_LAUNCH === 0) for (const lab of labs) await lab.relaunch();
    for (const { way, protocol, timesMs } of shuffled(kinds, random))
      timesMs.push(await loads.get(way.lab)!.counted({ site, protocol, watched: way.watched }));
  }
  const timesOf = (way: Way) => kinds.filter((kind) => kind.way === way).map(({ timesMs }) => timesMs);
  const rows = ways.map((way) => describeWay(way.name, timesOf(way), random));
  const [first, second] = ways.map(timesOf) as [number[][], number[][]];
  const ratios = ARMS.map((arm, index) => `${arm} ${inWords(ratioOfMedians(first[index]!, second[index]!, random))}`);
  return [
    `\n${site} over ${link.name}, ${BLOCKS} blocks with both ways side by side:`,
    renderTable(WAY_COLUMNS, rows),
    `${ways[0].name} over ${ways[1].name} (95 %): ${ratios.join(', ')}`,
  ];
}

interface WayRow {
  readonly way: string;
  readonly mediansMs: readonly number[];
  readonly h2OverH1: Interval;
  readonly h3OverH2: Interval;
  readonly fastest: string;
  /** How many blocks each arm was the fastest of. */
  readonly wins: readonly number[];
}

function describeWay(way: string, own: readonly (readonly number[])[], random: Random): WayRow {
  const [h1, h2, h3] = own as [readonly number[], readonly number[], readonly number[]];
  const mediansMs = own.map(median);
  const wins = ARMS.map(
    (_, arm) => h1.filter((__, block) => own.every((each) => own[arm]![block]! <= each[block]!)).length,
  );
  return {
    way,
    mediansMs,
    wins,
    h2OverH1: ratioOfMedians(h2, h1, random),
    h3OverH2: ratioOfMedians(h3, h2, random),
    fastest: ARMS[mediansMs.indexOf(Math.min(...mediansMs))]!,
  };
}

function inWords({ estimate, low, high }: Interval): string {
  return `${estimate.toFixed(2)} (${low.toFixed(2)} to ${high.toFixed(2)})`;
}

const WAY_COLUMNS: readonly TerminalColumn<WayRow>[] = [
  { title: 'loads', text: ({ way }) => way },
  ...ARMS.map(
    (arm, index): TerminalColumn<WayRow> => ({
      title: `${arm} ms`,
      align: 'right',
      text: ({ mediansMs }) => mediansMs[index]!.toFixed(0),
    }),
  ),
  { title: 'h2 over h1 (95 %)', align: 'right', text: ({ h2OverH1 }) => inWords(h2OverH1) },
  { title: 'h3 over h2 (95 %)', align: 'right', text: ({ h3OverH2 }) => inWords(h3OverH2) },
  { title: 'fastest', text: ({ fastest }) => fastest },
  { title: 'blocks won', text: ({ wins }) => wins.join(' / ') },
];

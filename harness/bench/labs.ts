import { join } from 'node:path';
import type { Measurement } from '../model/measurement.ts';
import { renderTable, type TerminalColumn } from '../report/table.ts';
import { countLaunches, openLab } from '../run/lab.ts';
import { type Labs, labsThatFit, openLabs } from '../run/labs.ts';
import { findSite } from '../run/sites.ts';
import { meanOf, sumOf } from '../stats/order.ts';
import type { Interval } from '../stats/ratio-of-medians.ts';
import { type Cells, ratioOfTurns } from '../stats/ratio-of-turns.ts';
import { STORE_FILE } from '../store/store.ts';
import { openBenchFolder } from './folder.ts';
import { planPagesStudy, runPagesStudy } from './pages-study.ts';

/** Links of a class, and what is measured over them: in one lab, and in as many as there is room for. */
export interface LabsTrial {
  readonly links: readonly string[];
  readonly sites: readonly string[];
  /** How often it is the turn of one lab, and as often of many. */
  readonly turns: number;
  /** The blocks of each condition in a turn. */
  readonly blocks: number;
  /** How many times as quick many labs have to be; absent: no matter. */
  readonly leastSpeedUp?: number;
}

const PAGES = ['few-small', 'few-large', 'many-small', 'article', 'app', 'shop'] as const;
const TRIALS: readonly LabsTrial[] = [
  // Pages over one quick link are all loaded by one lab, so that there are several: their labs wait for each other.
  {
    links: ['fibre', 'rate=50mbit,rtt=12ms', 'rate=40mbit,rtt=15ms'],
    sites: ['few-small', 'article'],
    turns: 6,
    blocks: 3,
  },
  { links: ['4g'], sites: PAGES, turns: 6, blocks: 2 },
  // A quick link, a middling one and a slow one, as in the default study.
  { links: ['fibre', '4g', 'kramer-10-218-0'], sites: ['few-small', 'article', 'app'], turns: 6, blocks: 2 },
  // Where nothing is lost load times vary little, so that they tell whether neighbours make them longer.
  { links: ['kramer-10-218-0'], sites: PAGES, turns: 6, blocks: 1 },
  { links: ['kramer-10-218-2'], sites: PAGES, turns: 3, blocks: 3, leastSpeedUp: 3 },
];

const ARMS = ['h2', 'h3'] as const;
/** By how much a load time in one of many labs may differ from that of a lab alone. */
const MOST_APART = 0.01;

type Loaded = Extract<Measurement, { status: 'ok' }>;
type Way = 'one' | 'many';
/** The ways have turns, and which is first changes, so that what drifts is in both. */
const orderOf = (turn: number): readonly Way[] => (turn % 2 === 0 ? ['one', 'many'] : ['many', 'one']);

/**
 * `photofinish bench labs`: whether load times are the same in one lab and in as many as `--labs auto` opens, for quick links, a
 * middling one and two slow ones, and how much sooner many labs are done; 1 where an interval of a difference lies beyond 1 %,
 * or many labs are not as much quicker as they should be.
 */
export async function benchLabs(print: (line: string) => void): Promise<number> {
  const rows: LabsRow[] = [];
  for (const trial of TRIALS) {
    const row = await compareLabs(trial);
    rows.push(row);
    print(renderTable(COLUMNS, linesOf(row)));
  }
  print(`\n${renderTable(COLUMNS, rows.flatMap(linesOf))}`);
  const holds =
    rows.flatMap(linesOf).every(isAsAlone) && rows.every(({ speedUp, leastSpeedUp = 0 }) => speedUp >= leastSpeedUp);
  print(
    `\nAsked: load times within ${100 * MOST_APART} % of those in one lab, and three times as quick over the slow link.`,
  );
  return holds ? 0 : 1;
}

/** What loads over some links came to. */
interface LinksLine {
  readonly links: string;
  /** In many labs. */
  readonly loads: number;
  /** Load times in many labs over those in one. */
  readonly ratio: Interval;
}

/** What a trial came to. */
export interface LabsRow extends LinksLine {
  readonly labs: number;
  /** How long the threads of a load's browser waited for a core, all together and on average, in many labs and in one. */
  readonly coreWaitMs: Readonly<Record<Way, number>>;
  /** Wall time in one lab over that in many; both include opening labs and measuring their link once. */
  readonly speedUp: number;
  readonly leastSpeedUp?: number | undefined;
  /** Each link by itself. */
  readonly byLink: readonly LinksLine[];
}

/** A trial's own line, and one for each of its links. */
function linesOf(row: LabsRow): readonly (LinksLine & Partial<LabsRow>)[] {
  const { byLink } = row;
  return byLink.length > 1 ? [row, ...byLink.map((line) => ({ ...line, links: `  ${line.links}` }))] : [row];
}

/** Whether load times in many labs can be as they are in one, as far as the interval tells. */
export function isAsAlone({ ratio }: Pick<LabsRow, 'ratio'>): boolean {
  return ratio.low <= 1 + MOST_APART && ratio.high >= 1 - MOST_APART;
}

/**
 * Measures the same conditions in one lab and in many, in turn. Labs stay open during the other way's turns, and wait.
 */
export async function compareLabs({ links, sites: names, turns, blocks, leastSpeedUp }: LabsTrial): Promise<LabsRow> {
  using folder = openBenchFolder('labs');
  const sites = names.map((name) => findSite(name));
  const planFor = (done: number) => planPagesStudy({ name: 'labs', sites, links, arms: ARMS, blocks: done + blocks });
  const nextLaunch = countLaunches();
  const openAll = (most: number) => openLabs(() => openLab({ sites, nextLaunch }), most);
  await using one = openAll(1);
  await using many = openAll(labsThatFit(planFor(0).plan.conditions));
  const labs: Readonly<Record<Way, Labs>> = { one, many };
  const seconds = { one: 0, many: 0 };
  const loaded = { one: [] as (readonly Loaded[])[], many: [] as (readonly Loaded[])[] };
  for (let turn = 0; turn < turns; turn += 1) {
    const done = turn * blocks;
    const planned = planFor(done);
    const isOfTurn = ({ condition, block }: Measurement) => condition !== planned.plan.control.id && block >= done;
    for (const way of orderOf(turn)) {
      const beganMs = performance.now();
      const measurements = await runPagesStudy(join(folder.path, way, STORE_FILE), planned, labs[way]);
      seconds[way] += (performance.now() - beganMs) / 1000;
      loaded[way].push(measurements.filter(isOfTurn).filter((each) => each.status === 'ok'));
    }
  }
  const waitedMs = (way: Way) => meanOf(loaded[way].flat().map(({ coreWaitMs = Number.NaN }) => coreWaitMs));
  const conditionsByLink = Map.groupBy(planFor(0).plan.conditions, ({ link }) => link.name);
  return {
    ...lineOf(links.join(', '), loaded),
    byLink: [...conditionsByLink].map(([link, conditions]) => {
      const isOver = ({ condition }: Loaded) => conditions.some(({ id }) => id === condition);
      return lineOf(link, {
        one: loaded.one.map((loads) => loads.filter(isOver)),
        many: loaded.many.map((loads) => loads.filter(isOver)),
      });
    }),
    labs: many.most,
    coreWaitMs: { one: waitedMs('one'), many: waitedMs('many') },
    speedUp: seconds.one / seconds.many,
    leastSpeedUp,
  };
}

/** What the loads of each turn come to. */
function lineOf(links: string, { one, many }: Readonly<Record<Way, readonly (readonly Loaded[])[]>>): LinksLine {
  const pairs = many.map((loads, turn) => ({ values: timesOf(loads), others: timesOf(one[turn]!) }));
  return { links, loads: sumOf(many.map(({ length }) => length)), ratio: ratioOfTurns(pairs) };
}

/** Load times by page and arm. */
function timesOf(loads: readonly Loaded[]): Cells {
  const cells = Map.groupBy(loads, ({ condition, arm }) => `${condition} ${arm}`);
  return new Map([...cells].map(([cell, own]) => [cell, own.map(({ pltMs }) => pltMs)]));
}

const COLUMNS: readonly TerminalColumn<LinksLine & Partial<LabsRow>>[] = [
  { title: 'links', text: ({ links: all }) => all },
  { title: 'labs', align: 'right', text: ({ labs = '' }) => `${labs}` },
  { title: 'loads each', align: 'right', text: ({ loads }) => `${loads}` },
  {
    title: 'load time, many labs over one',
    align: 'right',
    text: ({ ratio }) => `${ratio.estimate.toFixed(3)} (${ratio.low.toFixed(3)} to ${ratio.high.toFixed(3)})`,
  },
  {
    title: 'waited for a core, many / one',
    align: 'right',
    text: ({ coreWaitMs: waited }) => (waited ? `${Math.round(waited.many)} / ${Math.round(waited.one)} ms` : ''),
  },
  { title: 'times as quick', align: 'right', text: ({ speedUp }) => speedUp?.toFixed(1) ?? '' },
];

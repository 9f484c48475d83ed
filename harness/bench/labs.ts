import { join } from 'node:path';
import type { Measurement } from '../model/measurement.ts';
import { renderTable, type TerminalColumn } from '../report/table.ts';
import { countLaunches, openLab } from '../run/lab.ts';
import { labsThatFit, openLabs } from '../run/labs.ts';
import { findSite } from '../run/sites.ts';
import { seededRandom } from '../stats/random.ts';
import { type Interval, ratioOfCells } from '../stats/ratio-of-medians.ts';
import { STORE_FILE } from '../store/store.ts';
import { openBenchFolder } from './folder.ts';
import { planOneLinkStudy, runOneLinkStudy } from './one-link-study.ts';

/** A class of links, and what is measured over one of them: once in one lab, and once in as many as there is room for. */
export interface LabsTrial {
  readonly link: string;
  readonly sites: readonly string[];
  /** The blocks of each condition in one lab, and as many in many labs. */
  readonly blocks: number;
  /** How many times as quick many labs have to be; absent: no matter. */
  readonly leastSpeedUp?: number;
}

const TRIALS: readonly LabsTrial[] = [
  { link: 'fibre', sites: ['few-small', 'article', 'app'], blocks: 12 },
  { link: '4g', sites: ['few-small', 'few-large', 'many-small', 'article', 'app', 'shop'], blocks: 8 },
  {
    link: 'kramer-10-218-2',
    sites: ['few-small', 'few-large', 'many-small', 'article', 'app', 'shop'],
    blocks: 8,
    leastSpeedUp: 3,
  },
];

const ARMS = ['h2', 'h3'] as const;
/** By how much a load time in one of many labs may differ from that of a lab alone. */
const MOST_APART = 0.01;
/** Each half of the blocks is measured one way and then the other, so that what drifts over minutes is in both. */
const ORDER = ['one', 'many', 'many', 'one'] as const;

type Way = (typeof ORDER)[number];

/**
 * `photofinish bench labs`: whether load times are the same in one lab and in as many as `--labs auto` opens, for a quick, a
 * middling and a slow link, and how much sooner many labs are done; 1 where an interval of a difference lies beyond 1 %, or
 * many labs are not as much quicker as they should be.
 */
export async function benchLabs(print: (line: string) => void): Promise<number> {
  const rows: LabsRow[] = [];
  for (const trial of TRIALS) {
    rows.push(await compareLabs(trial));
    print(renderTable(COLUMNS, rows.slice(-1)));
  }
  print(`\n${renderTable(COLUMNS, rows)}`);
  const holds = rows.every(isAsAlone) && rows.every(({ speedUp, leastSpeedUp = 0 }) => speedUp >= leastSpeedUp);
  print(
    `\nAsked: load times within ${100 * MOST_APART} % of those in one lab, and three times as quick over the slow link.`,
  );
  return holds ? 0 : 1;
}

/** What a trial came to. */
export interface LabsRow {
  readonly link: string;
  readonly labs: number;
  readonly loads: number;
  /** Load times in many labs over those in one. */
  readonly ratio: Interval;
  /** Wall time in one lab over that in many, labs opened and links measured included. */
  readonly speedUp: number;
  readonly leastSpeedUp?: number | undefined;
}

/** Whether load times in many labs can be as they are in one, as far as the interval tells. */
export function isAsAlone({ ratio }: Pick<LabsRow, 'ratio'>): boolean {
  return ratio.low <= 1 + MOST_APART && ratio.high >= 1 - MOST_APART;
}

/** Measures the same conditions in one lab and in many. */
export async function compareLabs({ link, sites: names, blocks, leastSpeedUp }: LabsTrial): Promise<LabsRow> {
  using folder = openBenchFolder('labs');
  const sites = names.map((name) => findSite(name));
  const planned = planOneLinkStudy({ name: 'labs', sites, link, arms: ARMS, blocks: Math.ceil(blocks / 2) });
  const labs: Readonly<Record<Way, number>> = { one: 1, many: labsThatFit(planned.plan.conditions) };
  const nextLaunch = countLaunches();
  const seconds = { one: 0, many: 0 };
  const times = { one: new Map<string, number[]>(), many: new Map<string, number[]>() };
  for (const [turn, way] of ORDER.entries()) {
    const beganMs = performance.now();
    await using opened = openLabs(() => openLab({ sites, nextLaunch }), labs[way]);
    const measurements = await runOneLinkStudy(join(folder.path, `${turn}-${STORE_FILE}`), planned, opened);
    seconds[way] += (performance.now() - beganMs) / 1000;
    addTimes(times[way], measurements);
  }
  return {
    link,
    labs: labs.many,
    loads: [...times.many.values()].reduce((sum, { length }) => sum + length, 0),
    ratio: ratioOfCells(times.many, times.one, seededRandom(1, 'labs')),
    speedUp: seconds.one / seconds.many,
    leastSpeedUp,
  };
}

function addTimes(times: Map<string, number[]>, measurements: readonly Measurement[]): void {
  for (const each of measurements) {
    if (each.status !== 'ok') continue;
    const cell = `${each.condition} ${each.arm}`;
    times.set(cell, [...(times.get(cell) ?? []), each.pltMs]);
  }
}

const COLUMNS: readonly TerminalColumn<LabsRow>[] = [
  { title: 'link', text: ({ link }) => link },
  { title: 'labs', align: 'right', text: ({ labs }) => `${labs}` },
  { title: 'loads each', align: 'right', text: ({ loads }) => `${loads}` },
  {
    title: 'load time, many labs over one',
    align: 'right',
    text: ({ ratio }) => `${ratio.estimate.toFixed(3)} (${ratio.low.toFixed(3)} to ${ratio.high.toFixed(3)})`,
  },
  { title: 'times as quick', align: 'right', text: ({ speedUp }) => speedUp.toFixed(1) },
];

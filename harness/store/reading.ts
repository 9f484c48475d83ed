import type { DatabaseSync } from 'node:sqlite';
import type { Capture } from '../model/capture.ts';
import type { Film } from '../model/film.ts';
import type { LighthouseTrial } from '../model/lighthouse.ts';
import type { Measurement } from '../model/measurement.ts';
import type { Page } from '../model/page.ts';
import type { MeasuredLink, ReferenceLoad, Session } from '../model/session.ts';
import type { Block, Plan, Study } from '../model/study.ts';
import { fromJson, unpack } from './json.ts';
import { readMeasurements, readTrials, type StoredTrial } from './trials.ts';

/** What a study is, as it was asked for and as it was planned. */
export interface StoredStudy {
  readonly study: Study;
  readonly plan: Plan;
  /** The study's file as a person wrote it, where there is one. */
  readonly text?: string | undefined;
}

/** A block that was run. */
export interface StoredBlock {
  readonly serial: number;
  readonly session: number;
  readonly block: Block;
  readonly beganMs: number;
  /** Its trials by what became of them. */
  readonly ok: number;
  readonly failed: number;
  readonly void: number;
}

/** A link as one of the sessions found it. */
export interface StoredLink extends MeasuredLink {
  readonly session: number;
}

/** A load over a link without limits, and the session that made it. */
export interface StoredReferenceLoad extends Omit<ReferenceLoad, 'capture'> {
  readonly session: number;
}

/** Names that stand together in one row. */
export interface StoredNames {
  readonly condition?: string | undefined;
  readonly arm?: string | undefined;
  readonly evidence?: readonly string[];
}

/** All that can be asked of a store. */
export interface StoreReader {
  /** Absent in a new store. */
  readStudy(): StoredStudy | undefined;
  sessions(): readonly Session[];
  /** In the order of their serials. */
  blocks(): readonly StoredBlock[];
  /** In the order in which they were made, read while they are asked for: there may be a hundred thousand. */
  trials(): Iterable<StoredTrial>;
  /** The trials of every attempt at one block of a condition. */
  trialsOf(condition: string, index: number): readonly StoredTrial[];
  /** The measurements of all trials, in the order in which they were made. */
  measurements(): Measurement[];
  /** What names the store has besides its plan's, which is all of a stranger's store that ends in paths and on terminals. */
  names(): Iterable<StoredNames>;
  /** What was seen in a trial. */
  captureOf(trial: number): Capture;
  /** What the next block will be called. */
  nextSerial(): number;
  /** The highest number of a launch, of trials and warm-ups; 0 where there is none. */
  launches(): number;
  /** How many loads warmed browsers up. */
  warmUps(): number;
  /** How many loads waited for a core too long, and were made again. */
  disturbedLoads(): number;
  /** How many loads were made, where the condition `control` counts for nothing. */
  countLoads(control: string): LoadTotals;
  /** Loads over a link without limits, without what was seen in them. */
  referenceLoads(): readonly StoredReferenceLoad[];
  /** What was seen in the last reference load of a page by an arm, watched or not; absent where none came to its end. */
  referenceOf(page: string, arm: string, watched: boolean): Capture | undefined;
  measuredLinks(): readonly StoredLink[];
  /** Absent where none was taken. */
  filmOf(condition: string, arm: string): Film | undefined;
  /** How many loads were filmed. */
  films(): number;
  /** The conditions of which there are films. */
  filmed(): readonly string[];
  lighthouseTrials(): readonly LighthouseTrial[];
}

/** The loads of a study: those that may count, and those that never do. */
export interface LoadTotals {
  readonly counted: number;
  readonly uncounted: number;
}

type Row = Readonly<Record<string, unknown>>;

const COUNTS = ['ok', 'failed', 'void'].map((status) => `count(*) FILTER (WHERE status = '${status}') AS ${status}`);
const BLOCKS = `SELECT block.*, ${COUNTS} FROM block LEFT JOIN trial USING (serial) GROUP BY serial ORDER BY serial`;

const REFERENCE_LOADS = 'SELECT session, page, arm, watched, pltMs FROM referenceLoad ORDER BY id';
const REFERENCE =
  'SELECT packed FROM referenceLoad WHERE page = ? AND arm = ? AND watched = ? AND pltMs IS NOT NULL ORDER BY id DESC LIMIT 1';
const LOADS = `SELECT count(*) FILTER (WHERE condition <> ?) AS counted, count(*) FILTER (WHERE condition = ?)
  + ${['warmUp', 'referenceLoad', 'film', 'disturbedLoad'].map((table) => `(SELECT count(*) FROM ${table})`).join(' + ')} AS uncounted
  FROM trial JOIN block USING (serial)`;
const FILM = 'SELECT packed FROM film WHERE condition = ? AND arm = ?';

/** Each name once, of all that is named so. */
const CONDITIONS = ['block', 'film', 'lighthouse'].map((table) => `SELECT condition FROM ${table}`).join(' UNION ');
const ARMS = ['trial', 'disturbedLoad', 'film', 'lighthouse']
  .map((table) => `SELECT arm FROM ${table}`)
  .join(' UNION ');

/** What answers for a database that has the schema. */
export function readerOf(database: DatabaseSync): StoreReader {
  const all = <T>(sql: string, read: (row: Row) => T, ...values: (string | number)[]): T[] =>
    database
      .prepare(sql)
      .all(...values)
      .map(read);
  const number = (sql: string) => database.prepare(`SELECT ${sql} AS number`).get()!.number as number;
  return {
    readStudy: () => all('SELECT * FROM study', studyFrom)[0],
    sessions: () => all('SELECT * FROM session ORDER BY number', sessionFrom),
    blocks: () => all(BLOCKS, blockFrom),
    trials: () => readTrials(database),
    trialsOf: (condition, index) => [...readTrials(database, { condition, index })],
    measurements: () => readMeasurements(database),
    names: () => [
      ...all(CONDITIONS, ({ condition }) => ({ condition: condition as string })),
      ...all(ARMS, ({ arm }) => ({ arm: arm as string })),
      ...all('SELECT evidence FROM trial', ({ evidence }) => ({ evidence: fromJson<readonly string[]>(evidence) })),
    ],
    captureOf: (trial) =>
      all(
        'SELECT packed FROM capture WHERE trial = ?',
        (row) => withPage(unpack<StoredCapture>(row.packed)),
        trial,
      )[0]!,
    nextSerial: () => number('(SELECT ifnull(max(serial), 0) + 1 FROM block)'),
    launches: () =>
      number(
        `max(${['trial', 'warmUp', 'referenceLoad'].map((table) => `(SELECT ifnull(max(launch), 0) FROM ${table})`)})`,
      ),
    warmUps: () => number('(SELECT count(*) FROM warmUp)'),
    disturbedLoads: () => number('(SELECT count(*) FROM disturbedLoad)'),
    countLoads(control) {
      const { counted, uncounted } = database.prepare(LOADS).get(control, control)!;
      return { counted: counted as number, uncounted: uncounted as number };
    },
    referenceLoads: () => all(REFERENCE_LOADS, referenceFrom),
    referenceOf: (page, arm, watched) =>
      all(REFERENCE, ({ packed }) => unpack<Capture>(packed), page, arm, Number(watched))[0],
    measuredLinks: () => all('SELECT * FROM measuredLink ORDER BY id', linkFrom),
    filmOf: (condition, arm) => all(FILM, ({ packed }) => unpack<Film>(packed), condition, arm)[0],
    films: () => number('(SELECT count(*) FROM film)'),
    filmed: () => all('SELECT DISTINCT condition FROM film', ({ condition }) => condition as string),
    lighthouseTrials: () => all('SELECT * FROM lighthouse ORDER BY id', lighthouseFrom),
  };
}

function studyFrom({ study, plan, text }: Row): StoredStudy {
  return {
    study: withStopping(fromJson<Study>(study)),
    plan: withStopping(fromJson<Plan>(plan)),
    text: text !== null ? (text as string) : undefined,
  };
}

/** Studies of before 0.2 did not say until when a condition is measured, nor what is served; some said how many at once. */
function withStopping<Stored extends Study | Plan>(stored: Stored): Stored {
  // Whatever else a stranger has put there is judged where the folder is opened.
  if (!stored?.stopping || !Array.isArray(stored.arms)) return stored;
  const { atOnce: _, ...kept } = stored as Stored & { readonly atOnce?: number };
  const { stopping, arms, served } = stored;
  const common = arms.some(({ name }) => name === 'h2') ? 'h2' : arms[0]?.name;
  const { kind } = stopping;
  return {
    ...(kept as unknown as Stored),
    served: served ?? common,
    stopping: kind === 'early' ? { kind, until: stopping.until ?? 'settled', cap: stopping.cap } : stopping,
  };
}

function sessionFrom({ machine, notes, ...row }: Row): Session {
  return {
    ...(row as Pick<Session, 'number' | 'beganMs' | 'lastMs'>),
    machine: fromJson(machine),
    notes: fromJson(notes),
  };
}

function blockFrom({ condition, index, order, ...row }: Row): StoredBlock {
  return {
    ...(row as Omit<StoredBlock, 'block'>),
    block: { condition: condition as string, index: index as number, order: fromJson(order) },
  };
}

function referenceFrom({ watched, pltMs, ...row }: Row): StoredReferenceLoad {
  return {
    ...(row as Pick<StoredReferenceLoad, 'session' | 'page' | 'arm'>),
    watched: watched === 1,
    pltMs: pltMs !== null ? (pltMs as number) : undefined,
  };
}

function linkFrom({ session, link, calibration, lab }: Row): StoredLink {
  return { session: session as number, link: link as string, calibration: fromJson(calibration), lab: fromJson(lab) };
}

function lighthouseFrom({ condition, arm, run, score }: Row): LighthouseTrial {
  return { ...({ condition, arm, run } as Omit<LighthouseTrial, 'score'>), score: fromJson(score) };
}

/** Before pages had several origins, a capture said no more of its page than the address and the kind of visit. */
type StoredCapture = Capture | (Omit<Capture, 'page'> & Pick<Page, 'url' | 'visit'>);

function withPage(stored: StoredCapture): Capture {
  if ('page' in stored) return stored;
  const { url, visit, ...capture } = stored;
  const { origin, hostname, port } = new URL(url);
  const reached = { protocol: 'h1', reception: 'first', host: hostname, port: Number(port), url: origin } as const;
  return { ...capture, page: { url, visit, origins: [reached], objects: [] } };
}

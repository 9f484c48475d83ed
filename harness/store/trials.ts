import type { DatabaseSync } from 'node:sqlite';
import type { Measurement } from '../model/measurement.ts';
import { FIGURES } from './figures.ts';
import { fromJson } from './json.ts';

/** A trial of a block that was run; its capture is a question of its own. */
export interface StoredTrial {
  readonly id: number;
  readonly session: number;
  /** The serial number of its block. */
  readonly serial: number;
  readonly beganMs: number;
  /** From 0, in its block. */
  readonly position: number;
  readonly measurement: Measurement;
  readonly evidence: readonly string[];
}

/** Which trials; absent: all of them. */
interface Which {
  readonly condition: string;
  readonly index: number;
}

/** A row as a list of its columns: lists take half the time that objects take. */
type Cells = readonly unknown[];

/** A measurement's names, in the order of the first columns of each row. */
const NAMES = [
  ...(['condition', 'block', 'arm', 'status', 'reason', 'says', 'machine'] as const),
  ...FIGURES.map(([name]) => name),
];
const MEASUREMENT = NAMES.map((name) => (name === 'block' ? '"index"' : name));
const TRIAL = [...MEASUREMENT, 'id', 'session', 'serial', 'beganMs', 'position', 'evidence'];

/** The worker of each session, once; a session of the study's own machine has none. */
const WORKERS =
  "WITH worker AS MATERIALIZED (SELECT number, json_extract(machine, '$.worker') AS machine FROM session)";

/** Trials in the order in which they were made. */
export function* readTrials(database: DatabaseSync, which?: Which): Generator<StoredTrial> {
  const read = measurementReader();
  for (const cells of readCells(database, TRIAL, which)) {
    const [id, session, serial, beganMs, position, evidence] = cells.slice(NAMES.length) as number[];
    yield {
      ...({ id, session, serial, beganMs, position } as StoredTrial),
      measurement: read(cells),
      evidence: fromJson(evidence),
    };
  }
}

/** Reads what all trials came to. */
export function readMeasurements(database: DatabaseSync): Measurement[] {
  return Array.from(readCells(database, MEASUREMENT), measurementReader());
}

function readCells(database: DatabaseSync, columns: readonly string[], which?: Which): Iterable<Cells> {
  const where = which ? 'WHERE condition = ? AND "index" = ?' : '';
  // A statement of its own for each call: two may be going through the same trials.
  const statement = database.prepare(
    `${WORKERS} SELECT ${columns.join(', ')} FROM trial JOIN block USING (serial)
    LEFT JOIN worker ON number = session ${where} ORDER BY id`,
  );
  statement.setReturnArrays(true);
  const rows = which ? statement.iterate(which.condition, which.index) : statement.iterate();
  return rows as unknown as Iterable<Cells>;
}

const FLAGS = new Set<string>(FIGURES.filter(([, { kind }]) => kind === 'flag').map(([name]) => name));

/**
 * Reads measurements from rows; what is null was absent. An object to which some thirty names are added one by one
 * becomes a dictionary, three times as large, which a copy of one that JSON has made does not: there is one to copy for
 * each set of names.
 */
function measurementReader(): (cells: Cells) => Measurement {
  const shapes = new Map<string, object>();
  return (cells) => {
    const absent = NAMES.reduce((names, name, index) => (cells[index] === null ? `${names} ${name}` : names), '');
    const shape = shapes.get(absent) ?? shapeFor(cells);
    shapes.set(absent, shape);
    const measurement: Record<string, unknown> = { ...shape };
    NAMES.forEach((name, index) => {
      if (cells[index] !== null) measurement[name] = FLAGS.has(name) ? cells[index] === 1 : cells[index];
    });
    return measurement as unknown as Measurement;
  };
}

function shapeFor(cells: Cells): object {
  const names = NAMES.filter((_, index) => cells[index] !== null);
  return JSON.parse(JSON.stringify(Object.fromEntries(names.map((name) => [name, 0])))) as object;
}

import type { DatabaseSync } from 'node:sqlite';
import { UsageError } from '../model/errors.ts';
import { FIGURES, type Figure } from './figures.ts';

/** What SQLite's header says of a file that is a study's store: "phot". */
const APPLICATION_ID = 0x70686f74;

/**
 * The tables, each row written once and never changed but for the study and a session's last sign of life:
 *
 *     study                       one row
 *     session ─┬─► block ──► trial ──► capture
 *              │           └► disturbedLoad
 *              ├─► warmUp
 *              ├─► referenceLoad
 *              ├─► measuredLink
 *              ├─► film
 *              └─► lighthouse
 *
 * A figure's column has the figure's name; captures lie in a table of their own, so that a walk through trials never
 * reads over them. Whatever is read as a whole is JSON.
 */
const FIRST = `
CREATE TABLE study (
  only INTEGER PRIMARY KEY CHECK (only = 1), study TEXT NOT NULL, "plan" TEXT NOT NULL, text TEXT
) STRICT;
CREATE TABLE session (
  number INTEGER PRIMARY KEY, beganMs REAL NOT NULL, lastMs REAL NOT NULL, machine TEXT NOT NULL, notes TEXT NOT NULL
) STRICT;
CREATE TABLE block (
  serial INTEGER PRIMARY KEY CHECK (serial > 0), session INTEGER NOT NULL REFERENCES session,
  condition TEXT NOT NULL, "index" INTEGER NOT NULL, "order" TEXT NOT NULL, beganMs REAL NOT NULL
) STRICT;
CREATE INDEX blockOfCondition ON block (condition, "index");
${trialTable('trial', 1)}
CREATE TABLE capture (trial INTEGER PRIMARY KEY REFERENCES trial, packed BLOB NOT NULL) STRICT;
CREATE TABLE warmUp (
  id INTEGER PRIMARY KEY, session INTEGER NOT NULL REFERENCES session, launch INTEGER NOT NULL, packed BLOB NOT NULL
) STRICT;
CREATE TABLE measuredLink (
  id INTEGER PRIMARY KEY, session INTEGER NOT NULL REFERENCES session,
  link TEXT NOT NULL, calibration TEXT NOT NULL, lab TEXT NOT NULL
) STRICT;
CREATE TABLE film (
  session INTEGER NOT NULL REFERENCES session, condition TEXT NOT NULL, arm TEXT NOT NULL, packed BLOB NOT NULL,
  PRIMARY KEY (condition, arm)
) STRICT, WITHOUT ROWID;
CREATE TABLE lighthouse (
  id INTEGER PRIMARY KEY, session INTEGER NOT NULL REFERENCES session,
  condition TEXT NOT NULL, arm TEXT NOT NULL, run INTEGER NOT NULL, score TEXT NOT NULL,
  UNIQUE (condition, arm, run)
) STRICT;
PRAGMA application_id = ${APPLICATION_ID};
`;

/** Loads that waited for a core too long, and were made again. */
const EIGHTH = `
CREATE TABLE disturbedLoad (
  id INTEGER PRIMARY KEY, serial INTEGER NOT NULL REFERENCES block, arm TEXT NOT NULL, packed BLOB NOT NULL
) STRICT`;

/** What makes each version of the schema out of the one before it: a study may be resumed by a later Photofinish. */
export const MIGRATIONS: readonly string[] = [
  FIRST,
  newFigures(2),
  newFigures(3),
  fourth(),
  newFigures(5),
  sixth(),
  newFigures(7),
  EIGHTH,
  newFigures(9),
];

/**
 * A load may lack figures that it had to have: SQLite makes that of a table by another one in its place. One that brought
 * no payload lacks an overhead, which was 0 before. And loads over a link without limits are kept. All loads were watched
 * until then, so a study that has some goes on with such loads.
 */
function fourth(): string {
  const own = ['id', 'serial', 'position', 'arm', 'evidence', 'status', 'reason', 'says'];
  const columns = [...own, ...FIGURES.filter(([, { since = 1 }]) => since <= 3).map(([name]) => name)];
  return `PRAGMA defer_foreign_keys = ON;
${trialTable('newTrial', 4)}
INSERT INTO newTrial (${columns.join(', ')}) SELECT ${columns.join(', ')} FROM trial;
DROP TABLE trial;
ALTER TABLE newTrial RENAME TO trial;
UPDATE trial SET overheadPercent = NULL WHERE payloadBytes = 0;
UPDATE study SET study = json_set(study, '$.har', 'full'), "plan" = json_set("plan", '$.har', 'full')
  WHERE EXISTS (SELECT 1 FROM trial);
CREATE TABLE referenceLoad (
  id INTEGER PRIMARY KEY, session INTEGER NOT NULL REFERENCES session, launch INTEGER NOT NULL,
  page TEXT NOT NULL, arm TEXT NOT NULL, watched INTEGER NOT NULL CHECK (watched IN (0, 1)),
  pltMs REAL, packed BLOB NOT NULL
) STRICT`;
}

/** How evenly a crowd was served was called the fairness of a pair before. */
function sixth(): string {
  return `${newFigures(6)};
UPDATE trial SET evenness = fairness, fairness = NULL WHERE tabs IS NOT NULL`;
}

/** Makes the table of trials as a version has it. */
function trialTable(name: string, version: number): string {
  const columns = Array.from({ length: version }, (_, index) => figureColumns(index + 1)).flat();
  return `CREATE TABLE ${name} (
  id INTEGER PRIMARY KEY, serial INTEGER NOT NULL REFERENCES block, position INTEGER NOT NULL,
  arm TEXT NOT NULL, evidence TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('ok', 'failed', 'void')), reason TEXT, says TEXT,
  ${columns.join(', ')},
  CHECK (launch IS NOT NULL),
  CHECK (status <> 'ok' OR (${requiredFigures(version).join(' AND ')})),
  CHECK ((status = 'ok') = (reason IS NULL) AND (reason IS NULL) = (says IS NULL)),
  UNIQUE (serial, position), UNIQUE (serial, arm)
) STRICT;`;
}

function newFigures(version: number): string {
  return figureColumns(version)
    .map((column) => `ALTER TABLE trial ADD COLUMN ${column}`)
    .join('; ');
}

/** The columns of the figures that came with a version, for `CREATE TABLE` or one `ADD COLUMN` each. */
function figureColumns(version: number): string[] {
  const types = {
    number: () => 'REAL',
    count: () => 'INTEGER',
    flag: (name: string) => `INTEGER CHECK (${name} IN (0, 1))`,
  };
  return FIGURES.filter(([, { since = 1 }]) => since === version).map(
    ([name, { kind }]) => `${name} ${types[kind](name)}`,
  );
}

/** Figures that each load must have, of those that came with the first version. */
function requiredFigures(version: number): string[] {
  const isRequired = ({ since = 1, optional, requiredBefore = 0 }: Figure) =>
    since === 1 && (!optional || version < requiredBefore);
  return FIGURES.filter(([, figure]) => isRequired(figure)).map(([name]) => `${name} IS NOT NULL`);
}

/** Brings a store to the newest version, each step whole or not at all; what is no store is refused and left as it is. */
export function migrate(database: DatabaseSync, migrations: readonly string[]): void {
  for (const [index, migration] of migrations.entries())
    inTransaction(database, () => {
      if (checkVersion(database, migrations) > index) return;
      database.exec(`${migration}; PRAGMA user_version = ${index + 1}`);
    });
}

/** The version of a store's schema, 0 where nothing has been written yet; throws where this version cannot read it. */
export function checkVersion(database: DatabaseSync, { length: newest }: readonly string[]): number {
  const version = pragma(database, 'user_version');
  const isEmpty = database.prepare('SELECT 1 FROM sqlite_schema').get() === undefined;
  if (pragma(database, 'application_id') !== APPLICATION_ID && !isEmpty) throw noStore(database.location()!);
  if (version > newest)
    throw new UsageError(
      `${database.location()} was written by a later Photofinish: its schema is version ${version}, this one knows ${newest}`,
    );
  return version;
}

/** What to say of a file that is something else. */
export function noStore(path: string): UsageError {
  return new UsageError(`${path} is no study's store`);
}

function pragma(database: DatabaseSync, name: 'user_version' | 'application_id'): number {
  return database.prepare(`PRAGMA ${name}`).get()![name] as number;
}

/** Does all of it or, where it throws, nothing. */
export function inTransaction<T>(database: DatabaseSync, work: () => T): T {
  database.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    // Some errors, such as a full disk, have rolled it back already.
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

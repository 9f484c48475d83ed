import { accessSync, constants, existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { UsageError } from '../model/errors.ts';
import { giveToSudoer } from '../system/write-whole.ts';
import { readerOf, type StoreReader } from './reading.ts';
import { checkVersion, MIGRATIONS, migrate } from './schema.ts';
import { codeOf, explain, explainEach, isForbidden } from './sqlite-error.ts';
import { type StoreWriter, writerOf } from './writing.ts';

/** The file in a study's folder that holds everything but the evidence. */
export const STORE_FILE = 'study.sqlite';

/** What a study asked for, planned and found: all that resuming, reports and exports need. */
export interface Store extends StoreReader, StoreWriter, Disposable {}

/** A store as it was when it was opened. */
export interface StoreSnapshot extends StoreReader, Disposable {}

/** The file may be a stranger's: what its schema computes does nothing but compute. */
const DISTRUST = 'PRAGMA trusted_schema = OFF';

/** How long to wait for another process that is writing. */
const WAIT_MS = 10_000;

/** Opens a study's store, or makes a new one; an older one is brought up to date. */
export function openStore(path: string, migrations = MIGRATIONS): Store {
  using undo = new DisposableStack();
  const database = explain(path, () => undo.use(new DatabaseSync(path, { timeout: WAIT_MS })));
  explain(path, () => {
    giveToSudoer(path); // SQLite gives what it lays beside the file to its owner.
    database.exec(DISTRUST);
    checkVersion(database, migrations);
    // Readers never wait for the writer. FULL: what was committed is on the disk, whatever becomes of the machine.
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
    migrate(database, migrations);
  });
  undo.defer(() => putAway(database));
  return explain(path, () => answering(path, undo.move(), { ...readerOf(database), ...writerOf(database) }));
}

/** Opens a store to read what is in it now: nothing that comes later, though its study may be running. */
export function openStoreToRead(path: string, migrations = MIGRATIONS): StoreSnapshot {
  if (!existsSync(path))
    throw new UsageError(
      `no study in ${dirname(path)}: there is no ${path}. Expected: a folder that "npx photofinish measure" made`,
    );
  const store = openStoreIfBegun(path, migrations);
  if (!store) throw new UsageError(`no study in ${dirname(path)}: nothing was written yet`);
  return store;
}

/** Opens a store to read; undefined where nothing was written yet, as its writer may have been killed before that. */
export function openStoreIfBegun(path: string, migrations = MIGRATIONS): StoreSnapshot | undefined {
  if (!existsSync(path)) return undefined;
  using undo = new DisposableStack();
  // One that may write takes away what SQLite lays beside the file; a reader could not.
  const database = explain(path, () => undo.use(new DatabaseSync(locationToRead(path), { timeout: WAIT_MS })));
  const version = explain(path, () => {
    database.exec(`${DISTRUST}; PRAGMA query_only = ON; BEGIN`);
    return checkVersion(database, migrations);
  });
  if (version === 0) return undefined;
  if (version === migrations.length) return answering(path, undo.move(), readerOf(database));
  undo.dispose();
  bringUpToDate(path, migrations);
  return openStoreToRead(path, migrations);
}

/** Has a study of an earlier version read like any other from now on, which takes a process that may write there. */
function bringUpToDate(path: string, migrations: typeof MIGRATIONS): void {
  try {
    openStore(path, migrations)[Symbol.dispose]();
  } catch (cause) {
    if (!isForbidden((cause as Error).cause)) throw cause;
    throw new UsageError(
      `the study in ${dirname(path)} is of an earlier version, and this user may not write there to bring it up to date. Expected: a copy of the folder that you may write to`,
      { cause },
    );
  }
}

/** SQLite needs files beside the one that it reads; where it cannot make them it is told that nothing will change. */
function locationToRead(path: string): string | URL {
  try {
    accessSync(dirname(path), constants.W_OK);
    return path;
  } catch {
    return existsSync(`${path}-wal`) ? path : new URL(`${pathToFileURL(path)}?immutable=1`);
  }
}

/** The methods of a store until its end, with whatever SQLite says put in words. */
function answering<T extends StoreReader>(path: string, end: DisposableStack, methods: T): T & Disposable {
  const explained = Object.entries(methods).map(([name, method]) => [
    name,
    (...args: unknown[]) => explain(path, () => method(...args)),
  ]);
  const trials = () => explainEach(path, methods.trials());
  return { ...(Object.fromEntries(explained) as T), trials, [Symbol.dispose]: () => end.dispose() };
}

/**
 * Leaves one file, which readers add none to; where another process is reading just now, or the disk has no room for
 * it, the files beside it are left to the next process that opens it.
 */
function putAway(database: DatabaseSync): void {
  try {
    database.exec('PRAGMA busy_timeout = 0; PRAGMA journal_mode = DELETE');
  } catch (cause) {
    if (codeOf(cause) === undefined) throw cause;
  }
}

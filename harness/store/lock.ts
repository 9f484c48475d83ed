import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { UsageError } from '../model/errors.ts';
import { giveToSudoer } from '../system/write-whole.ts';

/** The file in a study's folder whose lock tells other processes that one is at work on it. */
export const LOCK_FILE = 'study.lock';
/** SQLite's codes for a file that another process has locked. */
const BUSY = [5, 6];
/** A process that only looks whether the lock is held holds it for a moment itself. */
const LOOK_MS = 300;

/**
 * Keeps a study's folder for this process until it is disposed of; another process that wants it meanwhile is told so. The lock is the
 * kernel's on a file, so it ends with the process, whatever ends that; the file stays, or two could hold two of them.
 */
export function lockFolder(folder: string): Disposable {
  const path = `${folder}/${LOCK_FILE}`;
  using undo = new DisposableStack();
  const lock = undo.use(new DatabaseSync(path, { timeout: LOOK_MS }));
  giveToSudoer(path);
  try {
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (cause) {
    if (isBusy(cause)) throw new UsageError(`--out: another process is measuring the study in ${folder}`);
    throw cause;
  }
  return undo.move();
}

/** Whether a process is at work on the study in a folder. */
export function isAtWork(folder: string): boolean {
  const path = `${folder}/${LOCK_FILE}`;
  if (!existsSync(path)) return false;
  using lock = new DatabaseSync(path, { timeout: 0, readOnly: true });
  try {
    lock.exec('SELECT count(*) FROM sqlite_schema');
    return false;
  } catch (cause) {
    if (isBusy(cause)) return true;
    throw cause;
  }
}

function isBusy(cause: unknown): boolean {
  return BUSY.includes((cause as { errcode?: number }).errcode ?? 0);
}

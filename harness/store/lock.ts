import { DatabaseSync } from 'node:sqlite';
import { UsageError } from '../model/errors.ts';

const LOCK_FILE = 'study.lock';
/** SQLite's words for a file that somebody else has locked. */
const BUSY = [5, 6];

/**
 * Keeps a study's folder for this process until it is disposed of; whoever comes meanwhile is told so. The lock is the
 * kernel's on a file, so it ends with the process, whatever ends that; the file stays, or two could hold two of them.
 */
export function lockFolder(folder: string): Disposable {
  const path = `${folder}/${LOCK_FILE}`;
  using undo = new DisposableStack();
  const lock = undo.use(new DatabaseSync(path, { timeout: 0 }));
  try {
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (cause) {
    if (BUSY.includes((cause as { errcode?: number }).errcode ?? 0))
      throw new UsageError(`--out: somebody is at work on the study in ${folder}`);
    throw cause;
  }
  return undo.move();
}

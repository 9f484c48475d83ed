import { existsSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { UsageError } from '../../model/errors.ts';
import { type ReadRecording, readRecording } from './store.ts';

/*
 * Recordings that were made of something else, each in `CACHE/KEY/NAME` below a key of all that it was made of: the next
 * use of the same sources finds it, and another key is another recording.
 */

/** A recording that is there and whole; undefined where it is not, so that it is made again. */
export function findCached(root: string): ReadRecording | undefined {
  if (!existsSync(root)) return undefined;
  try {
    const found = readRecording(root);
    if (found.leftOut.length > 0) return undefined;
    utimesSync(dirname(root), new Date(), new Date());
    return found;
  } catch (error) {
    if (error instanceof UsageError) return undefined;
    throw error;
  }
}

const KEPT_MS = 30 * 86_400_000;

/** A site that changes again and again leaves a recording each time; those unused for a month are deleted. */
export function forgetOld(cache: string): void {
  if (!existsSync(cache)) return;
  for (const name of readdirSync(cache).filter((each) => /^[0-9a-f]{32}$/.test(each))) {
    const path = join(cache, name);
    if (Date.now() - statSync(path).mtimeMs > KEPT_MS) rmSync(path, { recursive: true, force: true });
  }
}

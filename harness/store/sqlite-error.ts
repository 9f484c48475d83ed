import { EnvironmentError, UsageError } from '../model/errors.ts';
import { inOneLine } from '../model/printable.ts';
import { noStore } from './schema.ts';

/** Does what SQLite is asked for; what it then finds wrong is put in words. */
export function explain<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw inWords(path, cause);
  }
}

/** Goes through what SQLite returns piece by piece; what it then finds wrong is put in words. */
export function* explainEach<T>(path: string, things: Iterable<T>): Iterable<T> {
  try {
    yield* things;
  } catch (cause) {
    throw inWords(path, cause);
  }
}

/** SQLite's words for what is wrong with a file, or where it lies. */
const [BUSY, READ_ONLY, DISK, CORRUPT, FULL, CANNOT_OPEN, NOT_A_DATABASE] = [5, 8, 10, 11, 13, 14, 26];

/** What a person is told of an error of SQLite's; one that only a mistake here can cause stays what it is. */
function inWords(path: string, cause: unknown): unknown {
  const message = inOneLine((cause as Error).message);
  switch (codeOf(cause)) {
    case NOT_A_DATABASE:
      return noStore(path);
    case CORRUPT:
      return new UsageError(`${path} is damaged (${message}). Expected: an intact copy of it, or another folder`, {
        cause,
      });
    case FULL:
      return new EnvironmentError(`no room for ${path} (${message}); what was finished before is in it`, { cause });
    case BUSY:
    case READ_ONLY:
    case DISK:
    case CANNOT_OPEN:
      return new EnvironmentError(`${path} cannot be opened, read or written: ${message}`, { cause });
    default:
      return /^(?:no such (?:table|column)|malformed JSON)/.test(message) || isUnreadable(cause)
        ? new UsageError(`${path} is damaged (${message}). Expected: an intact copy of it, or another folder`, {
            cause,
          })
        : cause;
  }
}

/** Whether an error says that something is not the JSON, packed or not, that it should be. */
function isUnreadable(cause: unknown): boolean {
  const { code = '' } = cause as { code?: string };
  return cause instanceof SyntaxError || /^Z_|^ERR_BUFFER_TOO_LARGE$|^ERR_INVALID_ARG_TYPE$/.test(code);
}

/** Whether SQLite may not write a file, or none beside it. */
export function isForbidden(cause: unknown): boolean {
  return [READ_ONLY, CANNOT_OPEN].some((code) => code === codeOf(cause));
}

/** Which kind of error SQLite calls it; undefined for one that is none of its own. */
export function codeOf(cause: unknown): number | undefined {
  const { errcode } = (cause ?? {}) as { errcode?: number };
  return errcode === undefined ? undefined : errcode & 0xff;
}

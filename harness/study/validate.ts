import type { z } from 'zod';
import { UsageError } from '../model/errors.ts';
import { nearest } from './nearest.ts';
import { oneLine, type Path, type PlacedData, shortened } from './place.ts';

type Issue = z.core.$ZodIssue;

/** Problems beyond this number are not counted. */
const MAX_PROBLEMS = 1_000;

/** How a problem begins that stands nowhere in the file. */
const MISSING = 'missing';

interface Problem {
  readonly path: Path;
  readonly says: string;
}

/**
 * What a file says, typed; the error names the first of its problems and how many more there are. A schema's messages
 * are what is allowed; those of its own checks (`custom`) say all there is to say.
 */
export function validate<Schema extends z.ZodType>(schema: Schema, placed: PlacedData): z.output<Schema> {
  const { success, data, error } = schema.safeParse(placed.data);
  if (success) return data;
  const problems = error.issues
    .flatMap((issue) => problemsOf(issue, [], placed.data))
    .slice(0, MAX_PROBLEMS)
    .map(({ path, says }) => ({
      // A key that is missing and one that is unknown are often one mistake, which the unknown one shows.
      line: says.startsWith(MISSING) ? Number.POSITIVE_INFINITY : placed.lineOf(path),
      says: oneLine(`${placed.place(path)}: ${says}`),
    }))
    .toSorted((a, b) => (a.line === b.line ? 0 : a.line - b.line));
  const [first, ...more] = new Set(problems.map(({ says }) => says));
  throw new UsageError(more.length === 0 ? first : `${first} (and ${more.length} more)`);
}

function problemsOf(issue: Issue, above: Path, data: unknown): Problem[] {
  const path = [...above, ...issue.path];
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => unknownKey([...path, key], issue.message));
    case 'invalid_union': {
      const meant = issue.errors.find((branch) => !branch.some(isOfAnotherKind));
      return meant ? meant.flatMap((each) => problemsOf(each, path, data)) : [refused(path, issue, data)];
    }
    default:
      return [refused(path, issue, data)];
  }
}

/** Whether a branch of a union was not the one that was meant. */
function isOfAnotherKind({ code, path }: Issue): boolean {
  return path.length === 0 && (code === 'invalid_type' || code === 'invalid_value');
}

function unknownKey(path: Path, allowed: string): Problem {
  const meant = nearest(String(path.at(-1)), allowed.split(', '));
  const perhaps = meant === undefined ? '' : ` Did you mean "${meant}"?`;
  return { path, says: `unknown key.${perhaps} Expected: ${allowed}` };
}

function refused(path: Path, { code, message }: Issue, data: unknown): Problem {
  const says = code === 'custom' ? message : `${describe(valueAt(data, path))}. Expected: ${message}`;
  return { path, says };
}

function valueAt(data: unknown, path: Path): unknown {
  return path.reduce<unknown>((whole, step) => (whole as Record<PropertyKey, unknown> | null)?.[step], data);
}

function describe(value: unknown): string {
  if (value === undefined) return MISSING;
  if (value === null) return 'empty';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list does not fit' : 'a list does not fit';
  if (typeof value === 'object') return 'a mapping does not fit';
  return `"${shortened(String(value))}" is not valid`;
}

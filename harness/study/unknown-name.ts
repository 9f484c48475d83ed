import { UsageError } from '../model/errors.ts';
import { inWords } from '../model/wording.ts';
import { nearest } from './nearest.ts';
import { shortened } from './place.ts';

/** What a name was expected to be. */
export interface KnownNames {
  /** The option, or the part of a file; nothing where that is plain. */
  readonly where?: string;
  /** What the name is of: `link`. */
  readonly what: string;
  readonly known: readonly string[];
  /** What may stand there, where it is not just one of the known names. */
  readonly expected?: string;
  /** The command that shows the known names. */
  readonly see?: string | undefined;
  /** What was perhaps meant, where that is known by other means than the names. */
  readonly perhaps?: string | undefined;
}

/** The error for a name that is not known. It says what is wrong, what was perhaps meant, and what to type next. */
export function unknownName(name: string, { where, what, known, expected, see, perhaps }: KnownNames): UsageError {
  const meant = nearest(name, known) ?? perhaps;
  const sentences = [
    `"${shortened(name)}" is not a known ${what}.`,
    ...(meant === undefined ? [] : [`Did you mean "${meant}"?`]),
    ...(expected === undefined && see !== undefined ? [] : [`Expected: ${expected ?? inWords(known, 'or')}.`]),
    ...(see === undefined ? [] : [`See: ${see}`]),
  ];
  return new UsageError(`${where === undefined ? '' : `${where}: `}${sentences.join(' ').replace(/\.$/, '')}`);
}

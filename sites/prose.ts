import type { Random } from '../harness/stats/random.ts';

const ADJECTIVES = (
  'old quiet northern narrow bright early public open careful small steady distant plain wooden local modern ' +
  'heavy patient clear common late green broad familiar simple rare southern warm empty long'
).split(' ');
const NOUNS = (
  'harbour valley market library bridge garden railway village river workshop island station forest museum road ' +
  'kitchen window letter engine lantern orchard coast winter summer morning archive festival ferry tower meadow'
).split(' ');
const VERBS = (
  'follows crosses remembers opens meets carries leaves reaches keeps shapes joins passes shows needs holds ' +
  'changes welcomes serves outlasts explains'
).split(' ');
const PREPOSITIONS = 'near behind beyond above along beside before after without under'.split(' ');

/** One of the items. */
export function pick<T>(items: readonly T[], random: Random): T {
  return items[Math.floor(random() * items.length)]!;
}

/** A headline of some words. */
export function writeTitle(random: Random): string {
  const form = pick(
    [
      () => `The ${pick(ADJECTIVES, random)} ${pick(NOUNS, random)}`,
      () => `A ${pick(NOUNS, random)} ${pick(PREPOSITIONS, random)} the ${pick(NOUNS, random)}`,
      () => `How the ${pick(NOUNS, random)} ${pick(VERBS, random)} the ${pick(NOUNS, random)}`,
    ],
    random,
  );
  return form().replace(/^A ([aeiou])/, 'An $1');
}

/** A sentence that an English reader takes for one. */
export function writeSentence(random: Random): string {
  const thing = () => `the ${pick(ADJECTIVES, random)} ${pick(NOUNS, random)}`;
  const clause = () => `${thing()} ${pick(VERBS, random)} the ${pick(NOUNS, random)}`;
  const form = pick(
    [
      () => `${clause()} ${pick(PREPOSITIONS, random)} ${thing()}`,
      () => `${pick(PREPOSITIONS, random)} the ${pick(NOUNS, random)}, ${clause()}`,
      () => `${clause()}, and ${clause()}`,
    ],
    random,
  );
  const text = form();
  return `${text[0]!.toUpperCase()}${text.slice(1)}.`;
}

/** A paragraph of a given number of sentences. */
export function writeParagraph(random: Random, sentences: number): string {
  return Array.from({ length: sentences }, () => writeSentence(random)).join(' ');
}

/** How a language begins and ends its comments. */
export type CommentMarks = readonly [open: string, close: string];

export const HTML_COMMENT: CommentMarks = ['<!--', '-->'];
export const BLOCK_COMMENT: CommentMarks = ['/*', '*/'];

const FILLER = ' This comment brings the file to its size. ';

/** Brings text (ASCII) to exactly the given size by a comment at its end. */
export function padText(text: string, bytes: number, [open, close]: CommentMarks): string {
  const room = bytes - text.length - open.length - close.length;
  if (room < 0) throw new Error(`a text of ${text.length} characters does not fit into ${bytes} bytes`);
  return `${text}${open}${FILLER.repeat(Math.ceil(room / FILLER.length)).slice(0, room)}${close}`;
}

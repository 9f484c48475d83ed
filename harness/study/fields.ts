import { z } from 'zod';
import { UsageError } from '../model/errors.ts';
import { shortened } from './place.ts';
import { parsePercent } from './quantity.ts';
import { unknownName } from './unknown-name.ts';

/** Nothing that is written by hand is longer. */
const MAX_TEXT = 1_000;

/** A text; `allowed` is for the message where something else stands. */
export function text(allowed: string) {
  return z
    .string({ error: allowed })
    .max(MAX_TEXT, { error: `${allowed} (up to ${MAX_TEXT} characters)`, abort: true });
}

/** A whole number within bounds that it may reach. */
export function wholeNumber(low: number, high: number, unit = '') {
  const error = `${low} to ${high}${unit}`;
  return z.number({ error }).int({ error }).min(low, { error }).max(high, { error });
}

/** A number within bounds that it may reach. */
export function numberWithin(low: number, high: number, unit = '') {
  const error = `${low} to ${high}${unit}`;
  return z.number({ error }).min(low, { error }).max(high, { error });
}

/** A share, written in percent with the sign, since 0.5 might mean either. */
export function shareInPercent(low: number, high: number) {
  const allowed = `${low}% to ${high}%, with the sign`;
  return reading(text(allowed), (written, where) => {
    const value = written.trim().endsWith('%') ? parsePercent(written, { where, allowed }) : Number.NaN;
    if (value >= low && value <= high) return value / 100;
    throw new UsageError(`${where}: "${shortened(written)}" is not valid. Expected: ${allowed}`);
  });
}

/** One of some words. */
export function oneOf<const Word extends string>(words: readonly Word[]) {
  return z.enum(words, { error: words.join(', ') });
}

/** The name of something that there is. */
export function knownName(what: string, known: readonly string[]) {
  return reading(text(known.join(', ')), (name, where) => findName(what, name, known, where));
}

/** What a command shows all of. */
const LISTS: Readonly<Record<string, string>> = { server: 'npx photofinish list servers' };

/** The name, where there is something of that name. */
export function findName<const Name extends string>(
  what: string,
  name: string,
  known: readonly Name[],
  where: string,
): Name {
  const found = known.find((each) => each === name);
  if (found !== undefined) return found;
  const see = LISTS[what];
  throw unknownName(name, { where, what, known, see });
}

/** A list of at least one, each once. */
export function listOf<Item extends z.ZodType>(item: Item, what: string) {
  const error = `a list of ${what}`;
  return z
    .array(item, { error })
    .min(1, { error, abort: true })
    .superRefine((items, context) => {
      const index = items.findIndex((each, at) => items.indexOf(each) !== at);
      if (index !== -1) addProblem(context, namedTwice(String(items[index])), [index]);
    });
}

/** A mapping of these keys and no others. */
export function mappingOf<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  const keys = Object.keys(shape);
  return z.strictObject(shape, {
    error: ({ code }) => (code === 'unrecognized_keys' ? keys.join(', ') : `a mapping with ${keys.join(', ')}`),
  });
}

/** A text of a form. */
export function textLike(form: RegExp, allowed: string) {
  return text(allowed).regex(form, { error: allowed, abort: true });
}

/** Adds a problem that says all there is to say; nothing that follows from the field is looked at then. */
export function addProblem(context: z.RefinementCtx, message: string, path: readonly PropertyKey[] = []): void {
  context.addIssue({ code: 'custom', message, path: [...path], continue: false });
}

/** What is wrong with a list that has the same thing twice. */
export function namedTwice(name: string): string {
  return `"${name}" is named twice. Expected: each once`;
}

/** Where a reader thinks it is, until the field says where that is. */
const HERE = 'here';

/** A field that a reader makes something of; the reader's UsageError is the field's problem. */
export function reading<In, Out>(field: z.ZodType<In>, reader: (value: In, where: string) => Out) {
  return field.transform((value, context): Out => {
    const { read, refused } = attempt((where) => reader(value, where));
    if (refused === undefined) return read as Out;
    addProblem(context, refused);
    return z.NEVER;
  });
}

/** What a reader reads, or what it says against it, without the place. */
export function attempt<Out>(reader: (where: string) => Out): { readonly read?: Out; readonly refused?: string } {
  try {
    return { read: reader(HERE) };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return { refused: error.message.slice(`${HERE}: `.length) };
  }
}

/** Words as a list: `h1, h2 and h3`. */
export function inWords(words: readonly string[], last: 'and' | 'or'): string {
  return LISTS[last].format(words);
}

// British English has no comma before the last word.
const LISTS = {
  and: new Intl.ListFormat('en-GB', { type: 'conjunction' }),
  or: new Intl.ListFormat('en-GB', { type: 'disjunction' }),
} as const;

/** A sentence as it stands in the middle of another one. */
export function withoutCapital(sentence: string): string {
  return `${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`;
}

/** Words as they begin a sentence. */
export function withCapital(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

/** Whole percents, and tenths below ten; with a true minus sign. */
export function percentInWords(percent: number): string {
  if (!Number.isFinite(percent)) return percent > 0 ? 'any number of %' : 'less than −1000 %';
  const size = Number(Math.abs(percent).toFixed(Math.abs(percent) < 9.95 ? 1 : 0));
  return `${percent < 0 && size > 0 ? '−' : ''}${size.toLocaleString('en')} %`;
}

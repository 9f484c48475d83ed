/** The steps from the whole of a file to a part of it: keys, and indices in lists. */
export type Path = readonly PropertyKey[];

/** Says where a part stands, for a message: `my.yaml:7: links[2]`, or the option that gave it. */
export type FieldPlace = (path: Path) => string;

/** What a file says, and in which of its lines. */
export interface PlacedData {
  readonly data: unknown;
  readonly lineOf: (path: Path) => number;
  readonly place: FieldPlace;
}

/** A path as one would write it: `grids[0].links[2]`. */
export function renderPath(path: Path): string {
  return path.map(renderStep).join('').replace(/^\./, '');
}

function renderStep(step: PropertyKey): string {
  if (typeof step === 'number') return `[${step}]`;
  const key = shortened(String(step));
  return /^[\w-]+$/.test(key) ? `.${key}` : `['${key}']`;
}

/** What a message can hold of a text of any length. */
export function shortened(text: string): string {
  return oneLine(text.length > 80 ? `${text.slice(0, 80)}…` : text);
}

/** A text as one line, without anything that a terminal would act upon. */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ').trim();
}

import type { Dimension, PaperPlace, PaperPlaces } from '../model/paper.ts';
import { inWords } from '../model/wording.ts';
import type { Spot } from './source.ts';

const DIMENSIONS = ['site', 'server', 'rateKbps', 'rttMs', 'lossPercent', 'tabs'] as const;

/** Every combination of the products, each once. */
export function expandPlaces(products: readonly PaperPlaces[]): readonly PaperPlace[] {
  return products.flatMap((product) =>
    DIMENSIONS.reduce<PaperPlace[]>(
      (places, key) => {
        const values = product[key];
        return values ? places.flatMap((place) => values.map((value) => ({ ...place, [key]: value }))) : places;
      },
      [{}],
    ),
  );
}

/** Whether a spot is what is asked for, as far as that says anything. */
export function liesIn({ place }: Spot, asked: PaperPlace): boolean {
  return DIMENSIONS.every((key) => asked[key] === undefined || isSame(place[key], asked[key]));
}

/** The spot that differs from this one in nothing but what is said. */
export function partnerOf(spot: Spot, at: PaperPlace, spots: readonly Spot[]): Spot | undefined {
  const wanted: PaperPlace = { ...spot.place, ...at };
  return spots.find(({ place }) => DIMENSIONS.every((key) => isSame(place[key], wanted[key])));
}

/** A rate of 4.95 Mbit/s is one of 4950 kbit/s, whichever way it was come to. */
function isSame(a: PaperPlace[Dimension], b: PaperPlace[Dimension]): boolean {
  if (typeof a !== 'number' || typeof b !== 'number' || !Number.isFinite(a - b)) return a === b;
  return Math.abs(a - b) <= 1e-6 * Math.max(Math.abs(a), Math.abs(b));
}

/** A place in words, of which some may be left out if anything is left. */
export function describePlace(place: PaperPlace, without: readonly Dimension[] = []): string {
  const tell = (keys: readonly Dimension[]) =>
    keys.flatMap((key) => (place[key] === undefined ? [] : [describe(key, place[key])])).join(', ');
  return tell(DIMENSIONS.filter((key) => !without.includes(key))) || tell(DIMENSIONS) || 'anywhere';
}

function describe(key: Dimension, value: string | number): string {
  if (key === 'rateKbps') return describeRate(Number(value));
  if (key === 'rttMs') return `${value} ms`;
  if (key === 'lossPercent') return `${value} % loss`;
  return key === 'tabs' ? `${value} tabs a client` : `${value}`;
}

function describeRate(kbps: number): string {
  if (!Number.isFinite(kbps)) return 'unlimited';
  return kbps >= 1000 ? `${kbps / 1000} Mbit/s` : `${kbps} kbit/s`;
}

/** What all of the places have in common. */
export function commonDimensions(products: readonly PaperPlaces[]): readonly Dimension[] {
  return DIMENSIONS.filter((key) => {
    const values = new Set(products.flatMap((product): readonly (string | number)[] => product[key] ?? []));
    return values.size === 1 && products.every((product) => product[key] !== undefined);
  });
}

/** Several places in words: what they have in common once. */
export function describePlaces(products: readonly PaperPlaces[]): string {
  return products
    .map((product) =>
      DIMENSIONS.flatMap((key) => {
        const values = product[key];
        return values ? [describeValues(key, values)] : [];
      }).join('; '),
    )
    .join('; and ');
}

/** A unit once: `18 or 218 ms`. */
function describeValues(key: Dimension, values: readonly (string | number)[]): string {
  const told = values.map((value) => describe(key, value));
  const [, unit] = /^\S+( .+)$/.exec(told[0]!) ?? [];
  if (unit === undefined || told.some((text) => !text.endsWith(unit))) return inWords(told, 'or');
  return `${inWords(
    told.map((text) => text.slice(0, -unit.length)),
    'or',
  )}${unit}`;
}

import type { Film } from '../model/film.ts';
import type { PageFilm } from './page-data.ts';

/** What films may take of a page, in characters: they are the largest thing in it, and the least needed. */
const FILMS_LENGTH = 4_500_000;

/** A film and where it belongs. */
export interface PlacedFilm {
  readonly condition: string;
  readonly arm: string;
  readonly film: Film;
}

/** The films of a page by condition, thinned until all of them are short enough; pictures are told once. */
export function packFilms(
  films: readonly PlacedFilm[],
  numberOf: (picture: string) => number,
  most = FILMS_LENGTH,
): ReadonlyMap<string, readonly PageFilm[]> {
  let kept = films.filter(({ film }) => film.frames.length > 0 && film.frames.every(isPicture));
  while (lengthOf(kept) > most && kept.some(({ film }) => film.frames.length > 2)) kept = kept.map(thinned);
  const packed = kept.map(({ condition, arm, film: { pltMs, frames } }) => ({
    condition,
    film: { arm, pltMs, frames: frames.map(({ atMs, jpeg }) => ({ atMs, picture: numberOf(jpeg) })) },
  }));
  return new Map(
    [...Map.groupBy(packed, ({ condition }) => condition)].map(([id, own]) => [id, own.map(({ film }) => film)]),
  );
}

/** What becomes an address must be nothing else. */
function isPicture({ jpeg }: { readonly jpeg: string }): boolean {
  return /^[A-Za-z0-9+/]+=*$/.test(jpeg);
}

function lengthOf(films: readonly PlacedFilm[]): number {
  const pictures = new Set(films.flatMap(({ film }) => film.frames.map(({ jpeg }) => jpeg)));
  return [...pictures].reduce((sum, jpeg) => sum + jpeg.length, 0);
}

/** Every other frame, and the last. */
function thinned({ film, ...place }: PlacedFilm): PlacedFilm {
  const last = film.frames.length - 1;
  return { ...place, film: { ...film, frames: film.frames.filter((_, index) => index % 2 === 0 || index === last) } };
}

import type { Arrival, RecipeFile } from '../harness/model/site.ts';
import type { Draw } from './draw.ts';
import { makeFile } from './file.ts';
import { type PhotoOptions, renderPhoto } from './photo.ts';
import { renderFlag } from './png.ts';

/** A flag as a file of a site; each name has a flag of its own. */
export function makeFlag(draw: Draw, name: string, bytes: number): RecipeFile {
  return makeFile(name, renderFlag(draw(name), bytes));
}

/** A photo as a file of a site; each name has a photo of its own. */
export function makePhoto(
  draw: Draw,
  name: string,
  { arrives, ...options }: Omit<PhotoOptions, 'random'> & { readonly arrives?: Arrival | undefined },
): RecipeFile {
  return makeFile(name, renderPhoto({ random: draw(name), ...options }), arrives);
}

/** Names from `NAME-1.EXTENSION` up. */
export function numberNames(count: number, name: string, extension: 'jpg' | 'png'): string[] {
  return Array.from({ length: count }, (_, index) => `${name}-${index + 1}.${extension}`);
}

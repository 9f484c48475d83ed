import type { Recipe, RecipeFile } from '../harness/model/site.ts';
import { type Draw, openDraw } from './draw.ts';
import { renderImage, renderSitePage } from './page.ts';
import { makeFlag, makePhoto, numberNames } from './pictures.ts';

// Krämer, Megyesi, Molnár 2015: few or many objects, small or large, on a page of nothing else.
const FEW = 5;
const MANY = 50;
/** The sizes of small objects: country flags, spread over this range. */
const SMALL_BYTES = [400, 8192] as const;
/** The size of large objects: photos. */
const LARGE_BYTES = 131_072;

export const fewSmall = flagSite('Few small', FEW, '6 requests, 21 KB: 5 flags of 400 B to 8 KB (Krämer 2015)');
export const manySmall = flagSite('Many small', MANY, '51 requests, 217 KB: 50 flags of 400 B to 8 KB (Krämer 2015)');
export const fewLarge = photoSite('Few large', FEW, '6 requests, 656 KB: 5 photos of 131,072 B (Krämer 2015)');
export const manyLarge = photoSite('Many large', MANY, '51 requests, 6.6 MB: 50 photos of 131,072 B (Krämer 2015)');

/** Gonçalves, Maroñas Monks 2015: the flags of the world on one page. */
export const flags254: Recipe = {
  describes: '255 requests, 421 KB: 254 flags of 1,600 B (Gonçalves 2015)',
  version: 1,
  files: (seed) => {
    const flags = makeFlags(openDraw('flags', seed), new Array<number>(254).fill(1600));
    return [imagePage('Flags of the world', flags, [64, 43]), ...flags];
  },
};

function flagSite(title: string, count: number, describes: string): Recipe {
  const [least, most] = SMALL_BYTES;
  const sizes = Array.from({ length: count }, (_, index) => Math.round(least + ((most - least) * index) / (count - 1)));
  return {
    describes,
    version: 2,
    files: (seed) => {
      const flags = makeFlags(openDraw(title, seed), sizes);
      return [imagePage(title, flags, [96, 64]), ...flags];
    },
  };
}

function photoSite(title: string, count: number, describes: string): Recipe {
  return {
    describes,
    version: 1,
    files: (seed) => {
      const draw = openDraw(title, seed);
      const photos = numberNames(count, 'photo', 'jpg').map((name) => makePhoto(draw, name, { bytes: LARGE_BYTES }));
      return [imagePage(title, photos, [240, 160]), ...photos];
    },
  };
}

/** A flag of each size, all different. */
export function makeFlags(draw: Draw, sizes: readonly number[]): RecipeFile[] {
  return numberNames(sizes.length, 'flag', 'png').map((name, index) => makeFlag(draw, name, sizes[index]!));
}

/** A page of images that are all asked for at once. */
function imagePage(
  title: string,
  images: readonly RecipeFile[],
  [width, height]: readonly [number, number],
): RecipeFile {
  return renderSitePage({ title, body: images.map(({ name }) => renderImage({ src: name, width, height })) });
}

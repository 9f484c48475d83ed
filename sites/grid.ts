import type { Recipe, RecipeFile } from '../harness/model/site.ts';
import { seededRandom } from '../harness/stats/random.ts';
import { renderFlag } from './png.ts';

/** Krämer et al. 2015: country flags of 400 bytes to 8 KB, spread over that range. */
const SMALL_BYTES = [400, 8192] as const;

/** A page of images that are all asked for at once. */
function imagePage(title: string, images: readonly RecipeFile[]): RecipeFile {
  const tags = images.map(({ name }) => `<img src="${name}" alt="">`).join('\n');
  const html = `<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<title>${title}</title>\n${tags}\n`;
  return { name: 'index.html', type: 'text/html', body: Buffer.from(html) };
}

function smallImages(count: number, seed: number): RecipeFile[] {
  const random = seededRandom(seed, 'flags');
  const [least, most] = SMALL_BYTES;
  return Array.from({ length: count }, (_, index) => {
    const bytes = Math.round(least + ((most - least) * index) / Math.max(1, count - 1));
    return { name: `flag-${index + 1}.png`, type: 'image/png', body: renderFlag(random, bytes) };
  });
}

/** 50 flags on one page: many small objects. */
export const manySmall: Recipe = {
  describes: '50 flags of 400 B to 8 KB (Krämer 2015)',
  version: 1,
  files: (seed) => {
    const images = smallImages(50, seed);
    return [imagePage('Many small', images), ...images];
  },
};

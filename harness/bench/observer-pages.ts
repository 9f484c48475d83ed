import { openDraw } from '../../sites/draw.ts';
import { makeFlags } from '../../sites/grid.ts';
import { renderImage, renderSitePage } from '../../sites/page.ts';
import type { RecordedSite } from '../model/recording.ts';
import type { GeneratedSite, Recipe } from '../model/site.ts';
import { recordFolder } from '../run/record-folder.ts';
import { findSite } from '../run/sites.ts';
import { findFolder } from '../site/folder/find-folder.ts';
import { generateSite } from '../site/generate.ts';

const COUNT = 500;
const BYTES = 800;

const MANY_PNGS: Recipe = {
  describes: `${COUNT + 1} requests: ${COUNT} flags of ${BYTES} B`,
  version: 1,
  files: (seed) => {
    const flags = makeFlags(openDraw('PNGs', seed), new Array<number>(COUNT).fill(BYTES));
    const body = flags.map(({ name }) => renderImage({ src: name, width: 32, height: 21 }));
    return [renderSitePage({ title: 'PNGs', body }), ...flags];
  },
};

/** A page of enough small PNGs to show what a load pays for each request. */
export function makePngPage(folder: string): GeneratedSite {
  return generateSite(`pngs-${COUNT}`, MANY_PNGS, 1, folder);
}

/** The shop as a built folder that is recorded, and replayed as it was. */
export function recordShop(cache: string): Promise<RecordedSite> {
  const { root } = findSite('shop');
  const built = findFolder(`${root}/shop`)!;
  return recordFolder(
    { ...built, name: 'recorded-shop' },
    { device: 'desktop', signal: AbortSignal.timeout(120_000), cache },
  );
}

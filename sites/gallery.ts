import type { Recipe, RecipeFile } from '../harness/model/site.ts';
import { seededRandom } from '../harness/stats/random.ts';
import { splitBytes } from './bytes.ts';
import { makeFile, sumBytes } from './file.ts';
import {
  FONTS,
  type FontFile,
  linkScripts,
  linkStylesheets,
  makeFonts,
  makeScripts,
  makeStylesheets,
  preloadFonts,
} from './furnishing.ts';
import { MIXES, STYLESHEETS } from './medians.ts';
import { renderImage, renderPage } from './page.ts';
import { renderPhoto } from './photo.ts';
import { renderFlag } from './png.ts';
import { writeParagraph, writeSentence, writeTitle } from './prose.ts';
import { renderBar, renderTheme } from './theme.ts';

/*
 * A photographer's gallery: all of its photos but the first row are lazy.
 *
 *     bar, title      2 scripts block, then 8 stylesheets
 *     7 rows of 5     less than 1,900 px down: fetched by every load, the first row with fetchpriority=high
 *     about           11,000 px of text and room
 *     archive         lazy, never fetched without scrolling
 */

const FONT_FILES = Object.keys(FONTS) as FontFile[];
const { html, css, scripts, images } = MIXES.gallery;
const BLOCKING = ['polyfills', 'masonry'];
const DEFERRED = 'vendor runtime main lightbox slideshow keyboard share metrics'.split(' ');
const SCRIPT_NAMES = [...BLOCKING, ...DEFERRED].map((name) => `${name}.js`);

const LOGO_BYTES = 2_000;
const PHOTOS = images.count - 1;
const COLUMNS = 5;
const ARCHIVE = 30;
const ARCHIVE_BYTES = 40_000;

/** 58 requests. */
export const gallery: Recipe = {
  describes: "58 requests, 3.4 MB: a photographer's gallery of today (HTTP Archive, 75th percentile of images)",
  version: 1,
  files: (seed) => {
    const stylesheets = makeStylesheets({
      seed,
      names: STYLESHEETS,
      bytes: css.bytes,
      rules: RULES,
      fonts: FONT_FILES,
    });
    const scriptFiles = makeScripts({ seed, names: SCRIPT_NAMES, bytes: scripts.bytes });
    const page = renderGallery(seed, stylesheets, scriptFiles);
    return [page, ...stylesheets, ...scriptFiles, ...makeFonts(FONT_FILES), ...makePictures(seed)];
  },
};

function makePictures(seed: number): RecipeFile[] {
  const photo = (name: string, bytes: number) => renderPhoto({ random: seededRandom(seed, name), bytes });
  const logo = makeFile('logo.png', renderFlag(seededRandom(seed, 'logo'), LOGO_BYTES));
  const photos = splitBytes(images.bytes - sumBytes([logo]), PHOTOS).map((bytes, index) => {
    const name = `photo-${index + 1}.jpg`;
    return makeFile(name, photo(name, bytes), index < COLUMNS ? undefined : 'after-load');
  });
  const archive = Array.from({ length: ARCHIVE }, (_, index) => {
    const name = `archive-${index + 1}.jpg`;
    return makeFile(name, photo(name, ARCHIVE_BYTES), 'on-scroll');
  });
  return [logo, ...photos, ...archive];
}

const RULES = `${renderTheme({ ink: '#ddd', paper: '#111', band: '#000', accent: '#7a8fa6' })}
.title{padding:22px 24px 12px}
.title h1{font-size:38px}
.title p{margin:4px 0 0}
.grid{display:grid;grid-template-columns:repeat(${COLUMNS},1fr);gap:8px;padding:0 24px}
.grid img{width:100%;height:172px}
.about{height:11000px;padding:32px 24px;columns:2}`;

function renderGallery(
  seed: number,
  stylesheets: readonly RecipeFile[],
  scriptFiles: readonly RecipeFile[],
): RecipeFile {
  const random = seededRandom(seed, 'text');
  const photos = Array.from({ length: PHOTOS }, (_, index) => {
    const first = index < COLUMNS;
    const src = `photo-${index + 1}.jpg`;
    const alt = writeTitle(random);
    return renderImage({
      src,
      width: 257,
      height: 172,
      alt,
      lazy: !first,
      ...(first && { priority: 'high' as const }),
    });
  });
  const archive = Array.from({ length: ARCHIVE }, (_, index) =>
    renderImage({ src: `archive-${index + 1}.jpg`, width: 257, height: 172, lazy: true }),
  );
  return renderPage({
    title: 'Northern Light',
    head: [
      '<meta name="viewport" content="width=device-width">',
      ...preloadFonts(['text.woff2', 'bold.woff2']),
      ...linkScripts(scriptFiles.slice(0, BLOCKING.length)),
      ...linkStylesheets(stylesheets),
      ...linkScripts(scriptFiles.slice(BLOCKING.length), 'defer'),
    ],
    body: [
      ...renderBar({ name: 'Northern Light', logo: 'logo.png', links: ['Work', 'Series', 'Prints', 'About'] }),
      `<section class="title"><h1>${writeTitle(random)}</h1><p class="light">${writeSentence(random)}</p></section>`,
      `<section class="grid">${photos.join('\n')}</section>`,
      '<section class="about" style="height:11000px">',
      ...Array.from({ length: 14 }, () => `<p>${writeParagraph(random, 6)}</p>`),
      `</section><section class="grid">${archive.join('\n')}</section>`,
      `<footer class="foot">${writeSentence(random)}</footer>`,
    ],
    bytes: html.bytes,
  });
}

import type { Recipe, RecipeFile } from '../harness/model/site.ts';
import { splitBytes } from './bytes.ts';
import { type Draw, openDraw } from './draw.ts';
import {
  FONT_FILES,
  linkScripts,
  linkStylesheets,
  makeFonts,
  makeScripts,
  makeStylesheets,
  nameFiles,
  preloadFonts,
} from './furnishing.ts';
import { MIXES, STYLESHEETS } from './medians.ts';
import { renderImage, renderSitePage } from './page.ts';
import { makeFlag, makePhoto, numberNames } from './pictures.ts';
import { writeParagraph, writeSentence, writeTitle } from './prose.ts';
import { renderBar, renderTheme } from './theme.ts';

/*
 * A photographer's gallery: its photos are lazy below the first screen. On that screen none may be: whether the load event
 * waits for a lazy photo that is seen at once is chance, and of loads that are alike some take twice as long as others.
 *
 *     bar, title      2 scripts block, then 8 stylesheets
 *     7 rows of 5     less than 1,900 px down: fetched by every load; 4 rows at once, the first with fetchpriority=high
 *     about           11,000 px of text and room
 *     archive         lazy, never fetched without scrolling
 */

const { html, css, scripts, images } = MIXES.gallery;
const BLOCKING = nameFiles('js', 'polyfills masonry');
const DEFERRED = nameFiles('js', 'vendor runtime main lightbox slideshow keyboard share metrics');

const LOGO_BYTES = 2_000;
const ARCHIVE_BYTES = 40_000;
const COLUMNS = 5;
/** Photos in the rows that a screen of 768 px shows. */
const SEEN_AT_ONCE = 4 * COLUMNS;
const PHOTOS = numberNames(images.count - 1, 'photo', 'jpg');
const ARCHIVE = numberNames(30, 'archive', 'jpg');

export const gallery: Recipe = {
  describes: "58 requests, 3.5 MB: a photographer's gallery of today (HTTP Archive, 75th percentile of images)",
  version: 3,
  files: (seed) => {
    const draw = openDraw('gallery', seed);
    return [
      renderGallery(draw),
      ...makeStylesheets(draw, { names: STYLESHEETS, bytes: css.bytes }, { rules: RULES, fonts: FONT_FILES }),
      ...makeScripts(draw, { names: [...BLOCKING, ...DEFERRED], bytes: scripts.bytes }),
      ...makeFonts(FONT_FILES),
      ...makePictures(draw),
    ];
  },
};

function makePictures(draw: Draw): RecipeFile[] {
  const sizes = splitBytes(images.bytes - LOGO_BYTES, PHOTOS.length);
  return [
    makeFlag(draw, 'logo.png', LOGO_BYTES),
    ...PHOTOS.map((name, index) =>
      makePhoto(draw, name, { bytes: sizes[index]!, arrives: index < SEEN_AT_ONCE ? undefined : 'after-load' }),
    ),
    ...ARCHIVE.map((name) => makePhoto(draw, name, { bytes: ARCHIVE_BYTES, arrives: 'on-scroll' })),
  ];
}

const RULES = `${renderTheme({ ink: '#ddd', paper: '#111', band: '#000', accent: '#7a8fa6' })}
.title{padding:22px 24px 12px}
.title h1{font-size:38px}
.title p{margin:4px 0 0}
.grid{display:grid;grid-template-columns:repeat(${COLUMNS},1fr);gap:8px;padding:0 24px}
.grid img{width:100%;height:172px}
.about{height:11000px;padding:32px 24px;columns:2}`;

function renderGallery(draw: Draw): RecipeFile {
  const random = draw('text');
  const size = { width: 257, height: 172 };
  const photos = PHOTOS.map((src, index) =>
    renderImage({
      src,
      ...size,
      alt: writeTitle(random),
      priority: index < COLUMNS ? 'high' : undefined,
      lazy: index >= SEEN_AT_ONCE ? true : undefined,
    }),
  );
  const archive = ARCHIVE.map((src) => renderImage({ src, ...size, lazy: true }));
  return renderSitePage({
    title: 'Northern Light',
    head: [
      '<meta name="viewport" content="width=device-width">',
      ...preloadFonts(['text.woff2', 'bold.woff2']),
      ...linkScripts(BLOCKING),
      ...linkStylesheets(STYLESHEETS),
      ...linkScripts(DEFERRED, 'defer'),
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

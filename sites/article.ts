import type { Recipe, RecipeFile } from '../harness/model/site.ts';
import { splitBytes } from './bytes.ts';
import { type Draw, openDraw } from './draw.ts';
import { sumBytes } from './file.ts';
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
 * A newspaper's article.
 *
 *     bar, headline         2 scripts block, then 8 stylesheets; the lead photo and 2 fonts are preloaded
 *     lead photo            fetchpriority=high
 *     text  │ most read     6 thumbnails
 *     4 figures in it       lazy, less than 1,900 px down: fetched by every load
 *     comments              an empty 11,000 px, as they are fetched on demand
 *     related stories       lazy, never fetched without scrolling
 */

const { html, css, scripts, images } = MIXES.article;
const BLOCKING = nameFiles('js', 'consent loader');
const ASYNC = nameFiles(
  'js',
  'analytics tags ads-core ads-slots ads-bids metrics social embeds paywall newsletter recommendations',
);
const DEFERRED = nameFiles('js', 'vendor runtime main menu search comments share video gallery forms');

const LOGO_BYTES = 2_000;
const LEAD_BYTES = 190_000;
const THUMBNAIL_BYTES = 7_000;
const RELATED_BYTES = 24_000;
const THUMBNAILS = numberNames(6, 'thumbnail', 'jpg');
const FIGURES = numberNames(4, 'figure', 'jpg');
const RELATED = numberNames(8, 'related', 'jpg');

export const article: Recipe = {
  describes: '49 requests, 1.4 MB: a newspaper article of today (HTTP Archive, median inner page)',
  version: 1,
  files: (seed) => {
    const draw = openDraw('article', seed);
    return [
      renderArticle(draw),
      ...makeStylesheets(draw, { names: STYLESHEETS, bytes: css.bytes }, { rules: RULES, fonts: FONT_FILES }),
      ...makeScripts(draw, { names: [...BLOCKING, ...ASYNC, ...DEFERRED], bytes: scripts.bytes }),
      ...makeFonts(FONT_FILES),
      ...makePictures(draw),
    ];
  },
};

function makePictures(draw: Draw): RecipeFile[] {
  const first = [
    makeFlag(draw, 'logo.png', LOGO_BYTES),
    makePhoto(draw, 'lead.jpg', { bytes: LEAD_BYTES, ratio: 2 }),
    makePhoto(draw, 'author.jpg', { bytes: THUMBNAIL_BYTES, ratio: 1 }),
    ...THUMBNAILS.map((name) => makePhoto(draw, name, { bytes: THUMBNAIL_BYTES })),
  ];
  const sizes = splitBytes(images.bytes - sumBytes(first), FIGURES.length);
  return [
    ...first,
    ...FIGURES.map((name, index) => makePhoto(draw, name, { bytes: sizes[index]!, arrives: 'after-load' })),
    ...RELATED.map((name) => makePhoto(draw, name, { bytes: RELATED_BYTES, arrives: 'on-scroll' })),
  ];
}

const RULES = `${renderTheme({ ink: '#1d1d1f', paper: '#fff', band: '#1b2733', accent: '#b3261e' })}
main{width:1120px;margin:0 auto}
main>h1{font-size:50px;margin:28px 0 10px}
.byline{display:flex;align-items:center;gap:14px;height:56px;margin-bottom:14px}
.byline img{border-radius:50%}
.columns{display:grid;grid-template-columns:720px 1fr;gap:56px;margin-top:24px}
.columns p{font-size:18px}
aside h2{font-size:20px;border-top:3px solid #b3261e;padding:10px 0}
aside a{display:flex;gap:12px;margin-bottom:16px;font-size:15px;font-weight:700}
.pair{display:flex;gap:16px;margin:18px 0}
.comments{height:11000px;border-top:1px solid #ccc;padding-top:24px}
.related{display:grid;grid-template-columns:repeat(4,1fr);gap:24px;padding-bottom:48px}`;

function renderArticle(draw: Draw): RecipeFile {
  const random = draw('text');
  const paragraphs = (count: number) => Array.from({ length: count }, () => `<p>${writeParagraph(random, 5)}</p>`);
  const [first, second] = [FIGURES.slice(0, 2), FIGURES.slice(2)].map((names) => {
    const figures = names.map((src) => renderImage({ src, width: 352, height: 235, lazy: true }));
    return `<div class="pair">${figures.join('')}</div>`;
  });
  const mostRead = THUMBNAILS.map(
    (src) => `<a href="#">${renderImage({ src, width: 120, height: 80 })}<span>${writeTitle(random)}</span></a>`,
  );
  const related = RELATED.map(
    (src) =>
      `<a href="#">${renderImage({ src, width: 262, height: 175, lazy: true })}<h3>${writeTitle(random)}</h3></a>`,
  );
  const links = ['World', 'Business', 'Science', 'Culture', 'Sport'];
  return renderSitePage({
    title: 'The Morning Ferry',
    head: [
      '<meta name="viewport" content="width=device-width">',
      '<link rel="preload" href="lead.jpg" as="image" fetchpriority="high">',
      ...preloadFonts(['text.woff2', 'bold.woff2']),
      ...linkScripts(BLOCKING),
      ...linkStylesheets(STYLESHEETS),
      ...linkScripts(ASYNC, 'async'),
      ...linkScripts(DEFERRED, 'defer'),
    ],
    body: [
      ...renderBar({ name: 'The Morning Ferry', logo: 'logo.png', links }),
      `<main><h1>${writeTitle(random)}</h1>`,
      '<div class="byline">',
      renderImage({ src: 'author.jpg', width: 48, height: 48 }),
      `<b>A. Writer</b><span class="light">${writeSentence(random)}</span></div>`,
      renderImage({ src: 'lead.jpg', width: 1120, height: 480, alt: 'Hills', priority: 'high' }),
      '<div class="columns"><div>',
      ...[...paragraphs(2), first!, ...paragraphs(2), second!, ...paragraphs(16)],
      `</div><aside><h2>Most read</h2>${mostRead.join('\n')}</aside></div>`,
      '<section class="comments" style="height:11000px"><h2>Comments</h2><p>Sign in to read them.</p></section>',
      `<h2>Related stories</h2><section class="related">${related.join('\n')}</section></main>`,
      `<footer class="foot">${writeSentence(random)}</footer>`,
    ],
    bytes: html.bytes,
  });
}

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
 * A newspaper's article.
 *
 *     bar, headline        2 scripts block, then 8 stylesheets; the lead photo and 2 fonts are preloaded
 *     lead photo           fetchpriority=high
 *     text | most read     6 thumbnails
 *          | lazy, 1,000 to 1,900 px down: fetched by every load
 *     comments             an empty 11,000 px: they are fetched on demand
 *     related stories      lazy, never fetched without scrolling
 */

const FONT_FILES = Object.keys(FONTS) as FontFile[];
const { html, css, scripts, images } = MIXES.article;
const BLOCKING = ['consent', 'loader'];
const ASYNC =
  'analytics tags ads-core ads-slots ads-bids metrics social embeds paywall newsletter recommendations'.split(' ');
const DEFERRED = 'vendor runtime main menu search comments share video gallery forms'.split(' ');
const SCRIPT_NAMES = [...BLOCKING, ...ASYNC, ...DEFERRED].map((name) => `${name}.js`);

const LOGO_BYTES = 2_000;
const LEAD_BYTES = 190_000;
const THUMBNAILS = 6;
const THUMBNAIL_BYTES = 7_000;
const LAZY = 4;
const RELATED = 8;
const RELATED_BYTES = 24_000;

/** 49 requests and 8 that wait. */
export const article: Recipe = {
  describes: '49 requests, 1.4 MB: a newspaper article of today (HTTP Archive, median inner page)',
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
    const pictures = makePictures(seed);
    const page = renderArticle(seed, stylesheets, scriptFiles);
    return [page, ...stylesheets, ...scriptFiles, ...makeFonts(FONT_FILES), ...pictures];
  },
};

function makePictures(seed: number): RecipeFile[] {
  const photo = (name: string, bytes: number, ratio = 1.5) =>
    renderPhoto({ random: seededRandom(seed, name), bytes, ratio });
  const first = [
    makeFile('logo.png', renderFlag(seededRandom(seed, 'logo'), LOGO_BYTES)),
    makeFile('lead.jpg', photo('lead', LEAD_BYTES, 2)),
    makeFile('author.jpg', photo('author', THUMBNAIL_BYTES, 1)),
    ...numbered(THUMBNAILS, 'thumb').map((name) => makeFile(name, photo(name, THUMBNAIL_BYTES))),
  ];
  const sizes = splitBytes(images.bytes - sumBytes(first), LAZY);
  return [
    ...first,
    ...numbered(LAZY, 'figure').map((name, index) => makeFile(name, photo(name, sizes[index]!), 'after-load')),
    ...numbered(RELATED, 'related').map((name) => makeFile(name, photo(name, RELATED_BYTES), 'on-scroll')),
  ];
}

function numbered(count: number, name: string): string[] {
  return Array.from({ length: count }, (_, index) => `${name}-${index + 1}.jpg`);
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

function renderArticle(
  seed: number,
  stylesheets: readonly RecipeFile[],
  scriptFiles: readonly RecipeFile[],
): RecipeFile {
  const random = seededRandom(seed, 'text');
  const paragraph = () => `<p>${writeParagraph(random, 5)}</p>`;
  const figure = (index: number) => renderImage({ src: `figure-${index}.jpg`, width: 352, height: 235, lazy: true });
  const most = numbered(THUMBNAILS, 'thumb').map(
    (src) => `<a href="#">${renderImage({ src, width: 120, height: 80 })}<span>${writeTitle(random)}</span></a>`,
  );
  const related = numbered(RELATED, 'related').map(
    (src) =>
      `<a href="#">${renderImage({ src, width: 262, height: 175, lazy: true })}<h3>${writeTitle(random)}</h3></a>`,
  );
  const [consent, loader, ...rest] = scriptFiles;
  return renderPage({
    title: 'The Morning Ferry',
    head: [
      '<meta name="viewport" content="width=device-width">',
      '<link rel="preload" href="lead.jpg" as="image" fetchpriority="high">',
      ...preloadFonts(['text.woff2', 'bold.woff2']),
      ...linkScripts([consent!, loader!]),
      ...linkStylesheets(stylesheets),
      ...linkScripts(rest.slice(0, ASYNC.length), 'async'),
      ...linkScripts(rest.slice(ASYNC.length), 'defer'),
    ],
    body: [
      ...renderBar({
        name: 'The Morning Ferry',
        logo: 'logo.png',
        links: ['World', 'Business', 'Science', 'Culture', 'Sport'],
      }),
      `<main><h1>${writeTitle(random)}</h1>`,
      '<div class="byline">',
      renderImage({ src: 'author.jpg', width: 48, height: 48 }),
      `<b>A. Writer</b><span class="light">${writeSentence(random)}</span></div>`,
      renderImage({ src: 'lead.jpg', width: 1120, height: 480, alt: 'The harbour', priority: 'high' }),
      '<div class="columns"><div>',
      ...Array.from({ length: 2 }, paragraph),
      `<div class="pair">${figure(1)}${figure(2)}</div>`,
      ...Array.from({ length: 2 }, paragraph),
      `<div class="pair">${figure(3)}${figure(4)}</div>`,
      ...Array.from({ length: 16 }, paragraph),
      `</div><aside><h2>Most read</h2>${most.join('\n')}</aside></div>`,
      '<section class="comments" style="height:11000px"><h2>Comments</h2><p>Sign in to read them.</p></section>',
      `<h2>Related stories</h2><section class="related">${related.join('\n')}</section></main>`,
      `<footer class="foot">${writeSentence(random)}</footer>`,
    ],
    bytes: html.bytes,
  });
}

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
import { renderPhoto, type Scene } from './photo.ts';
import { renderFlag } from './png.ts';
import { writeParagraph, writeSentence, writeTitle } from './prose.ts';
import { renderBar, renderTheme } from './theme.ts';

/*
 * A shop's front page.
 *
 *     bar, banner      3 scripts block behind 8 stylesheets; the banner is preloaded with fetchpriority=high
 *     4 x 4 products   the first two rows at once, the others lazy and less than 1,900 px down: fetched by every load
 *     reviews          11,000 px of text and room
 *     seen before      lazy, never fetched without scrolling
 */

const FONT_FILES = Object.keys(FONTS) as FontFile[];
const { html, css, scripts, images } = MIXES.shop;
const BLOCKING = ['polyfills', 'experiments', 'consent'];
const ASYNC = 'analytics tags pixel remarketing chat reviews heatmap'.split(' ');
const DEFERRED = 'vendor runtime main header search cart wishlist carousel filters stock currency account'.split(' ');
const SCRIPT_NAMES = [...BLOCKING, ...ASYNC, ...DEFERRED].map((name) => `${name}.js`);

const LOGO_BYTES = 2_000;
const BANNER_BYTES = 210_000;
const PROMOTION_BYTES = 60_000;
const PRODUCTS = 16;
const EAGER_PRODUCTS = 8;
const SEEN = 12;
const SEEN_BYTES = 18_000;

/** 54 requests. */
export const shop: Recipe = {
  describes: "54 requests, 2 MB: a shop's front page of today (HTTP Archive, median home page)",
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
    const page = renderShop(seed, stylesheets, scriptFiles);
    return [page, ...stylesheets, ...scriptFiles, ...makeFonts(FONT_FILES), ...makePictures(seed)];
  },
};

function makePictures(seed: number): RecipeFile[] {
  const photo = (name: string, bytes: number, scene: Scene, ratio: number) =>
    renderPhoto({ random: seededRandom(seed, name), bytes, scene, ratio });
  const first = [
    makeFile('logo.png', renderFlag(seededRandom(seed, 'logo'), LOGO_BYTES)),
    makeFile('banner.jpg', photo('banner', BANNER_BYTES, 'landscape', 3.6)),
    makeFile('promotion.jpg', photo('promotion', PROMOTION_BYTES, 'vessel', 1.3)),
  ];
  const sizes = splitBytes(images.bytes - sumBytes(first), PRODUCTS);
  const products = sizes.map((bytes, index) => {
    const name = `product-${index + 1}.jpg`;
    return makeFile(name, photo(name, bytes, 'vessel', 1), index < EAGER_PRODUCTS ? undefined : 'after-load');
  });
  const seen = Array.from({ length: SEEN }, (_, index) => {
    const name = `seen-${index + 1}.jpg`;
    return makeFile(name, photo(name, SEEN_BYTES, 'vessel', 1), 'on-scroll');
  });
  return [...first, ...products, ...seen];
}

const RULES = `${renderTheme({ ink: '#222', paper: '#fff', band: '#2c3b35', accent: '#c4572e' })}
.top{display:grid;grid-template-columns:1fr 330px;gap:16px;padding:16px 48px}
.banner{position:relative;color:#fff}
.banner div{position:absolute;left:32px;bottom:28px;text-shadow:0 1px 8px #0009}
.banner h1{font-size:44px}
.products{display:grid;grid-template-columns:repeat(4,1fr);gap:20px;padding:8px 48px}
.product{height:372px}
.product img{width:100%;height:280px}
.product h3{font-size:16px;margin-top:10px}
.product p{margin:2px 0}
.reviews{height:11000px;padding:32px 48px}
.seen{display:grid;grid-template-columns:repeat(6,1fr);gap:16px;padding:0 48px 48px}`;

function renderShop(seed: number, stylesheets: readonly RecipeFile[], scriptFiles: readonly RecipeFile[]): RecipeFile {
  const random = seededRandom(seed, 'text');
  const products = Array.from({ length: PRODUCTS }, (_, index) => {
    const src = `product-${index + 1}.jpg`;
    const image = renderImage({ src, width: 302, height: 280, lazy: index >= EAGER_PRODUCTS });
    const price = `$${19 + Math.floor(random() * 80)}.90`;
    return `<a class="product" href="#">${image}<h3>${writeTitle(random)}</h3><p class="light">${price}</p></a>`;
  });
  const seen = Array.from({ length: SEEN }, (_, index) =>
    renderImage({ src: `seen-${index + 1}.jpg`, width: 196, height: 196, lazy: true }),
  );
  return renderPage({
    title: 'Vessel & Glaze',
    head: [
      '<meta name="viewport" content="width=device-width">',
      '<link rel="preload" href="banner.jpg" as="image" fetchpriority="high">',
      ...preloadFonts(['text.woff2', 'bold.woff2']),
      ...linkStylesheets(stylesheets),
      ...linkScripts(scriptFiles.slice(0, BLOCKING.length)),
      ...linkScripts(scriptFiles.slice(BLOCKING.length, BLOCKING.length + ASYNC.length), 'async'),
      ...linkScripts(scriptFiles.slice(BLOCKING.length + ASYNC.length), 'defer'),
    ],
    body: [
      ...renderBar({
        name: 'Vessel &amp; Glaze',
        logo: 'logo.png',
        links: ['New', 'Bowls', 'Vases', 'Plates', 'Sale'],
      }),
      '<section class="top"><div class="banner">',
      renderImage({ src: 'banner.jpg', width: 924, height: 256, priority: 'high' }),
      '<div><h1>Made by hand</h1><p>Free delivery over $50</p><a class="button" href="#">Shop now</a></div></div>',
      renderImage({ src: 'promotion.jpg', width: 330, height: 256 }),
      `</section><section class="products">${products.join('\n')}</section>`,
      '<section class="reviews" style="height:11000px"><h2>What people say</h2>',
      ...Array.from({ length: 24 }, () => `<p>${writeParagraph(random, 5)} <i>A customer</i></p>`),
      `</section><section class="seen">${seen.join('\n')}</section>`,
      `<footer class="foot">${writeSentence(random)}</footer>`,
    ],
    bytes: html.bytes,
  });
}

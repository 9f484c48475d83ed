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
 * A shop's front page.
 *
 *     bar, banner      3 scripts block behind 8 stylesheets; the banner is preloaded, with fetchpriority=high
 *     4 × 4 products   two rows at once, two lazy and less than 1,900 px down: fetched by every load
 *     reviews          11,000 px of text and room
 *     seen before      lazy, never fetched without scrolling
 */

const { html, css, scripts, images } = MIXES.shop;
const BLOCKING = nameFiles('js', 'polyfills experiments consent');
const ASYNC = nameFiles('js', 'analytics tags pixel remarketing chat reviews heatmap');
const DEFERRED = nameFiles(
  'js',
  'vendor runtime main header search cart wishlist carousel filters stock currency account',
);

const LOGO_BYTES = 2_000;
const BANNER_BYTES = 210_000;
const PROMOTION_BYTES = 60_000;
const SEEN_BYTES = 18_000;
const PRODUCTS = numberNames(16, 'product', 'jpg');
const EAGER_PRODUCTS = 8;
const SEEN = numberNames(12, 'seen', 'jpg');

export const shop: Recipe = {
  describes: "54 requests, 2 MB: a shop's front page of today (HTTP Archive, median home page)",
  version: 2,
  files: (seed) => {
    const draw = openDraw('shop', seed);
    return [
      renderShop(draw),
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
    makePhoto(draw, 'banner.jpg', { bytes: BANNER_BYTES, ratio: 3.6 }),
    makePhoto(draw, 'promotion.jpg', { bytes: PROMOTION_BYTES, scene: 'vessel', ratio: 1.3 }),
  ];
  const sizes = splitBytes(images.bytes - sumBytes(first), PRODUCTS.length);
  const products = PRODUCTS.map((name, index) => {
    const arrives = index < EAGER_PRODUCTS ? undefined : 'after-load';
    return makePhoto(draw, name, { bytes: sizes[index]!, scene: 'vessel', ratio: 1, arrives });
  });
  const seen = SEEN.map((name) =>
    makePhoto(draw, name, { bytes: SEEN_BYTES, scene: 'vessel', ratio: 1, arrives: 'on-scroll' }),
  );
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

function renderShop(draw: Draw): RecipeFile {
  const random = draw('text');
  const products = PRODUCTS.map((src, index) => {
    const image = renderImage({ src, width: 302, height: 280, lazy: index >= EAGER_PRODUCTS });
    const price = `$${19 + Math.floor(random() * 80)}.90`;
    return `<a class="product" href="#">${image}<h3>${writeTitle(random)}</h3><p class="light">${price}</p></a>`;
  });
  const seen = SEEN.map((src) => renderImage({ src, width: 196, height: 196, lazy: true }));
  const links = ['New', 'Bowls', 'Vases', 'Plates', 'Sale'];
  return renderSitePage({
    title: 'Vessel &amp; Glaze',
    head: [
      '<meta name="viewport" content="width=device-width">',
      '<link rel="preload" href="banner.jpg" as="image" fetchpriority="high">',
      ...preloadFonts(['text.woff2', 'bold.woff2']),
      ...linkStylesheets(STYLESHEETS),
      ...linkScripts(BLOCKING),
      ...linkScripts(ASYNC, 'async'),
      ...linkScripts(DEFERRED, 'defer'),
    ],
    body: [
      ...renderBar({ name: 'Vessel &amp; Glaze', logo: 'logo.png', links }),
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

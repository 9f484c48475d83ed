import type { Recipe, RecipeFile } from '../harness/model/site.ts';
import { splitBytes } from './bytes.ts';
import { type Draw, openDraw } from './draw.ts';
import { sumBytes } from './file.ts';
import {
  type FileBatch,
  type FontFile,
  linkScripts,
  linkStylesheets,
  makeFonts,
  makeScripts,
  makeStylesheets,
} from './furnishing.ts';
import { renderImage, renderSitePage } from './page.ts';
import { makeFlag, makePhoto, numberNames } from './pictures.ts';
import { writeParagraph, writeSentence, writeTitle } from './prose.ts';
import { renderBar, renderTheme, type Theme } from './theme.ts';

export interface BrochureOptions {
  readonly describes: string;
  readonly name: string;
  readonly slogan: string;
  readonly links: readonly string[];
  readonly theme: Theme;
  /** The exact size of the whole site. */
  readonly bytes: number;
  readonly pageBytes: number;
  readonly stylesheets: FileBatch;
  readonly scripts: FileBatch;
  /** How many of the scripts are in the head, before anything is shown; the rest are at the end. All of them block. */
  readonly scriptsInHead: number;
  readonly fonts: readonly FontFile[];
  /** How many icons there are besides the logo. */
  readonly icons: number;
  /** How many photos there are besides the one across the top. */
  readonly photos: number;
  /** How many photos stand side by side. */
  readonly columns: number;
}

const LOGO_BYTES = 2_400;
const ICON_BYTES = 1_200;
/** What the photo across the top has of all photos' bytes. */
const HERO_SHARE = 0.17;

/** A site as agencies built them around 2019: stylesheets and scripts that block, a photo across the top, cards below. */
export function brochure(options: BrochureOptions): Recipe {
  return { describes: options.describes, version: 1, files: (seed) => makeFiles(options, seed) };
}

function makeFiles(options: BrochureOptions, seed: number): RecipeFile[] {
  const draw = openDraw(options.name, seed);
  const rules = `${renderTheme(options.theme)}\n${renderRules(options)}`;
  const files = [
    renderBrochure(options, draw),
    ...makeStylesheets(draw, options.stylesheets, { rules, fonts: options.fonts }),
    ...makeScripts(draw, options.scripts),
    ...makeFonts(options.fonts),
    makeFlag(draw, 'logo.png', LOGO_BYTES),
    ...numberNames(options.icons, 'icon', 'png').map((name) => makeFlag(draw, name, ICON_BYTES)),
  ];
  return [...files, ...makePhotos(options, draw, options.bytes - sumBytes(files))];
}

/** Photos that have a given number of bytes in all. */
function makePhotos({ photos }: BrochureOptions, draw: Draw, bytes: number): RecipeFile[] {
  const heroBytes = Math.round(bytes * HERO_SHARE);
  const sizes = splitBytes(bytes - heroBytes, photos);
  return [
    makePhoto(draw, 'hero.jpg', { bytes: heroBytes, ratio: 3.2 }),
    ...numberNames(photos, 'photo', 'jpg').map((name, index) => makePhoto(draw, name, { bytes: sizes[index]! })),
  ];
}

function renderRules({ columns, theme }: BrochureOptions): string {
  return `.hero{position:relative;height:430px;color:#fff}
.hero img{width:100%;height:430px}
.hero div{position:absolute;left:48px;bottom:40px;text-shadow:0 1px 8px #0008}
.hero h1{font-size:60px}
.intro{display:flex;gap:32px;padding:32px 48px;align-items:center}
.icons{display:flex;gap:20px}
.cards{display:grid;grid-template-columns:repeat(${columns},1fr);gap:28px;padding:0 48px 48px}
.card{background:#fff;color:#222;border-bottom:3px solid ${theme.accent}}
.card img{width:100%;height:200px}
.card h3{margin:14px 16px 6px;font-size:19px}
.card p{margin:0 16px 16px;font-size:15px}`;
}

function renderBrochure(options: BrochureOptions, draw: Draw): RecipeFile {
  const random = draw('text');
  const icons = numberNames(options.icons, 'icon', 'png').map((src) => renderImage({ src, width: 54, height: 36 }));
  // What the page's bytes leave for the cards' text, at some 90 bytes a sentence.
  const sentences = Math.max(1, Math.floor((options.pageBytes - 3_000) / options.photos / 90 - 5));
  const cards = numberNames(options.photos, 'photo', 'jpg').map((src) => {
    const image = renderImage({ src, width: 300, height: 200, alt: writeTitle(random) });
    const text = `<h3>${writeTitle(random)}</h3><p>${writeParagraph(random, sentences)}</p>`;
    return `<article class="card">${image}${text}</article>`;
  });
  const { names } = options.scripts;
  return renderSitePage({
    title: options.name,
    head: [...linkStylesheets(options.stylesheets.names), ...linkScripts(names.slice(0, options.scriptsInHead))],
    body: [
      ...renderBar({ name: options.name, logo: 'logo.png', links: options.links }),
      '<section class="hero">',
      renderImage({ src: 'hero.jpg', width: 1366, height: 430 }),
      `<div><h1>${options.name}</h1><p>${options.slogan}</p><a class="button" href="#more">Discover more</a></div>`,
      '</section>',
      `<section class="intro" id="more"><p class="light">${writeParagraph(random, 3)}</p>`,
      `<div class="icons">${icons.join('')}</div></section>`,
      `<section class="cards">${cards.join('\n')}</section>`,
      `<footer class="foot">${writeSentence(random)}</footer>`,
      ...linkScripts(names.slice(options.scriptsInHead)),
    ],
    bytes: options.pageBytes,
  });
}

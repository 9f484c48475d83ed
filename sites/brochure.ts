import type { Recipe, RecipeFile } from '../harness/model/site.ts';
import { seededRandom } from '../harness/stats/random.ts';
import { splitBytes } from './bytes.ts';
import { makeFile, sumBytes } from './file.ts';
import { type FontFile, linkScripts, linkStylesheets, makeFonts, makeScripts, makeStylesheets } from './furnishing.ts';
import { renderImage, renderPage } from './page.ts';
import { renderPhoto, type Scene } from './photo.ts';
import { renderFlag } from './png.ts';
import { writeParagraph, writeSentence, writeTitle } from './prose.ts';
import { renderBar, renderTheme, type Theme } from './theme.ts';

export interface BrochureOptions {
  readonly describes: string;
  readonly name: string;
  readonly slogan: string;
  readonly links: readonly string[];
  readonly theme: Theme;
  /** Of the whole site, exactly. */
  readonly bytes: number;
  readonly pageBytes: number;
  readonly stylesheets: readonly string[];
  readonly stylesheetBytes: number;
  /** How many of the scripts are in the head, before anything is shown; the rest are at the end. All of them block. */
  readonly scriptsInHead: number;
  readonly scripts: readonly string[];
  readonly scriptBytes: number;
  readonly fonts: readonly FontFile[];
  /** Besides the logo and the photo at the top. */
  readonly icons: number;
  readonly photos: number;
  readonly scene: Scene;
  /** How many photos stand side by side. */
  readonly columns: number;
}

const LOGO_BYTES = 2_400;
const ICON_BYTES = 1_200;
/** What the photo at the top has of all photos' bytes. */
const HERO_SHARE = 0.17;

/** A site as agencies built them around 2019: stylesheets and scripts that block, a photo across the top, cards below. */
export function brochure(options: BrochureOptions): Recipe {
  return { describes: options.describes, version: 1, files: (seed) => makeBrochure(options, seed) };
}

function makeBrochure(options: BrochureOptions, seed: number): RecipeFile[] {
  const fonts = makeFonts(options.fonts);
  const stylesheets = makeStylesheets({
    seed,
    names: options.stylesheets,
    bytes: options.stylesheetBytes,
    rules: `${renderTheme(options.theme)}\n${renderRules(options)}`,
    fonts: options.fonts,
  });
  const scripts = makeScripts({ seed, names: options.scripts, bytes: options.scriptBytes });
  const flags = [LOGO_BYTES, ...new Array<number>(options.icons).fill(ICON_BYTES)].map((bytes, index) =>
    makeFile(index === 0 ? 'logo.png' : `icon-${index}.png`, renderFlag(seededRandom(seed, `icon ${index}`), bytes)),
  );
  const rest = options.bytes - options.pageBytes - sumBytes([...fonts, ...stylesheets, ...scripts, ...flags]);
  const photos = makePhotos(options, seed, rest);
  return [
    renderBrochure(options, seed, { stylesheets, scripts, photos }),
    ...stylesheets,
    ...scripts,
    ...fonts,
    ...flags,
    ...photos,
  ];
}

function makePhotos({ photos, scene }: BrochureOptions, seed: number, bytes: number): RecipeFile[] {
  const heroBytes = Math.round(bytes * HERO_SHARE);
  const hero = renderPhoto({ random: seededRandom(seed, 'hero'), bytes: heroBytes, ratio: 3.2 });
  const cards = splitBytes(bytes - heroBytes, photos).map((size, index) =>
    makeFile(
      `photo-${index + 1}.jpg`,
      renderPhoto({
        random: seededRandom(seed, `photo ${index}`),
        bytes: size,
        scene: index % 3 === 2 ? scene : 'landscape',
      }),
    ),
  );
  return [makeFile('hero.jpg', hero), ...cards];
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

interface Linked {
  readonly stylesheets: readonly RecipeFile[];
  readonly scripts: readonly RecipeFile[];
  readonly photos: readonly RecipeFile[];
}

function renderBrochure(options: BrochureOptions, seed: number, { stylesheets, scripts, photos }: Linked): RecipeFile {
  const random = seededRandom(seed, 'text');
  const icons = Array.from({ length: options.icons }, (_, index) =>
    renderImage({ src: `icon-${index + 1}.png`, width: 54, height: 36 }),
  );
  const [hero, ...cards] = photos;
  const spare = options.pageBytes - 3_000 - cards.length * 420;
  const sentences = Math.max(1, Math.floor(spare / (cards.length * 90)));
  return renderPage({
    title: options.name,
    head: [...linkStylesheets(stylesheets), ...linkScripts(scripts.slice(0, options.scriptsInHead))],
    body: [
      ...renderBar({ name: options.name, logo: 'logo.png', links: options.links }),
      '<section class="hero">',
      renderImage({ src: hero!.name, width: 1366, height: 430 }),
      `<div><h1>${options.name}</h1><p>${options.slogan}</p><a class="button" href="#more">Discover more</a></div>`,
      '</section>',
      `<section class="intro" id="more"><p class="light">${writeParagraph(random, 3)}</p>`,
      `<div class="icons">${icons.join('')}</div></section>`,
      '<section class="cards">',
      ...cards.map(({ name }) =>
        [
          `<article class="card">${renderImage({ src: name, width: 300, height: 200, alt: writeTitle(random) })}`,
          `<h3>${writeTitle(random)}</h3><p>${writeParagraph(random, sentences)}</p></article>`,
        ].join('\n'),
      ),
      '</section>',
      `<footer class="foot">${writeSentence(random)}</footer>`,
      ...linkScripts(scripts.slice(options.scriptsInHead)),
    ],
    bytes: options.pageBytes,
  });
}

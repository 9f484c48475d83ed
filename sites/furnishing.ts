import type { RecipeFile } from '../harness/model/site.ts';
import { seededRandom } from '../harness/stats/random.ts';
import { splitBytes } from './bytes.ts';
import { makeFile } from './file.ts';
import { type FontStyle, renderFont } from './font.ts';
import { renderScript } from './script.ts';
import { renderStylesheet } from './stylesheet.ts';

/** The fonts that pages use, by file. */
export const FONTS = {
  'text.woff2': { weight: 400 },
  'bold.woff2': { weight: 700 },
  'light.woff2': { weight: 300 },
  'italic.woff2': { weight: 400, italic: true },
} as const satisfies Readonly<Record<string, FontStyle>>;

export type FontFile = keyof typeof FONTS;

/** The font files; the same for every seed. */
export function makeFonts(names: readonly FontFile[]): RecipeFile[] {
  return names.map((name) => makeFile(name, renderFont(FONTS[name])));
}

function renderFontFaces(names: readonly FontFile[]): string {
  return names
    .map((name) => {
      const { weight, italic }: FontStyle = FONTS[name];
      const face = `font-family:Stroke;font-weight:${weight};font-style:${italic ? 'italic' : 'normal'}`;
      return `@font-face{${face};font-display:swap;src:url(${name}) format("woff2")}`;
    })
    .join('\n');
}

export interface StylesheetsOptions {
  readonly seed: number;
  readonly names: readonly string[];
  /** Of all of them. */
  readonly bytes: number;
  /** What the page needs; it is in the first. */
  readonly rules: string;
  readonly fonts: readonly FontFile[];
}

/** A page's stylesheets: the first has the fonts and what the page needs, the others what sites carry along. */
export function makeStylesheets({ seed, names, bytes, rules, fonts }: StylesheetsOptions): RecipeFile[] {
  const sizes = splitBytes(bytes, names.length);
  return names.map((name, index) => {
    const random = seededRandom(seed, name);
    const own = index === 0 ? `${renderFontFaces(fonts)}\n${rules}` : `/* ${name} */`;
    return makeFile(name, renderStylesheet({ random, rules: own, bytes: sizes[index]! }));
  });
}

export interface ScriptsOptions {
  readonly seed: number;
  readonly names: readonly string[];
  /** Of all of them. */
  readonly bytes: number;
}

/** A page's classic scripts; each says that it ran, in `window.parts`. */
export function makeScripts({ seed, names, bytes }: ScriptsOptions): RecipeFile[] {
  const sizes = splitBytes(bytes, names.length);
  return names.map((name, index) => {
    const code = `(window.parts=window.parts||[]).push('${name}');`;
    return makeFile(name, renderScript({ random: seededRandom(seed, name), code, bytes: sizes[index]! }));
  });
}

/** The tags that link to stylesheets. */
export function linkStylesheets(files: readonly RecipeFile[]): string[] {
  return files.map(({ name }) => `<link rel="stylesheet" href="${name}">`);
}

/** The tags that load scripts; with no attribute they block. */
export function linkScripts(files: readonly RecipeFile[], attribute?: 'async' | 'defer'): string[] {
  return files.map(({ name }) => `<script src="${name}"${attribute ? ` ${attribute}` : ''}></script>`);
}

/** The tags that have fonts fetched before a stylesheet asks for them. */
export function preloadFonts(names: readonly FontFile[]): string[] {
  return names.map((name) => `<link rel="preload" href="${name}" as="font" type="font/woff2" crossorigin>`);
}

import type { RecipeFile } from '../harness/model/site.ts';
import { splitBytes } from './bytes.ts';
import type { Draw } from './draw.ts';
import { makeFile } from './file.ts';
import { type FontStyle, renderFont } from './font.ts';
import { renderScript } from './script.ts';
import { renderStylesheet } from './stylesheet.ts';

const STYLES = {
  'text.woff2': { weight: 400 },
  'bold.woff2': { weight: 700 },
  'light.woff2': { weight: 300 },
  'italic.woff2': { weight: 400, italic: true },
} as const satisfies Readonly<Record<string, FontStyle>>;

export type FontFile = keyof typeof STYLES;

/** The fonts that a page may use, all in one family. */
export const FONT_FILES = Object.keys(STYLES) as readonly FontFile[];

/** The font files; the same for every seed. */
export function makeFonts(names: readonly FontFile[]): RecipeFile[] {
  return names.map((name) => makeFile(name, renderFont(STYLES[name])));
}

function renderFontFaces(names: readonly FontFile[]): string {
  return names
    .map((name) => {
      const { weight, italic }: FontStyle = STYLES[name];
      const face = `font-family:Stroke;font-weight:${weight};font-style:${italic ? 'italic' : 'normal'}`;
      return `@font-face{${face};font-display:swap;src:url(${name}) format("woff2")}`;
    })
    .join('\n');
}

/** Files by name, and the bytes that they have in all. */
export interface FileBatch {
  readonly names: readonly string[];
  readonly bytes: number;
}

export interface PageStyle {
  /** What the page's own elements look like. */
  readonly rules: string;
  readonly fonts: readonly FontFile[];
}

/** A page's stylesheets: the first has the fonts and the page's rules, the others what sites carry along. */
export function makeStylesheets(draw: Draw, { names, bytes }: FileBatch, { rules, fonts }: PageStyle): RecipeFile[] {
  const sizes = splitBytes(bytes, names.length);
  return names.map((name, index) => {
    const own = index === 0 ? `${renderFontFaces(fonts)}\n${rules}` : `/* ${name} */`;
    return makeFile(name, renderStylesheet({ random: draw(name), rules: own, bytes: sizes[index]! }));
  });
}

/** A page's classic scripts; each says that it ran, in `window.parts`. */
export function makeScripts(draw: Draw, { names, bytes }: FileBatch): RecipeFile[] {
  const sizes = splitBytes(bytes, names.length);
  return names.map((name, index) => {
    const code = `(window.parts=window.parts||[]).push('${name}');`;
    return makeFile(name, renderScript({ random: draw(name), code, bytes: sizes[index]! }));
  });
}

/** The tags that link to stylesheets. */
export function linkStylesheets(names: readonly string[]): string[] {
  return names.map((name) => `<link rel="stylesheet" href="${name}">`);
}

/** The tags that load scripts; with no attribute they block. */
export function linkScripts(names: readonly string[], attribute?: 'async' | 'defer'): string[] {
  return names.map((name) => `<script src="${name}"${attribute ? ` ${attribute}` : ''}></script>`);
}

/** The tags that have fonts fetched before a stylesheet asks for them. */
export function preloadFonts(names: readonly FontFile[]): string[] {
  return names.map((name) => `<link rel="preload" href="${name}" as="font" type="font/woff2" crossorigin>`);
}

/** `a b` as `a.js` and `b.js`. */
export function nameFiles(extension: 'css' | 'js', names: string): string[] {
  return names.split(' ').map((name) => `${name}.${extension}`);
}

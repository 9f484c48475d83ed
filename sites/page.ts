import type { RecipeFile } from '../harness/model/site.ts';
import { makeFile } from './file.ts';
import { HTML_COMMENT, padText } from './prose.ts';

export interface PageOptions {
  readonly title: string;
  /** What the page's head has besides its title, a line each. */
  readonly head?: readonly string[];
  /** What the page's body has, a line each. */
  readonly body: readonly string[];
  /** The page's exact size, where it matters. */
  readonly bytes?: number;
}

/** The page of a site. */
export function renderSitePage({ title, head = [], body, bytes }: PageOptions): RecipeFile {
  const lines = [
    '<!doctype html>',
    '<html lang="en">',
    '<meta charset="utf-8">',
    `<title>${title}</title>`,
    '<link rel="icon" href="data:,">', // Else the browser asks for /favicon.ico, which is no part of the site.
    ...head,
    '<body>',
    ...body,
    '',
  ];
  const html = lines.join('\n');
  return makeFile('index.html', bytes === undefined ? html : padText(html, bytes, HTML_COMMENT));
}

export interface ImageTag {
  readonly src: string;
  readonly width: number;
  readonly height: number;
  readonly alt?: string;
  readonly lazy?: boolean | undefined;
  readonly priority?: 'high' | 'low' | undefined;
}

/** An image whose place is kept from the start, so that nothing moves when it comes. */
export function renderImage({ src, width, height, alt = '', lazy, priority }: ImageTag): string {
  const hints = `${lazy ? ' loading="lazy"' : ''}${priority ? ` fetchpriority="${priority}"` : ''}`;
  return `<img src="${src}" width="${width}" height="${height}" alt="${alt}"${hints}>`;
}

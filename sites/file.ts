import { extname } from 'node:path';
import type { Arrival, RecipeFile } from '../harness/model/site.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.woff2': 'font/woff2',
  '.mp4': 'video/mp4',
  '.txt': 'text/plain',
  '.bin': 'application/octet-stream',
};

/** A file of a site; its type follows from its name. */
export function makeFile(name: string, body: Buffer | string, arrives?: Arrival): RecipeFile {
  return {
    name,
    type: TYPES[extname(name)]!,
    body: typeof body === 'string' ? Buffer.from(body) : body,
    arrives,
  };
}

/** How many bytes the files have in all. */
export function sumBytes(files: readonly RecipeFile[]): number {
  return files.reduce((sum, file) => sum + file.body.length, 0);
}

import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Writes a file aside and moves it, so that a reader never meets half of it; makes its folder. */
export function writeWhole(path: string, content: string | Buffer): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.partial`, content);
  renameSync(`${path}.partial`, path);
}

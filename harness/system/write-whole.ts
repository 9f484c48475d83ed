import { randomUUID } from 'node:crypto';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Writes a file aside and moves it, so that a reader never meets half of it; makes its folder. */
export function writeWhole(path: string, content: string | Buffer): void {
  using aside = openAside(path);
  writeFileSync(aside.path, content);
  aside.keep();
}

/**
 * Beside what is to be written, a name that nobody else has who writes the same now. The number of a process would be
 * none: each enclosure counts its own.
 */
export function nameAside(path: string): string {
  return `${path}.partial-${randomUUID()}`;
}

/** An empty file beside the one that is to be written; what was not kept is gone when it is disposed of. */
export interface AsideFile extends Disposable {
  readonly path: string;
  /** Moves it to its place: it is whole. */
  keep(): void;
}

/** The same for what is written piece by piece. */
export function openAside(path: string): AsideFile {
  mkdirSync(dirname(path), { recursive: true });
  const aside = `${path}.partial`;
  writeFileSync(aside, '');
  return {
    path: aside,
    keep: () => renameSync(aside, path),
    [Symbol.dispose]: () => rmSync(aside, { force: true }),
  };
}

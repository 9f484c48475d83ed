import { randomUUID } from 'node:crypto';
import { chmodSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { giveToSudoer } from '../setup/sudoer.mjs';

export { giveToSudoer };

/** Writes a file aside and moves it, so that a reader never meets half of it; makes its folder. */
export function writeWhole(path: string, content: string | Buffer): void {
  using aside = openAside(path);
  writeFileSync(aside.path, content);
  aside.keep();
}

/** Writes a secret as `writeWhole` does: only its owner may read the file, or look into its folder. */
export function writePrivate(path: string, content: string | Buffer): void {
  makePrivateFolder(dirname(path));
  using aside = openAside(path);
  makePrivate(aside.path);
  writeFileSync(aside.path, content);
  aside.keep();
}

/** Makes a folder, with those that it is in, where there are none. */
export function makeFolder(folder: string): void {
  const first = mkdirSync(folder, { recursive: true });
  if (first !== undefined) giveToSudoer(first);
}

/** Makes a folder, if there is none, that only its owner may look into. */
export function makePrivateFolder(folder: string): void {
  makeFolder(folder);
  chmodSync(folder, 0o700);
}

/** Makes a file readable for its owner alone. */
export function makePrivate(file: string): void {
  chmodSync(file, 0o600);
  giveToSudoer(file);
}

/**
 * A name beside the file that no other process which writes the same file has now. The number of a process would
 * not do: each enclosure counts its own.
 */
export function nameAside(path: string): string {
  return `${path}.partial-${randomUUID()}`;
}

/**
 * Deletes what was written aside in a folder, at least this long ago, by a process that was killed before it was whole.
 */
export function sweepAside(folder: string, olderThanMs: number): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isFile() && ASIDE.test(entry.name) && Date.now() - statSync(path).mtimeMs >= olderThanMs) rmSync(path);
  }
}

const ASIDE = /\.partial-[0-9a-f-]{36}$/;

/** A file beside the one that is being written; disposing of it deletes it unless it was kept. */
export interface AsideFile extends Disposable {
  readonly path: string;
  /** Moves it to its place: it is whole. */
  keep(): void;
}

/** Opens a file aside that is written piece by piece, and takes its place once it is kept. */
export function openAside(path: string): AsideFile {
  makeFolder(dirname(path));
  const aside = nameAside(path);
  // Never through a link that another user has laid there, nor into a file of theirs.
  writeFileSync(aside, '', { flag: 'wx' });
  giveToSudoer(aside);
  return {
    path: aside,
    keep: () => renameSync(aside, path),
    [Symbol.dispose]: () => rmSync(aside, { force: true }),
  };
}

import { createHash } from 'node:crypto';
import { closeSync, type Dirent, openSync, readdirSync, readSync, realpathSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import { UsageError } from '../../model/errors.ts';

/** A folder's files as they are now. */
export interface ReadFolder {
  readonly root: string;
  /** By their paths from the root, with `/` between parts: all that can be served, and nothing else ever is. */
  readonly files: ReadonlyMap<string, FolderFile>;
  /** A digest of all paths and bytes. */
  readonly digest: string;
  /** Links that lead out of the folder, or to folders. */
  readonly leftOut: readonly string[];
}

export interface FolderFile {
  /** Absolute, without links. */
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

const MOST_FILES = 100_000;
const MOST_BYTES = 20_000_000_000;
const DEEPEST = 64;

/** Reads a folder: every file but those that begin with a dot, or are in a folder that does. */
export function readFolder(root: string): ReadFolder {
  const files = new Map<string, FolderFile>();
  const leftOut: string[] = [];
  let bytes = 0;
  const read = (folder: string, depth: number): void => {
    const entries = readdirSync(join(root, folder), { withFileTypes: true });
    for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      if (entry.name.startsWith('.')) continue;
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) {
        if (depth >= DEEPEST) throw new UsageError(`--site: ${root} has more than ${DEEPEST} folders in each other`);
        read(path, depth + 1);
        continue;
      }
      const real = realFile(root, path, entry);
      if (real === undefined) {
        leftOut.push(path);
        continue;
      }
      bytes += statSync(real).size;
      if (files.size >= MOST_FILES || bytes > MOST_BYTES)
        throw new UsageError(`--site: ${root} has more than ${MOST_FILES} files, or ${MOST_BYTES / 1e9} GB`);
      files.set(path, readFile(real));
    }
  };
  read('', 1);
  const digest = createHash('sha256');
  for (const [path, file] of files) digest.update(`${JSON.stringify(path)} ${file.sha256}\n`);
  return { root, files, digest: digest.digest('hex'), leftOut };
}

/** Where a file's bytes are; undefined where they are not in the folder, or it is none. */
function realFile(root: string, path: string, entry: Dirent): string | undefined {
  const full = join(root, path);
  if (entry.isFile()) return full;
  if (!entry.isSymbolicLink()) return undefined;
  try {
    const real = realpathSync(full);
    const inside = real.startsWith(root.endsWith(sep) ? root : `${root}${sep}`);
    const hidden = real.slice(root.length).includes(`${sep}.`);
    return inside && !hidden && statSync(real).isFile() ? real : undefined;
  } catch {
    return undefined; // It leads nowhere.
  }
}

function readFile(path: string): FolderFile {
  const file = openSync(path, 'r');
  try {
    const digest = createHash('sha256');
    const chunk = Buffer.allocUnsafe(1 << 20);
    let bytes = 0;
    for (let read = readSync(file, chunk); read > 0; read = readSync(file, chunk)) {
      digest.update(chunk.subarray(0, read));
      bytes += read;
    }
    return { path, bytes, sha256: digest.digest('hex') };
  } finally {
    closeSync(file);
  }
}

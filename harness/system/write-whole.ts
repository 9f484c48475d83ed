import { closeSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/** Writes a file aside and moves it, so that a reader never meets half of it; makes its folder. */
export function writeWhole(path: string, content: string | Buffer): void {
  writeAside(path, (partial) => writeFileSync(partial, content));
}

/** The same for a text that is too long to be held at once. */
export function writePieces(path: string, pieces: Iterable<string>): void {
  writeAside(path, (partial) => {
    const file = openSync(partial, 'w');
    try {
      for (const piece of pieces) writeSync(file, piece);
    } finally {
      closeSync(file);
    }
  });
}

/** The same for whatever writes a file by its path. */
export function writeAside(path: string, write: (partial: string) => void): void {
  mkdirSync(dirname(path), { recursive: true });
  const partial = `${path}.partial`;
  try {
    write(partial);
    renameSync(partial, path);
  } finally {
    rmSync(partial, { force: true });
  }
}

import { rmSync } from 'node:fs';
import { PROJECT } from '../system/tools.ts';
import { makeFolder } from '../system/write-whole.ts';

/** A folder that a bench works in: empty at first, and gone when it is disposed of. */
export function openBenchFolder(name: string): Disposable & { readonly path: string } {
  const path = `${PROJECT}.lab/bench-${name}`;
  const remove = () => rmSync(path, { recursive: true, force: true });
  remove(); // One that was killed left it.
  makeFolder(path);
  return { path, [Symbol.dispose]: remove };
}

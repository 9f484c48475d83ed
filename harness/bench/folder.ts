import { mkdirSync, rmSync } from 'node:fs';
import { PROJECT } from '../system/tools.ts';

/** A folder that a bench works in: empty at first, and gone when it is disposed of. */
export function openBenchFolder(name: string): Disposable & { readonly path: string } {
  const path = `${PROJECT}.lab/bench-${name}`;
  const remove = () => rmSync(path, { recursive: true, force: true });
  remove(); // One that was killed left it.
  mkdirSync(path, { recursive: true });
  return { path, [Symbol.dispose]: remove };
}

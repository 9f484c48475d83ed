import { open } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/**
 * Has files below a folder on the disk, and the names by which they are found there, whatever becomes of the machine: a
 * file that was written and moved may else be empty, or gone, after the power was. All at once, so that a journalling
 * file system writes its journal once.
 */
export async function syncFiles(folder: string, files: readonly string[]): Promise<void> {
  if (files.length === 0) return;
  const folders = new Set([folder, ...files.map((file) => dirname(join(folder, file)))]);
  await Promise.all(files.map((file) => syncOne(join(folder, file))));
  await Promise.all([...folders].map((each) => syncOne(each).catch(ignoreUnknown)));
}

async function syncOne(path: string): Promise<void> {
  await using handle = await open(path, 'r');
  await handle.sync();
}

/** Some network file systems know of no such thing for a folder. */
function ignoreUnknown(cause: NodeJS.ErrnoException): void {
  if (cause.code !== 'EINVAL' && cause.code !== 'ENOTSUP') throw cause;
}

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { GeneratedSite, Manifest, Recipe, SiteObject } from '../model/site.ts';

/** Makes a site's files below a folder, or finds those that an earlier call made; the folder can be served as it is. */
export function generateSite(name: string, recipe: Recipe, seed: number, folder: string): GeneratedSite {
  const root = join(folder, `${name}-${recipe.version}-${seed}`);
  const manifestPath = join(root, 'manifest.json');
  if (existsSync(manifestPath)) return { root, manifest: JSON.parse(readFileSync(manifestPath, 'utf8')) as Manifest };

  // Made aside and moved, so that what is there is whole.
  const partial = `${root}.partial-${process.pid}`;
  rmSync(partial, { recursive: true, force: true });
  const objects: SiteObject[] = [];
  let upload: SiteObject | undefined;
  for (const file of recipe.files(seed)) {
    const path = join(partial, name, file.name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, file.body);
    const sha256 = createHash('sha256').update(file.body).digest('hex');
    const { name: fileName, body, sent, ...facts } = file;
    const object = { path: `/${name}/${fileName}`, bytes: body.length, sha256, ...facts };
    if (sent) upload = object;
    else objects.push(object);
  }
  const manifest: Manifest = { site: name, seed, document: objects[0]!.path, objects, ...(upload && { upload }) };
  writeFileSync(join(partial, 'manifest.json'), JSON.stringify(manifest, undefined, 1));
  try {
    renameSync(partial, root);
  } catch (error) {
    if (!existsSync(manifestPath)) throw error;
    rmSync(partial, { recursive: true }); // Another lab of this machine was faster.
  }
  return { root, manifest };
}

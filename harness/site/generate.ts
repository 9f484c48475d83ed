import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { GeneratedSite, Manifest, Recipe, SiteObject } from '../model/site.ts';
import { giveToSudoer, makeFolder, nameAside } from '../system/write-whole.ts';

/** Makes a site's files below a folder, or finds those that an earlier call made; the folder can be served as it is. */
export function generateSite(name: string, recipe: Recipe, seed: number, folder: string): GeneratedSite {
  const root = join(folder, `${name}-${recipe.version}-${seed}`);
  const manifestPath = join(root, 'manifest.json');
  if (existsSync(manifestPath)) return { root, manifest: readManifest(manifestPath) };

  // Made aside and moved, so that what is there is whole.
  const partial = nameAside(root);
  try {
    makeFolder(folder);
    const manifest = writeFiles(name, recipe, seed, partial);
    giveToSudoer(partial);
    renameSync(partial, root);
    return { root, manifest };
  } catch (error) {
    rmSync(partial, { recursive: true, force: true });
    if (!existsSync(manifestPath)) throw error;
    return { root, manifest: readManifest(manifestPath) }; // Another lab of this machine was faster.
  }
}

function readManifest(path: string): Manifest {
  return JSON.parse(readFileSync(path, 'utf8')) as Manifest;
}

/** Writes a site's files and its manifest into a folder. */
function writeFiles(name: string, recipe: Recipe, seed: number, folder: string): Manifest {
  const objects: SiteObject[] = [];
  let upload: SiteObject | undefined;
  for (const file of recipe.files(seed)) {
    const path = join(folder, name, file.name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, file.body);
    const sha256 = createHash('sha256').update(file.body).digest('hex');
    const { name: fileName, body, sent, ...facts } = file;
    const object = { path: `/${name}/${fileName}`, bytes: body.length, sha256, ...facts };
    if (sent) upload = object;
    else objects.push(object);
  }
  const manifest: Manifest = { site: name, seed, document: objects[0]!.path, objects, upload };
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify(manifest, undefined, 1));
  return manifest;
}

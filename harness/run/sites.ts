import { createHash } from 'node:crypto';
import { RECIPES } from '../../sites/recipes.ts';
import { type GeneratedSite, type Manifest, requiredObjects, type SiteFacts } from '../model/site.ts';
import { generateSite } from '../site/generate.ts';
import { PROJECT } from '../system/tools.ts';

/** The site cache and the seed that generated sites come from. */
const SITES = `${PROJECT}.lab/sites`;
const SITE_SEED = 1;

/** The files of a site that has a recipe, made if they are not there yet. */
export function findSite(name: string): GeneratedSite {
  return generateSite(name, RECIPES[name]!, SITE_SEED, SITES);
}

/** What a plan must know of a site. */
export function factsOf(manifest: Manifest): SiteFacts {
  const objects = requiredObjects(manifest);
  return {
    objects: objects.length,
    bytes: objects.reduce((sum, { bytes }) => sum + bytes, 0),
    ...(manifest.upload && { uploadBytes: manifest.upload.bytes }),
    digest: createHash('sha256').update(JSON.stringify(manifest)).digest('hex'),
  };
}

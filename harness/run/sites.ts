import { RECIPES } from '../../sites/recipes.ts';
import type { GeneratedSite } from '../model/site.ts';
import { generateSite } from '../site/generate.ts';
import { PROJECT } from '../system/tools.ts';

/** The site cache and the seed that generated sites come from. */
const SITES = `${PROJECT}.lab/sites`;
const SITE_SEED = 1;

/** The files of a site that has a recipe, made if they are not there yet. */
export function findSite(name: string): GeneratedSite {
  return generateSite(name, RECIPES[name]!, SITE_SEED, SITES);
}

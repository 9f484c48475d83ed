import { generateSite } from '../../harness/site/generate.ts';
import { RECIPES } from '../../sites/recipes.ts';

// Makes every site in the folder that it is given and says where each is. A program of its own, because Jest runs code
// that computes this much ten times slower than Node does.
const [folder, seed] = process.argv.slice(2);
const sites = Object.entries(RECIPES).map(([name, recipe]) => generateSite(name, recipe, Number(seed), folder!));
console.log(JSON.stringify(sites));

import type { Recipe } from '../harness/model/site.ts';
import { manySmall } from './grid.ts';

/** The sites that are generated, by name. */
export const RECIPES: Readonly<Record<string, Recipe>> = {
  'many-small': manySmall,
};

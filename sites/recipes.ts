import type { Recipe } from '../harness/model/site.ts';
import { app } from './app.ts';
import { article } from './article.ts';
import { eforladTravel, gameOfThrones, globalMaster } from './dncs.ts';
import { gallery } from './gallery.ts';
import { fewLarge, fewSmall, flags254, manyLarge, manySmall } from './grid.ts';
import { five400, lazy200, single2mb, single32mb } from './probes.ts';
import { shop } from './shop.ts';
import { upload } from './upload.ts';

/** The sites that are generated, by name. */
export const RECIPES: Readonly<Record<string, Recipe>> = {
  'many-small': manySmall,
  'many-large': manyLarge,
  'few-small': fewSmall,
  'few-large': fewLarge,
  'flags-254': flags254,
  'game-of-thrones': gameOfThrones,
  'global-master': globalMaster,
  'eforlad-travel': eforladTravel,
  article,
  shop,
  app,
  gallery,
  'single-2mb': single2mb,
  'single-32mb': single32mb,
  'five-400': five400,
  'lazy-200': lazy200,
  upload,
};

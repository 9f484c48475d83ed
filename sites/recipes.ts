import type { Recipe } from '../harness/model/site.ts';
import { app } from './app.ts';
import { article } from './article.ts';
import { eforladTravel, gameOfThrones, globalMaster } from './dncs.ts';
import { gallery } from './gallery.ts';
import { fewLarge, fewSmall, flags254, manyLarge, manySmall } from './grid.ts';
import { five400, lazy200, single2mb, single32mb } from './probes.ts';
import { shop } from './shop.ts';
import { uploadOf } from './upload.ts';

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
  'upload-txt-200kb': uploadOf('txt', 200_000),
  'upload-jpg-3mb': uploadOf('jpg', 3_030_322),
  'upload-mp4-3mb': uploadOf('mp4', 3_040_771),
  'upload-txt-3mb': uploadOf('txt', 3_031_970),
  'upload-jpg-5mb': uploadOf('jpg', 5_025_883),
  'upload-mp4-5mb': uploadOf('mp4', 5_038_033),
  'upload-txt-5mb': uploadOf('txt', 5_030_716),
  'upload-jpg-8mb': uploadOf('jpg', 8_028_577),
  'upload-mp4-8mb': uploadOf('mp4', 8_042_005),
  'upload-txt-8mb': uploadOf('txt', 8_025_669),
};

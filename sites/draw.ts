import { type Random, seededRandom } from '../harness/stats/random.ts';

/** A site's streams of chance: one for each label, so that a change in one file changes no other. */
export type Draw = (label: string) => Random;

/** The streams of a site that a seed determines; no two sites share one. */
export function openDraw(site: string, seed: number): Draw {
  return (label) => seededRandom(seed, `${site} ${label}`);
}

import type { Film } from '../model/film.ts';
import type { Block, Plan } from '../model/study.ts';
import { loadFor } from './block.ts';
import type { Rig } from './rig.ts';

/** A film of each arm in a block's condition, where the load came to its end. */
export async function filmArms(plan: Plan, rig: Rig, block: Block): Promise<ReadonlyMap<string, Film>> {
  const films = new Map<string, Film>();
  for (const arm of block.order) {
    const film = await rig.film({ ...loadFor(plan, { block }, arm), beside: undefined });
    if (film) films.set(arm, film);
  }
  return films;
}

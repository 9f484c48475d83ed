import { armsInPlay } from '../comparison/arms-in-play.ts';
import type { Decision } from '../model/answer.ts';
import { armsAlike, armsLoaded, type Condition, type Plan } from '../model/study.ts';

/** Whether a study asks for answers alone, so that each condition gets the blocks that its answer needs. One arm has no answer. */
export function isForAnswers({ stopping, arms }: Plan): boolean {
  return stopping.kind === 'early' && stopping.until === 'settled' && arms.length > 1;
}

/** The arms of the next block: those that can still matter. */
export function armsOfNext(
  plan: Plan,
  block: {
    readonly planned: Condition;
    readonly decision: Decision | undefined;
    readonly untold: readonly string[] | undefined;
  },
): readonly string[] {
  const names = armsLoaded(plan, block.planned).map(({ name }) => name);
  if (!isForAnswers(plan)) return names;
  const inPlay = armsInPlay(names, block.decision);
  if (block.untold === undefined) return inPlay;
  const alike = armsAlike(plan, block.planned);
  // What an offer gains is told over what is served today.
  const asked = [plan.served, ...block.untold].map((name) => alike.get(name) ?? name);
  const kept = new Set(block.decision?.answer.settled ? asked : [...inPlay, ...asked]);
  return kept.size > 1 ? names.filter((name) => kept.has(name)) : inPlay;
}

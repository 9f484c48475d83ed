import { armsInPlay } from '../comparison/arms-in-play.ts';
import type { JudgedPlan } from '../comparison/judge-plan.ts';
import { armsAlike, armsLoaded, type Plan } from '../model/study.ts';

/** Whether a study asks for answers alone, so that each condition gets the blocks that its answer needs. One arm has no answer. */
export function isForAnswers({ stopping, arms }: Plan): boolean {
  return stopping.kind === 'early' && stopping.until === 'settled' && arms.length > 1;
}

/** The arms of the next block of a condition, by its place in the plan: those that can still matter. */
export function armsOfNext(
  plan: Plan,
  { decisions, untold }: Pick<JudgedPlan, 'decisions' | 'untold'>,
  place: number,
): readonly string[] {
  const [condition, decision, offers] = [plan.conditions[place]!, decisions[place], untold?.[place]];
  const names = armsLoaded(plan, condition).map(({ name }) => name);
  if (!isForAnswers(plan)) return names;
  const inPlay = armsInPlay(names, decision);
  if (offers === undefined) return inPlay;
  const alike = armsAlike(plan, condition);
  // What an offer gains is told over what is served today.
  const asked = [plan.served, ...offers].map((name) => alike.get(name) ?? name);
  const kept = new Set(decision?.answer.settled ? asked : [...inPlay, ...asked]);
  return kept.size > 1 ? names.filter((name) => kept.has(name)) : inPlay;
}

import type { Label, PairJudgement } from '../model/comparison.ts';

/** Two arms and what is said of them. */
export type PairVerdict = Pick<PairJudgement, 'a' | 'b' | 'verdict'>;

/**
 * Sorts arms by what the verdicts say of them. Where each is beaten by some other in a circle, as shares allow, none
 * can be called the best and all of them stay open.
 */
export function labelArms(arms: readonly string[], pairs: readonly PairVerdict[]): Label {
  const beaten = arms.filter((arm) => pairs.some((pair) => loserOf(pair) === arm));
  if (beaten.length === arms.length) return { unbeaten: [], open: arms, beaten: [] };
  const left = arms.filter((arm) => !beaten.includes(arm));
  const isOpen = (arm: string) =>
    pairs.some((pair) => pair.verdict === 'undecided' && (pair.a === arm || pair.b === arm));
  return { unbeaten: left.filter((arm) => !isOpen(arm)), open: left.filter(isOpen), beaten };
}

/** The arms that are not beaten, proven or not, in the order of `arms`: the label of a condition. */
export function notBeaten(arms: readonly string[], { beaten }: Label): readonly string[] {
  return arms.filter((arm) => !beaten.includes(arm));
}

function loserOf({ a, b, verdict }: PairVerdict): string | undefined {
  if (verdict === 'a') return b;
  return verdict === 'b' ? a : undefined;
}

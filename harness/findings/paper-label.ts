import { beat, outcomesOfBoth } from '../comparison/outcome.ts';
import { RULES } from '../comparison/rules.ts';
import type { BlockOutcomes } from '../model/comparison.ts';

/**
 * The arms that Krämer, Megyesi, Molnár 2015 would have called the best in a condition: those that no other arm beats,
 * where one beats another if it takes less time by at least 10 % in at least 70 % of the blocks. Shares are taken at face
 * value, as the paper took them. All arms where each is beaten by some other, in a circle.
 */
export function labelAsInPaper(blocks: readonly BlockOutcomes[], arms: readonly string[]): readonly string[] {
  const { advantage, share } = RULES.kramer2015;
  const beats = (winner: string, loser: string) => {
    const both = outcomesOfBoth(blocks, winner, loser);
    return both.length > 0 && both.filter(({ a, b }) => beat(a, b, advantage)).length >= share * both.length;
  };
  const unbeaten = arms.filter((arm) => !arms.some((other) => other !== arm && beats(other, arm)));
  return unbeaten.length > 0 ? unbeaten : arms;
}

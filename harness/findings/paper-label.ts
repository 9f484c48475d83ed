import { beat, outcomesOfBoth } from '../comparison/outcome.ts';
import { RULES } from '../comparison/rules.ts';
import type { BlockOutcomes } from '../model/comparison.ts';

/**
 * The arms that Krämer, Megyesi, Molnár 2015 would have put on the leaf of a condition: the fastest, which beats all
 * others; where there is none, all but the slowest, which all others beat; where neither can be told, all of them. One
 * beats another if it takes less time by at least 10 % in at least 70 % of the blocks. Shares are taken at face value, as
 * the paper took them.
 */
export function labelAsInPaper(blocks: readonly BlockOutcomes[], arms: readonly string[]): readonly string[] {
  const { advantage, share } = RULES.kramer2015;
  const beats = (winner: string, loser: string) => {
    const both = outcomesOfBoth(blocks, winner, loser);
    return both.length > 0 && both.filter(({ a, b }) => beat(a, b, advantage)).length >= share * both.length;
  };
  const othersThan = (arm: string) => arms.filter((other) => other !== arm);
  const fastest = arms.find((arm) => othersThan(arm).every((other) => beats(arm, other)));
  if (fastest !== undefined) return [fastest];
  const slowest = arms.find((arm) => othersThan(arm).every((other) => beats(other, arm)));
  return slowest === undefined ? arms : othersThan(slowest);
}

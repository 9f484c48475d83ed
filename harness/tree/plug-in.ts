import { logRatios } from '../comparison/estimate.ts';
import { labelArms } from '../comparison/label.ts';
import { beat, outcomeOf, timesOf } from '../comparison/outcome.ts';
import type { BlockOutcomes, Label, Rule, Verdict } from '../model/comparison.ts';
import { median } from '../stats/order.ts';

// Shares of blocks taken at face value: what resampled and halved studies are judged by, where e-values would have
// nothing to say. No verdict comes from here.

/** Two arms and, block by block, which of them beat the other. */
interface Duel {
  readonly a: string;
  readonly b: string;
  readonly aWon: readonly boolean[];
  readonly bWon: readonly boolean[];
}

/** Who beat whom in each block of a condition. */
export interface WinTable {
  readonly arms: readonly string[];
  readonly duels: readonly Duel[];
}

/** Holds every two arms against each other in each block. */
export function winTable(arms: readonly string[], blocks: readonly BlockOutcomes[], { advantage }: Rule): WinTable {
  const won = (winner: string, loser: string) =>
    blocks.map((block) => beat(outcomeOf(block, winner), outcomeOf(block, loser), advantage));
  const duels = arms.flatMap((a, index) =>
    arms.slice(index + 1).map((b) => ({ a, b, aWon: won(a, b), bWon: won(b, a) })),
  );
  return { arms, duels };
}

/** The label of a condition had it these blocks only, each as often as it is named, and were their shares the truth. */
export function pluggedInLabel({ arms, duels }: WinTable, blocks: readonly number[], { share }: Rule): Label {
  const holds = (won: readonly boolean[]) => blocks.filter((block) => won[block]).length > share * blocks.length;
  return labelArms(
    arms,
    duels.map(({ a, b, aWon, bWon }) => ({ a, b, verdict: verdictOf(holds(aWon), holds(bWon)) })),
  );
}

function verdictOf(aBeats: boolean, bBeats: boolean): Verdict {
  if (aBeats) return 'a';
  return bBeats ? 'b' : 'tie';
}

/**
 * The positions of a condition's blocks in two halves, launch by launch in turn, so that what a launch of the browsers
 * does is in one of them only; block by block where there is but one launch. Twice all of them where they cannot be
 * parted.
 */
export function halvesByLaunch(blocks: readonly BlockOutcomes[]): readonly [readonly number[], readonly number[]] {
  const positions = blocks.map((_, position) => position);
  if (blocks.length < 2) return [positions, positions];
  const launches = [...new Set(blocks.map((block) => block.launch))];
  const turnOf = (position: number) => (launches.length === 1 ? position : launches.indexOf(blocks[position]!.launch));
  return [
    positions.filter((position) => turnOf(position) % 2 === 0),
    positions.filter((position) => turnOf(position) % 2 === 1),
  ];
}

/** The arm whose median time is least, a failure counting as longer than any time; of several the first. */
export function fastestArm(arms: readonly string[], blocks: readonly BlockOutcomes[]): string {
  const medians = arms.map((arm) => median(timesOf(blocks, arm)));
  return arms[medians.indexOf(Math.min(...medians))]!;
}

/** How much longer an arm takes than another, in percent: by the median of the paired ratios. */
export function slowdownPercent(arm: string, than: string, blocks: readonly BlockOutcomes[]): number {
  const middle = median(logRatios(blocks, arm, than));
  // Opposite infinities in the middle: each failed where the other did not.
  return Number.isNaN(middle) ? 0 : 100 * Math.expm1(middle);
}

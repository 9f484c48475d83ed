import type { BlockOutcomes, Label, Rule } from '../model/comparison.ts';
import type { Regret } from '../model/tree.ts';
import { meanOf } from '../stats/order.ts';
import { fastestArm, halvesByLaunch, pluggedInLabel, slowdownPercent, type WinTable } from './plug-in.ts';

/** Something for each of two halves of a condition's blocks. */
export type ByHalf<T> = readonly [first: T, second: T];

/** What one half of a condition's blocks would choose, and what choices turn out to cost in the other. */
interface Half {
  /** As this half's blocks alone would have it. */
  readonly label: Label;
  /** By arm: how much longer it takes in the other half than the arm that is fastest in all blocks, in percent. */
  readonly slowdowns: ReadonlyMap<string, number>;
}

/**
 * Parts a condition's blocks, so that no leaf is scored on the blocks that it was chosen by. The best arm that it is
 * scored against is told by all blocks: by the choosing half alone a choice would be right by definition, and by the
 * scoring half alone chance would make some arm better.
 */
export function halve(blocks: readonly BlockOutcomes[], wins: WinTable, rule: Rule): ByHalf<Half> {
  const [first, second] = halvesByLaunch(blocks);
  const best = fastestArm(wins.arms, blocks);
  const half = (own: readonly number[], others: readonly number[]): Half => {
    const scoring = others.map((position) => blocks[position]!);
    return {
      label: pluggedInLabel(wins, own, rule),
      slowdowns: new Map(wins.arms.map((arm) => [arm, slowdownPercent(arm, best, scoring)])),
    };
  };
  return [half(first, second), half(second, first)];
}

/**
 * What following a leaf costs in a condition, in percent: with whichever of its arms is slowest, the leaf being chosen by
 * one half of the blocks and scored on the other, and then the other way round. Below 0 where what is best in all blocks
 * is not in those it is scored on.
 */
export function regretOf(halves: ByHalf<Half>, chosen: ByHalf<readonly string[]>): number {
  const costs = halves.map(({ slowdowns }, index) => Math.max(...chosen[index]!.map((arm) => slowdowns.get(arm)!)));
  return (costs[0]! + costs[1]!) / 2;
}

/** The regrets of some conditions, taken together; a mean below 0 is no regret. */
export function regretOver(regrets: readonly number[]): Regret {
  return { regretPercent: Math.max(0, meanOf(regrets)), worstPercent: Math.max(0, ...regrets) };
}

import { timesOf } from '../comparison/outcome.ts';
import type { BeforeAndNow, Check, GateCondition } from '../model/gate.ts';
import type { Estimate } from '../stats/signed-rank.ts';
import { unpairedShift } from '../stats/unpaired-shift.ts';
import { aboutCondition, addedPercent, holdAgainst, NOTHING } from './checks.ts';

/** How much longer an arm may take than it did. */
export interface Slowdown {
  readonly arms: readonly string[];
  readonly limitPercent: number;
}

/**
 * Holds each arm in each condition against itself in an earlier study. Blocks of two studies are no pairs: what is
 * compared is any load of one with any load of the other, in logarithms, so that the estimate is a ratio of times.
 */
export function checkBaseline(
  { arms, limitPercent }: Slowdown,
  conditions: readonly BeforeAndNow<GateCondition>[],
  tail: number,
): readonly Check[] {
  return conditions.flatMap((pair) =>
    arms.map((arm) => {
      const found = slowdownOf(pair, arm, tail);
      const [low, estimate, high] = [found.low, found.estimate, found.high].map(addedPercent) as [
        number,
        number,
        number,
      ];
      const unfit = pair.now.unfit ?? (pair.before.unfit === undefined ? undefined : `then: ${pair.before.unfit}`);
      return {
        kind: 'no-slower-than',
        ...aboutCondition(pair.now, arm),
        unfit,
        blocks: Math.min(pair.now.blocks.length, pair.before.blocks.length),
        unit: '%',
        limit: limitPercent,
        low,
        estimate,
        high,
        outcome: holdAgainst({ low, high }, limitPercent),
      };
    }),
  );
}

function slowdownOf({ before, now }: BeforeAndNow<GateCondition>, arm: string, tail: number): Estimate {
  if (before.unfit !== undefined || now.unfit !== undefined) return NOTHING;
  const logTimes = ({ blocks }: GateCondition) => timesOf(blocks, arm).map(Math.log);
  const sampling = before.isFixed && now.isFixed ? 'fixed' : 'stopped';
  return unpairedShift({ values: logTimes(now), others: logTimes(before) }, tail, sampling);
}

import type { BlockOutcomes } from '../model/comparison.ts';
import { type Random, seededRandom } from '../stats/random.ts';
import {
  type Chance,
  type ChanceSize,
  drawChance,
  drawTypical,
  type ExpectedRatios,
  takenTogether,
} from '../stats/typical-draws.ts';
import { countLoads, drawFailureShares, failedShare } from './failures.ts';
import { logOf } from './outcome.ts';
import { LEAST_BLOCKS } from './rules.ts';
import { scattersOf } from './scatter.ts';
import type { LikeRecord } from './spreads.ts';

/** How many possible truths are drawn, where no other number is asked for. */
export const DRAWS = 1000;

/** What typical outcomes are drawn from. */
export interface TypicalRequest {
  /** Draws of the same name have the same chance. */
  readonly name: string;
  /** In order, without a gap. */
  readonly blocks: readonly BlockOutcomes[];
  readonly arms: readonly string[];
  /** By arm: the standard deviation of the logarithm of an outcome. */
  readonly spreads: readonly number[];
  /** The standard deviation of what machines add to an arm, which no number of these blocks tells; absent on one machine. */
  readonly doubt?: number;
  /** What is expected of how the arms differ, before any block; absent: that they are alike. */
  readonly expected?: ExpectedRatios | undefined;
  /** What a load that failed is taken to have lasted. */
  readonly timeoutMs: number;
  readonly seed: number;
  /** Possible truths that are drawn. */
  readonly draws: number;
}

/** Draws what the outcomes of each arm typically are, as logarithms: by arm, then by draw. */
export function drawTypicalOutcomes(request: TypicalRequest, random: Random): readonly Float64Array[] {
  const { name, blocks, arms, spreads, doubt = 0, expected, timeoutMs, seed, draws } = request;
  const values = arms.map((arm) =>
    blocks.map(({ outcomes: { [arm]: outcome } }) => (outcome === undefined ? undefined : logOf(outcome, timeoutMs))),
  );
  // An arm most of whose loads fail has no typical time, so that nothing is expected of how long it takes beside others.
  const comparable = countLoads(blocks, arms).map((count) => failedShare(count) <= 0.5);
  const series = takenTogether({ values, spreads, doubt, expected, comparable });
  const size = { draws, blocks: series.values[0]!.length, series: arms.length };
  return drawTypical(series, chanceOf(name, seed, size), random);
}

/** What was drawn by each name so far: a study decides after each of its blocks. */
const chances = new Map<string, { readonly key: string; readonly chance: Chance }>();
/** At most this many names are remembered; what is drawn by further ones is drawn again each time. */
const REMEMBERED = 100;

/** What is chance alone in the draws of a name; it grows with the blocks. */
function chanceOf(name: string, seed: number, size: ChanceSize): Chance {
  const key = JSON.stringify([seed, size.draws]);
  const known = chances.get(name);
  const streamOf = (what: string) => seededRandom(seed, `${name} ${what}`);
  const chance = drawChance(size, streamOf, known?.key === key ? known.chance : undefined);
  if (known || chances.size < REMEMBERED) chances.set(name, { key, chance });
  return chance;
}

/** A record of which typical outcomes are drawn beside those of others that it is like. */
export interface TypicalRecord extends LikeRecord {
  readonly timeoutMs: number;
}

/**
 * Draws what the outcomes of each arm typically are in each of some conditions, which tell each other how much outcomes
 * vary: by condition, arm and draw, as logarithms. An outcome is endless in those draws in which most loads fail. Arms with
 * too few blocks for an answer are absent.
 */
export function drawTypicalOf(
  all: readonly TypicalRecord[],
  arms: readonly string[],
  seed: number,
): ReadonlyMap<string, ReadonlyMap<string, Float64Array>> {
  const scatters = scattersOf(all, arms);
  return new Map(
    all.map(({ timeoutMs, record: { condition } }) => {
      const { blocks, spreadsOf, doubt } = scatters.get(condition)!;
      const isTold = (arm: string) => blocks.filter(({ outcomes }) => arm in outcomes).length >= LEAST_BLOCKS.answer;
      const told = arms.filter(isTold);
      if (told.length === 0) return [condition, new Map()];
      const random = seededRandom(seed, `typical ${condition}`);
      const request = {
        name: `typical ${condition}`,
        blocks,
        arms: told,
        spreads: spreadsOf(told),
        doubt,
        timeoutMs,
        seed,
        draws: DRAWS,
      };
      const drawn = drawTypicalOutcomes(request, random);
      makeEndless(drawn, blocks, told, random);
      return [condition, new Map(told.map((arm, index) => [arm, drawn[index]!]))];
    }),
  );
}

/** An arm has no typical outcome in those draws in which more than half of its loads fail. */
function makeEndless(
  drawn: readonly Float64Array[],
  blocks: readonly BlockOutcomes[],
  arms: readonly string[],
  random: Random,
): void {
  const counts = countLoads(blocks, arms);
  if (counts.every(({ failed }) => failed === 0)) return;
  for (let draw = 0; draw < drawn[0]!.length; draw += 1)
    for (const [arm, share] of drawFailureShares(counts, random).entries())
      if (share > 0.5) drawn[arm]![draw] = Number.POSITIVE_INFINITY;
}

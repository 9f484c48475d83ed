import { decide } from '../../harness/comparison/decide.ts';
import { RULES } from '../../harness/comparison/rules.ts';
import type { Decision } from '../../harness/model/answer.ts';
import type { Rule } from '../../harness/model/comparison.ts';
import { normalDeviate } from '../../harness/stats/normal.ts';
import { seededRandom } from '../../harness/stats/random.ts';
import { recordOf, type Times } from './blocks.ts';

/** Times around a median, their logarithms normal; the same for the same seed. */
export function around(ms: number, noise: number, seed: number, count = 60): readonly number[] {
  const random = seededRandom(seed, 'times');
  return Array.from({ length: count }, () => ms * Math.exp(noise * normalDeviate(random)));
}

export interface DecisionWish {
  readonly blocks?: number;
  readonly rule?: Rule;
  readonly timeoutMs?: number;
  readonly served?: string;
  readonly seed?: number;
  readonly condition?: string;
  /** How far single loads lie apart, as is known of them. */
  readonly spread?: number;
  /** How far they lie apart in each arm, in the order of the arms. */
  readonly spreads?: readonly number[];
}

/** What is decided where arms take these times. */
export function decideOn(times: Readonly<Record<string, Times>>, wish: DecisionWish = {}): Decision | undefined {
  const { blocks = 12, rule = RULES.default, timeoutMs = 60_000, served = 'h2', seed = 1, spread = 0.01 } = wish;
  const arms = Object.keys(times);
  const { condition = 'c', spreads = arms.map(() => spread) } = wish;
  return decide({
    condition,
    arms,
    rule,
    timeoutMs,
    served,
    seed,
    blocks: recordOf(condition, blocks, times).blocks,
    spreads,
  });
}

/**
 * A decision as if it were known for certain how much longer loads take with each arm than with the best one; settled
 * where it is not said otherwise.
 */
export function knownDecision(
  condition: string,
  slowdowns: Readonly<Record<string, number>>,
  more: Partial<Decision['answer']> = {},
): Decision {
  return decisionOf(condition, Object.fromEntries(Object.entries(slowdowns).map(([arm, each]) => [arm, [each]])), more);
}

const DRAWS = 100;

/** A decision whose draws take turns among these slowdowns. */
export function decisionOf(
  condition: string,
  slowdowns: Readonly<Record<string, readonly number[]>>,
  more: Partial<Decision['answer']> = {},
): Decision {
  const draws = Object.fromEntries(
    Object.entries(slowdowns).map(([arm, own]) => [
      arm,
      Float64Array.from({ length: DRAWS }, (_, draw) => own[draw % own.length]!),
    ]),
  );
  const mean = (arm: string) => 100 * (draws[arm]!.reduce((sum, each) => sum + each, 0) / DRAWS - 1);
  const within = (arm: string) => draws[arm]!.filter((each) => each <= 1.03).length / DRAWS;
  const names = Object.keys(slowdowns);
  const serve = names.reduce((best, arm) => (mean(arm) < mean(best) ? arm : best));
  return {
    answer: {
      condition,
      serve,
      sureness: 'sure',
      settled: true,
      blocks: 12,
      regretPercent: mean(serve),
      asGood: names.filter((arm) => arm !== serve && within(arm) >= 0.8),
      chanceAboveMargin: 1 - within(serve),
      gain: { over: 'h2', percent: 0, interval: [0, 0] },
      arms: Object.fromEntries(
        names.map((arm) => [arm, { regretPercent: mean(arm), bestChance: 0, withinChance: within(arm) }]),
      ),
      ...more,
    },
    fewestBlocks: 3,
    slowdowns: draws,
  };
}

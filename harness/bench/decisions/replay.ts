import { readFileSync } from 'node:fs';
import { type DecidingPlan, decideStudy } from '../../comparison/answers.ts';
import { armsInPlay } from '../../comparison/arms-in-play.ts';
import { judgeStudy } from '../../comparison/judge.ts';
import { LEAST_BLOCKS } from '../../comparison/rules.ts';
import { type Decision, isSure } from '../../model/answer.ts';
import type { BlockOutcomes, ConditionRecord, Outcome, Rule } from '../../model/comparison.ts';
import type { Features } from '../../model/tree.ts';
import { median } from '../../stats/order.ts';
import { seededRandom, shuffled } from '../../stats/random.ts';
import { countLook, countSettled, newTally, type Tally } from './calibration.ts';

/** A condition of the 2015 study as it was measured. */
export interface ReplayedCondition {
  readonly id: string;
  readonly features: Features;
  readonly launches: readonly number[];
  /** By arm, block by block, in milliseconds; null where the load failed. */
  readonly times: Readonly<Record<string, readonly (number | null)[]>>;
}

const ARMS = ['h1', 'h2', 'h3'] as const;
const TIMEOUT_MS = 600_000;

/** The blocks of the sample of `kramer2015` of November 2026: 2,700 loads over four hours. */
export function readReplayed(): readonly ReplayedCondition[] {
  const text = readFileSync(new URL('./kramer2015-blocks.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { readonly conditions: readonly ReplayedCondition[] }).conditions;
}

/** One of its blocks, with the arms that were loaded in it. */
interface TakenBlock {
  readonly place: number;
  readonly arms: readonly string[];
}

/** Its blocks as they are judged, in the order in which they are named. */
export function recordOf({ id, times, launches }: ReplayedCondition, taken: readonly TakenBlock[]): ConditionRecord {
  const blocks = taken.map(({ place, arms }, index): BlockOutcomes => {
    const outcomeOf = (arm: string): Outcome => times[arm]![place] ?? 'failed';
    const outcomes = Object.fromEntries(arms.map((arm) => [arm, outcomeOf(arm)]));
    return { index, launch: launches[place]!, at: index, outcomes };
  });
  return { condition: id, blocks, voids: [] };
}

/** The plan of such a study. */
export function planFor(conditions: readonly ReplayedCondition[], rule: Rule, seed: number): DecidingPlan {
  return {
    conditions: conditions.map(({ id, features }) => ({
      id,
      timeoutMs: TIMEOUT_MS,
      lossy: features.lossPercent > 0,
      setting: id.slice(id.indexOf('|')),
    })),
    arms: ARMS.map((name) => ({ name })),
    rule,
    stopping: { kind: 'early', until: 'settled', cap: 1000 },
    served: 'h2',
    seed,
  };
}

/** What to serve by all blocks that there are. */
export function decideReplayed(
  conditions: readonly ReplayedCondition[],
  rule: Rule,
): readonly (Decision | undefined)[] {
  const plan = planFor(conditions, rule, 1);
  const records = conditions.map((condition) =>
    recordOf(
      condition,
      condition.launches.map((_, place) => ({ place, arms: ARMS })),
    ),
  );
  return decideStudy(plan, records, judgeStudy(plan, records));
}

/** Each arm's regret by the medians of all blocks, as a fraction. */
export function trueRegrets({ times }: ReplayedCondition): Readonly<Record<string, number>> {
  const medians = ARMS.map((arm) => median(times[arm]!.map((time) => time ?? TIMEOUT_MS)));
  const least = Math.min(...medians);
  return Object.fromEntries(ARMS.map((arm, index) => [arm, medians[index]! / least - 1]));
}

/**
 * Replays the study once: the blocks of each condition come in a random order, a round of one block for each condition
 * after the other, with a look after each round. A condition gets no more once its answer is sure. All conditions are
 * looked at together, since each has a part in what is known of how others vary.
 */
export function replayOnce(conditions: readonly ReplayedCondition[], rule: Rule, seed: number, tally: Tally): void {
  const random = seededRandom(seed, 'replay');
  const orders = conditions.map(({ launches }) => shuffled([...launches.keys()], random));
  const truths = conditions.map(trueRegrets);
  const taken = conditions.map((): TakenBlock[] => []);
  const open = new Set(conditions.map(({ id }) => id));
  const plan = planFor(conditions, rule, seed);
  let decisions: readonly (Decision | undefined)[] = [];
  while (open.size > 0) {
    for (const [index, { id }] of conditions.entries()) {
      if (!open.has(id)) continue;
      const own = taken[index]!;
      own.push({ place: orders[index]![own.length]!, arms: armsInPlay(ARMS, decisions[index]) });
    }
    const records = conditions.map((condition, index) => recordOf(condition, taken[index]!));
    decisions = decideStudy(plan, records, judgeStudy(plan, records), (id) => open.has(id));
    for (const [index, condition] of conditions.entries()) {
      if (!open.has(condition.id)) continue;
      const answer = decisions[index]?.answer;
      const blocks = taken[index]!.length;
      if (answer && blocks >= LEAST_BLOCKS.sure) countLook(tally, answer, truths[index]!, rule.advantage);
      if (answer && isSure(answer.sureness)) {
        countSettled(tally, answer, truths[index]!, rule.advantage);
        open.delete(condition.id);
      } else if (blocks >= condition.launches.length) {
        tally.unsettledAfter.push(blocks);
        open.delete(condition.id);
      }
    }
  }
}

/** Replays the study a number of times. */
export function replay(conditions: readonly ReplayedCondition[], rule: Rule, times: number): Tally {
  const tally = newTally();
  const enough = conditions.filter(({ launches }) => launches.length >= LEAST_BLOCKS.sure);
  for (let seed = 1; seed <= times; seed += 1) replayOnce(enough, rule, seed, tally);
  return tally;
}

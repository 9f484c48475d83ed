import { logRatios } from '../comparison/estimate.ts';
import { samplingOf } from '../comparison/sampling.ts';
import type { Rule } from '../model/comparison.ts';
import type { Check, CheckAnswer, GateCondition, GateStudy } from '../model/gate.ts';
import { medianInterval } from '../stats/median-interval.ts';
import type { Estimate } from '../stats/signed-rank.ts';
import { aboutCondition, addedPercent, failuresOf, holdAgainst, NOTHING } from './checks.ts';

/** What serving an arm costs in a condition: how much longer it takes than the fastest, in percent. */
export interface ConditionRegret extends Estimate {
  readonly condition: GateCondition;
  /** The arm that is ahead by most. */
  readonly against: string;
}

/**
 * The regret of an arm in each condition: by how much its load takes longer than the other's in the same block, in the
 * middle of all blocks, for whichever other is ahead by most; 0 where none is ahead.
 *
 * What the study has proven of two arms is known here, too: one that wins, or is not beaten, is ahead by no less than
 * that. Only the upper end has it, as a proof has a chance of its own to be false, which no alarm may rest on.
 */
export function regretsOf(
  { conditions, arms, rule }: GateStudy,
  served: string,
  tail: number,
): readonly ConditionRegret[] {
  const others = arms.filter((arm) => arm !== served);
  return conditions.map((condition) => {
    const ahead = others.map((other) => {
      const found = aheadBy(condition, [served, other], tail);
      return { other, ...found, high: Math.min(found.high, mostByProof(condition, [served, other], rule)) };
    });
    const most = (of: 'low' | 'high') => Math.max(0, ...ahead.map((each) => addedPercent(each[of])));
    // One with which no load can be compared has no estimate, and takes nothing off that of the others.
    const rival = ahead.reduce((best, each) =>
      each.estimate > best.estimate || Number.isNaN(best.estimate) ? each : best,
    );
    const estimate = Math.max(0, addedPercent(rival.estimate));
    return { condition, against: rival.other, low: most('low'), estimate, high: most('high') };
  });
}

type Duel = readonly [served: string, other: string];

function aheadBy(condition: GateCondition, [served, other]: Duel, tail: number): Estimate {
  if (condition.unfit !== undefined) return NOTHING;
  return medianInterval(logRatios(condition.blocks, served, other), tail, samplingOf(condition));
}

/** The most that the logarithm of the one's time over the other's can be in the middle, if the study's proofs are true. */
function mostByProof(
  { verdicts, within = [] }: GateCondition,
  [served, other]: Duel,
  { advantage, share }: Rule,
): number {
  const pair = verdicts.find(({ a, b }) => (a === served && b === other) || (a === other && b === served));
  const verdict = pair?.verdict ?? 'undecided';
  if (pair && (verdict === 'a' || verdict === 'b') && pair[verdict] === served) return Math.log(1 - advantage);
  // The other one does not win in most blocks; where the rule asks for more than half of them that says nothing.
  const isNotBeaten = verdict === 'tie' || within.includes(served);
  return isNotBeaten && share === 0.5 ? -Math.log(1 - advantage) : Number.POSITIVE_INFINITY;
}

/** Holds the regret in each condition against a limit; where neither is proven, with what the study would serve there. */
export function checkRegrets(
  regrets: readonly ConditionRegret[],
  { served, limitPercent, rule }: { readonly served: string; readonly limitPercent: number; readonly rule: Rule },
): readonly Check[] {
  return regrets.map(({ condition, against, low, estimate, high }) => {
    const outcome = holdAgainst({ low, high }, limitPercent);
    const answer = outcome === 'unknown' ? answerOn(served, condition, rule) : undefined;
    return {
      kind: 'max-regret',
      ...aboutCondition(condition, served),
      against,
      unit: '%',
      limit: limitPercent,
      estimate,
      low,
      high,
      outcome,
      answer,
    };
  });
}

function answerOn(served: string, { answer }: GateCondition, { advantage }: Rule): CheckAnswer | undefined {
  if (!answer) return undefined;
  const { serve, asGood, sureness, arms } = answer;
  return { serve, asGood, sureness, marginPercent: 100 * advantage, regretPercent: arms[served]!.regretPercent };
}

/**
 * Holds the mean regret over the traffic against a limit. Its interval has all conditions at their ends at once, which
 * costs no further certainty; in what was not measured it may be anything, but is never below 0.
 */
export function checkMixRegret(
  regrets: readonly ConditionRegret[],
  about: { readonly served: string; readonly unmeasured: readonly string[]; readonly limitPercent: number },
): Check {
  const { served, unmeasured, limitPercent } = about;
  const counted = regrets.filter(({ condition }) => condition.weight > 0);
  const mean = (of: (regret: ConditionRegret) => number) =>
    counted.reduce((sum, regret) => sum + regret.condition.weight * of(regret), 0);
  const [low, estimate] = [mean((each) => each.low), mean((each) => each.estimate)];
  const high = unmeasured.length > 0 ? Number.POSITIVE_INFINITY : mean((each) => each.high);
  const outcome = holdAgainst({ low, high }, limitPercent);
  const unfit = counted
    .filter(({ condition }) => condition.unfit !== undefined)
    .map(({ condition }) => condition.title);
  const unknown = [...unfit, ...unmeasured];
  const count = (of: (condition: GateCondition) => number) =>
    counted.reduce((sum, { condition }) => sum + of(condition), 0);
  return {
    kind: 'max-mix-regret',
    title: 'all of the traffic',
    arm: served,
    unit: '%',
    limit: limitPercent,
    low,
    estimate,
    high,
    outcome,
    blocks: count(({ blocks }) => blocks.length),
    failed: count((condition) => failuresOf(condition, served)),
    unfit: unknown.length > 0 && outcome === 'unknown' ? `nothing is known of ${unknown.join(', ')}` : undefined,
  };
}

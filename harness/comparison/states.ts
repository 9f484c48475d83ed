import type { Decision } from '../model/answer.ts';
import type { ConditionJudgement, ConditionState, Judgement, JudgingPlan } from '../model/comparison.ts';
import { isWithinReachable } from './evidence.ts';
import { FALSE_DISCOVERY_RATE, LEAST_BLOCKS } from './rules.ts';

/** Whether each condition gets more blocks, and if not, why; `untold` are the offers of each that are still open. */
export function statesOf(
  plan: JudgingPlan,
  judgement: Judgement,
  decisions: readonly (Decision | undefined)[],
  untold?: readonly (readonly string[])[],
): readonly ConditionState[] {
  return judgement.conditions.map((condition, index) =>
    stateOf(condition, decisions[index], {
      plan,
      hypotheses: judgement.hypotheses,
      isTold: (untold?.[index] ?? []).length === 0,
    }),
  );
}

function stateOf(
  condition: ConditionJudgement,
  decision: Decision | undefined,
  { plan, hypotheses, isTold }: { readonly plan: JudgingPlan; readonly hypotheses: number; readonly isTold: boolean },
): ConditionState {
  const { stopping, rule } = plan;
  if (stopping.kind === 'exactly') {
    if (condition.blocks >= stopping.blocks) return 'full';
    return condition.broken ? 'broken' : 'open';
  }
  const { until, cap } = stopping;
  // An arm alone is measured up to the cap: there is nothing to decide.
  const answer = condition.pairs.length > 0 ? decision?.answer : undefined;
  if (until === 'settled' && answer?.settled && isTold) return 'settled';
  if (until === 'proven' && answer?.sureness === 'proven') return 'proven';
  if (condition.blocks >= cap) return 'full';
  if (condition.broken) return 'broken';
  if (until === 'settled' || condition.pairs.length === 0) return 'open';
  // What cannot be proven has an answer all the same.
  if (condition.blocks < LEAST_BLOCKS.sure) return 'open';
  // The threshold of a study in which all that is claimed is discovered: none can be lower.
  const logThreshold = Math.log(1 / FALSE_DISCOVERY_RATE) + Math.log(hypotheses / mostDiscoveries(condition, plan));
  const mayBeProven = condition.within.some(({ arm }) =>
    isWithinReachable(arm, condition.pairs, { rule, cap, logThreshold }),
  );
  return mayBeProven ? 'open' : 'hopeless';
}

/** One claim of each pair, and one of each arm. */
function mostDiscoveries({ pairs, within }: ConditionJudgement, { conditions }: JudgingPlan): number {
  return conditions.length * (pairs.length + within.length);
}

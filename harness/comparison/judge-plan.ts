import type { Decision } from '../model/answer.ts';
import type { ConditionRecord, ConditionState, Judgement } from '../model/comparison.ts';
import { loses } from '../model/link.ts';
import type { Measurement } from '../model/measurement.ts';
import { settingOf } from '../model/setting.ts';
import { armsAlike, type Plan } from '../model/study.ts';
import { decideStudy } from './answers.ts';
import { judgeStudy } from './judge.ts';
import { untoldOffers } from './offer-gains.ts';
import { recordsOf } from './records.ts';
import { statesOf } from './states.ts';

/** What a plan's measurements say, and what it rests on; lists are in the order of the plan's conditions. */
export interface JudgedPlan {
  readonly records: readonly ConditionRecord[];
  /** What is proven. */
  readonly judgement: Judgement;
  /** What to serve; undefined where too little was measured. */
  readonly decisions: readonly (Decision | undefined)[];
  readonly states: readonly ConditionState[];
  /** The offers of each condition whose gain is not told yet for its visitors, in a study of offers. */
  readonly untold?: readonly (readonly string[])[] | undefined;
}

/** Judges what was measured for a plan; its control is none of its conditions. */
export function judgePlan(plan: Plan, measurements: readonly Measurement[]): JudgedPlan {
  const records = recordsOf(
    measurements.filter(({ condition }) => condition !== plan.control.id),
    plan.arms,
    plan.metric,
  );
  const judgement = judgeStudy(plan, records);
  const conditions = plan.conditions.map((condition) => ({
    id: condition.id,
    timeoutMs: condition.timeoutMs,
    lossy: loses(condition.link),
    setting: settingOf(condition),
    alike: armsAlike(plan, condition),
  }));
  const decisions = decideStudy({ ...plan, conditions }, records, judgement);
  const untold = plan.offered && untoldOffers(plan, decisions);
  return {
    records,
    judgement,
    decisions,
    states: statesOf(plan, judgement, decisions, untold),
    untold,
  };
}

/** Whether a condition gets more blocks. */
export function getsMore(state: ConditionState): boolean {
  return state === 'open';
}

import type { ConditionRecord, Judgement } from '../model/comparison.ts';
import type { Measurement } from '../model/measurement.ts';
import type { Plan } from '../model/study.ts';
import { judgeStudy } from './judge.ts';
import { recordsOf } from './records.ts';

/** What a plan's measurements say, and what it rests on. */
export interface JudgedPlan {
  readonly records: readonly ConditionRecord[];
  readonly judgement: Judgement;
}

/** Judges what was measured for a plan; its control is none of its conditions. */
export function judgePlan(plan: Plan, measurements: readonly Measurement[]): JudgedPlan {
  const records = recordsOf(
    measurements.filter(({ condition }) => condition !== plan.control.id),
    plan.arms,
    plan.metric,
  );
  return { records, judgement: judgeStudy(plan, records) };
}

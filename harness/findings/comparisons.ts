import { compareStudy } from '../comparison/estimate.ts';
import { judgePlan } from '../comparison/judge-plan.ts';
import type { Comparison } from '../model/comparison.ts';
import type { Measurement } from '../model/measurement.ts';
import type { Plan } from '../model/study.ts';

/** Every two arms of every condition of a study, judged and estimated from all that was measured; not the control's. */
export function comparisonsOf(plan: Plan, measurements: readonly Measurement[]): readonly Comparison[] {
  const { records, judgement } = judgePlan(plan, measurements);
  return compareStudy(plan, records, judgement);
}

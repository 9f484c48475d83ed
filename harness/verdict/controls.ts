import type { ConditionRecord, PairJudgement, Stopping } from '../model/comparison.ts';
import { judgeStudy } from './judge.ts';
import { RULES } from './rules.ts';

/**
 * What a study measures to test itself:
 *
 *     aa       an arm against its twin, the same under another name: a difference would be the harness's
 *     planted  an arm against itself delayed by a known part of its time: the harness must see it
 */
export type ControlKind = 'aa' | 'planted';

/** An arm and what it is held against, in one condition. */
export interface ControlPlan {
  readonly kind: ControlKind;
  readonly condition: string;
  readonly arm: string;
  /** The twin's name, or the delayed arm's. */
  readonly control: string;
  readonly stopping: Stopping;
}

/** What a control came to. */
export interface ControlJudgement {
  readonly kind: ControlKind;
  /** a is the control, b the arm. */
  readonly pair: PairJudgement;
  /** Whether more blocks could say more. */
  readonly open: boolean;
  readonly passed: boolean;
}

/**
 * Judges a control as a study of its own, of one pair: its verdicts cost the study's none of their certainty, and a
 * false one has a chance of 5 % at most. Always by the rule `default`, as a delay of a tenth is below what
 * `kramer2015` calls better. The twin must end as a tie or undecided; the delay must be found.
 */
export function judgeControl(plan: ControlPlan, record: ConditionRecord): ControlJudgement {
  const judgement = judgeStudy(
    {
      conditions: [{ id: plan.condition }],
      arms: [{ name: plan.arm }, { name: plan.control }],
      rule: RULES.default,
      stopping: plan.stopping,
    },
    [record],
  );
  const { pairs, state } = judgement.conditions[0]!;
  const pair = pairs[0]!;
  const passed =
    plan.kind === 'planted' ? pair.verdict === 'b' : pair.verdict === 'tie' || pair.verdict === 'undecided';
  return { kind: plan.kind, pair, open: state === 'open', passed };
}

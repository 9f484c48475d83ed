import type { Answer, Decision } from '../model/answer.ts';
import type { ConditionJudgement, ConditionRecord, Judgement, JudgingPlan } from '../model/comparison.ts';
import { decide } from './decide.ts';
import { judgedBlocks } from './estimate.ts';
import { SETTLED_LAUNCHES } from './rules.ts';
import { fitPriors, type Likeness, type LikeRecord, spreadsOf } from './spreads.ts';

/** What of a plan matters to those who decide what to serve. */
export interface DecidingPlan extends JudgingPlan {
  readonly conditions: readonly { readonly id: string; readonly timeoutMs: number; readonly lossy: boolean }[];
  /** The arm that is served today. */
  readonly served: string;
  readonly seed: number;
}

/**
 * Decides what to serve in each condition of a plan, or in those that are asked for; undefined where there are too few
 * blocks to say.
 */
export function decideStudy(
  plan: DecidingPlan,
  records: readonly ConditionRecord[],
  judgement: Judgement,
  isAsked: (condition: string) => boolean = () => true,
): readonly (Decision | undefined)[] {
  const names = plan.arms.map(({ name }) => name);
  const likeRecords = judgedRecords(plan, records, judgement);
  const priorOf = fitPriors(likeRecords, names);
  const byCondition = new Map(likeRecords.map((each) => [each.record.condition, each]));
  return plan.conditions.map(({ id, timeoutMs }, index) => {
    const own = byCondition.get(id);
    if (!own || !isAsked(id)) return undefined;
    const { blocks } = own.record;
    const spreads = spreadsOf(blocks, names, priorOf(own.likeness));
    const { rule, served, seed } = plan;
    const decision = decide({ condition: id, blocks, arms: names, spreads, rule, timeoutMs, served, seed });
    return decision && withProof(decision, judgement.conditions[index]!);
  });
}

/** Of each condition the blocks that were judged, and which others it is like. */
function judgedRecords(
  { conditions }: DecidingPlan,
  records: readonly ConditionRecord[],
  judgement: Judgement,
): readonly LikeRecord[] {
  const byCondition = new Map(records.map((record) => [record.condition, record]));
  return conditions.flatMap(({ id, lossy }, index): LikeRecord[] => {
    const record = byCondition.get(id);
    if (!record) return [];
    const likeness: Likeness = lossy ? 'lossy' : 'lossless';
    const blocks = judgedBlocks(record, judgement.conditions[index]!.blocks);
    return [{ likeness, record: { ...record, blocks } }];
  });
}

/** What is proven of the arm to serve is a badge on its answer; what is sure from launches enough is settled. */
function withProof({ answer, slowdowns }: Decision, { within, launches }: ConditionJudgement): Decision {
  const isProven = within.some(({ arm, proven }) => proven && arm === answer.serve);
  const sureness = isProven ? 'proven' : answer.sureness;
  const settled = (sureness === 'sure' || sureness === 'proven') && launches >= SETTLED_LAUNCHES;
  return { answer: { ...answer, sureness, settled } satisfies Answer, slowdowns };
}

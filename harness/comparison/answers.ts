import { type Answer, type Decision, isSure, namesArm } from '../model/answer.ts';
import type { ConditionJudgement, ConditionRecord, Judgement, JudgingPlan } from '../model/comparison.ts';
import { decide } from './decide.ts';
import { judgedBlocks } from './estimate.ts';
import { expectedFromOtherPages } from './other-pages.ts';
import { SETTLED_LAUNCHES } from './rules.ts';
import { scattersOf } from './scatter.ts';
import type { Likeness, LikeRecord } from './spreads.ts';

/** The parts of a plan that decide what to serve. */
export interface DecidingPlan extends JudgingPlan {
  readonly conditions: readonly {
    readonly id: string;
    readonly timeoutMs: number;
    readonly lossy: boolean;
    /** Conditions of one setting tell each other how the arms differ. */
    readonly setting: string;
    /** Arms that are not loaded, since their loads are those of another one, and which that is. */
    readonly alike?: ReadonlyMap<string, string>;
  }[];
  /** The arm that is served today. */
  readonly served: string;
  readonly seed: number;
}

/**
 * Decides what to serve in each condition of a plan, or in those that are asked for; undefined where there are too few
 * blocks to say, and where an arm is alone, which is as good as any.
 */
export function decideStudy(
  plan: DecidingPlan,
  records: readonly ConditionRecord[],
  judgement: Judgement,
  isAsked: (condition: string) => boolean = () => true,
): readonly (Decision | undefined)[] {
  const names = plan.arms.map(({ name }) => name);
  const scatters = scattersOf(judgedRecords(plan, records, judgement), names);
  const expectedIn = expectedFromOtherPages(
    plan.conditions.flatMap(({ id, setting, timeoutMs }) => {
      const own = scatters.get(id);
      return own ? [{ condition: id, setting, blocks: own.blocks, timeoutMs }] : [];
    }),
  );
  return plan.conditions.map(({ id, timeoutMs, setting, alike = new Map<string, string>() }, index) => {
    const own = scatters.get(id);
    if (!own || !isAsked(id) || names.length < 2) return undefined;
    const { blocks, doubt } = own;
    const arms = names.filter((name) => !alike.has(name));
    const spreads = own.spreadsOf(arms);
    const { rule, seed } = plan;
    const served = alike.get(plan.served) ?? plan.served;
    const expected = expectedIn({ condition: id, setting }, arms);
    const decision = decide({ condition: id, blocks, arms, spreads, doubt, expected, rule, timeoutMs, served, seed });
    return decision && withAlike(withProof(decision, judgement.conditions[index]!), plan, alike);
  });
}

/** The judged blocks of each condition, with the kind of conditions that it is like. */
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
function withProof({ answer, ...drawn }: Decision, { within, launches }: ConditionJudgement): Decision {
  const isProven = within.some(({ arm, proven }) => proven && arm === answer.serve);
  const sureness = isProven ? 'proven' : answer.sureness;
  const settled = isSure(sureness) && launches >= SETTLED_LAUNCHES;
  return { answer: { ...answer, sureness, settled } satisfies Answer, ...drawn };
}

/**
 * The decision for all arms where some were loaded for others as well: what holds for the one holds for the other. Of two
 * that are alike the one that is served today stays.
 */
function withAlike(
  decision: Decision,
  { arms, served }: Pick<DecidingPlan, 'arms' | 'served'>,
  alike: ReadonlyMap<string, string>,
): Decision {
  if (alike.size === 0) return decision;
  const { answer, slowdowns } = decision;
  const names = arms.map(({ name }) => name);
  const loadedFor = (name: string) => alike.get(name) ?? name;
  const isGood = (name: string) => namesArm(answer, loadedFor(name));
  const serve = loadedFor(served) === answer.serve ? served : answer.serve;
  return {
    ...decision,
    answer: {
      ...answer,
      serve,
      gain: { ...answer.gain, over: served },
      asGood: names.filter((name) => name !== serve && isGood(name)),
      arms: Object.fromEntries(names.map((name) => [name, answer.arms[loadedFor(name)]!])),
    },
    slowdowns: Object.fromEntries(names.map((name) => [name, slowdowns[loadedFor(name)]!])),
  };
}

import { judgedBlocks } from '../comparison/estimate.ts';
import { judgePlan } from '../comparison/judge-plan.ts';
import { recordsOf } from '../comparison/records.ts';
import { MAX_VOID_SHARE, MIN_LAUNCHES } from '../comparison/rules.ts';
import { isFixed } from '../comparison/sampling.ts';
import type { BlockOutcomes, ConditionJudgement } from '../model/comparison.ts';
import { titleOf } from '../model/condition-title.ts';
import type { FoundStudy } from '../model/found-study.ts';
import type { GateCondition, GateStudy } from '../model/gate.ts';
import { partOfVisit } from '../model/offer.ts';
import { armsAlike } from '../model/study.ts';
import { trafficOf, weigh } from '../model/traffic.ts';
import { percentInWords } from '../model/wording.ts';

/** What was found, as a gate sees it. */
export function gateStudyOf({ plan, measurements }: FoundStudy): GateStudy {
  const { records, judgement, decisions } = judgePlan(plan, measurements);
  const byPlt = recordsOf(measurements, plan.arms, 'plt');
  const profiles = plan.conditions.map(({ link }) => link.name);
  const conditions = plan.conditions.map((condition, index): Omit<GateCondition, 'weight'> & Share => {
    const { id, site, link, visit } = condition;
    const judged = judgement.conditions[index]!;
    const alike = armsAlike(plan, condition);
    const blocksOf = (all: typeof records) =>
      judgedBlocks(
        all.find((record) => record.condition === id),
        judged.blocks,
      ).map((block) => withAlike(block, alike));
    const unfit = whyUnfit(judged);
    return {
      id,
      site,
      link: link.name,
      title: titleOf(condition, plan),
      profile: link.name,
      part: partOfVisit(visit, plan.offered),
      blocks: blocksOf(records),
      plts: blocksOf(byPlt),
      verdicts: judged.pairs,
      within: judged.within.filter(({ proven }) => proven).map(({ arm }) => arm),
      isFixed: isFixed(plan, judged.blocks),
      answer: decisions[index]?.answer,
      unfit,
    };
  });
  const unmeasured = Object.keys(plan.mix ?? {}).filter((link) => plan.mix![link]! > 0 && !profiles.includes(link));
  const traffic = trafficOf([...profiles, ...unmeasured], plan.mix) ?? {};
  return {
    conditions: weigh(conditions, traffic).map(({ profile: _, part: __, ...condition }) => condition),
    unmeasured,
    arms: plan.arms.map(({ name }) => name),
    rule: plan.rule,
  };
}

/** A block with what arms came to that were not loaded, since their loads are those of another one. */
function withAlike(block: BlockOutcomes, alike: ReadonlyMap<string, string>): BlockOutcomes {
  const shared = [...alike].flatMap(([name, loaded]) => {
    const outcome = block.outcomes[loaded];
    return outcome === undefined ? [] : [[name, outcome] as const];
  });
  return { ...block, outcomes: { ...block.outcomes, ...Object.fromEntries(shared) } };
}

/** What a condition's weight follows from. */
interface Share {
  readonly profile: string;
  readonly part: number;
}

/** Why no check may rest on a condition, as no verdict may; undefined where it may. */
function whyUnfit({ blocks, launches, tooManyVoid, voidShares }: ConditionJudgement): string | undefined {
  if (blocks === 0) return 'not measured';
  if (tooManyVoid) {
    const most = percentInWords(100 * Math.max(...Object.values(voidShares)));
    return `${most} of an arm's trials are void, ${percentInWords(100 * MAX_VOID_SHARE)} may be`;
  }
  if (launches < MIN_LAUNCHES)
    return `the browsers were launched ${launches === 1 ? 'once' : `${launches} times`}, ${MIN_LAUNCHES} times are needed`;
  return undefined;
}

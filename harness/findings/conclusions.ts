import { advise } from '../advice/advice.ts';
import { judgedBlocks } from '../comparison/estimate.ts';
import { countLoads, failsAlways } from '../comparison/failures.ts';
import { type JudgedPlan, judgePlan } from '../comparison/judge-plan.ts';
import { metConditions } from '../comparison/offer-gains.ts';
import type { Advice, Mix } from '../model/advice.ts';
import { type Answer, type Decision, LIKELY_BELOW } from '../model/answer.ts';
import { type Protocol, titleOfArm } from '../model/arm.ts';
import type { BlockOutcomes, Rule } from '../model/comparison.ts';
import { titleOf } from '../model/condition-title.ts';
import type { Measurement } from '../model/measurement.ts';
import { type OfferShares, partOfVisit } from '../model/offer.ts';
import type { Metric, Plan } from '../model/study.ts';
import { trafficOf, weigh } from '../model/traffic.ts';
import {
  type Features,
  isSplit,
  type Leaf,
  subjectsOf,
  type Tree,
  type TreeFindings,
  type TreeRegret,
} from '../model/tree.ts';
import { meanOf } from '../stats/order.ts';
import { featuresOf } from '../tree/features.ts';
import { growTree } from '../tree/tree.ts';
import { follow, mapLeaves } from '../tree/tree-search.ts';
import { findOffers, type OfferFindings } from './offers.ts';

/** What a study's decisions come to together. */
export interface Conclusions {
  /** Absent where nothing was measured. */
  readonly tree?: TreeFindings | undefined;
  readonly advice?: Advice | undefined;
  /** The answer for the plan's condition at this place, its own or the tree's; undefined where nothing was measured. */
  readonly answerOf: (index: number) => Answer | undefined;
}

/** What conclusions are drawn for: the conditions of a study, its arms, and some traffic. */
export interface ConclusionRequest {
  readonly conditions: readonly ConcludedCondition[];
  readonly arms: readonly { readonly name: string; readonly protocol: Protocol; readonly title: string }[];
  readonly rule: Rule;
  readonly served: string;
  readonly metric: Metric;
  /** Absent: every profile alike. */
  readonly mix?: Mix | undefined;
  /** How the visits of a study of offers are weighed; undefined in other studies. */
  readonly offered?: OfferShares | undefined;
}

/** A condition as conclusions are drawn for it. */
export interface ConcludedCondition {
  readonly id: string;
  /** What people call it: `article over fibre`. */
  readonly title: string;
  /** The name of its page. */
  readonly site: string;
  /** The name of its link. */
  readonly profile: string;
  /** What a developer can know of it beforehand, the kind of visit among it. */
  readonly features: Features;
  /** Whether none of its loads came to their end; absent: some did, or there were none. */
  readonly fails?: boolean;
}

/** Grows the tree and the advice of a study out of what was decided, in the order of the plan's conditions. */
export function concludeStudy(
  plan: Plan,
  { decisions, judgement, records }: Pick<JudgedPlan, 'decisions' | 'judgement' | 'records'>,
): Conclusions {
  const { arms, rule, served, metric, mix, offered } = plan;
  const names = arms.map(({ name }) => name);
  const recordOf = new Map(records.map((record) => [record.condition, record]));
  const conditions = plan.conditions.map((condition, index) => ({
    id: condition.id,
    title: titleOf(condition, plan),
    site: condition.site,
    profile: condition.link.name,
    features: featuresOf(condition, plan.sites[condition.site]!),
    fails: loadsNothing(judgedBlocks(recordOf.get(condition.id), judgement.conditions[index]!.blocks), names),
  }));
  const titled = arms.map((arm) => ({ name: arm.name, protocol: arm.protocol, title: titleOfArm(arm) }));
  return conclude({ conditions, arms: titled, rule, served, metric, mix, offered }, decisions);
}

/** Whether there were loads, and none came to its end. */
function loadsNothing(blocks: readonly BlockOutcomes[], arms: readonly string[]): boolean {
  return blocks.length > 0 && failsAlways(countLoads(blocks, arms));
}

/** Draws conclusions for any traffic: the program asks for the study's, the page for that of its reader. */
export function conclude(request: ConclusionRequest, decisions: readonly (Decision | undefined)[]): Conclusions {
  const { arms, rule, served, metric, offered } = request;
  const conditions = request.conditions.map((each) => ({
    ...each,
    part: partOfVisit(each.features.visit, offered),
  }));
  const mix = request.mix ?? Object.fromEntries(conditions.map(({ profile }) => [profile, 1]));
  const weights = weightsOf(conditions, mix);
  const measured = conditions.flatMap(({ id, features }, index) => {
    const decision = decisions[index];
    return decision ? [{ id, features, decision, weight: weights[index]! }] : [];
  });
  const byId = new Map(measured.map(({ id, decision }) => [id, decision]));
  const grown = growTree({ conditions: measured, arms: arms.map(({ name }) => name), rule, served });
  const tree = grown && { ...grown, tree: withLinks(grown.tree, conditions) };
  const advice = advise({
    conditions: conditions.map(({ id, title, site, profile, part, fails = false }, index) => ({
      id,
      title,
      site,
      profile,
      part,
      fails,
      decision: decisions[index],
    })),
    forced: offered === undefined && conditions.some(({ features }) => features.visit !== 'discovered'),
    arms,
    rule,
    served,
    metric,
    mix,
    tree:
      tree && isSplit(tree.tree)
        ? { percent: tree.regret.leftOutMeanPercent ?? tree.regret.meanPercent, asks: subjectsOf(tree.tree) }
        : undefined,
  });
  return {
    tree,
    advice,
    answerOf: (index) => {
      const { id, features, fails } = conditions[index]!;
      // Where nothing loads, what other conditions say is no answer.
      return decisions[index]?.answer ?? (tree && !fails ? predict(id, follow(tree.tree, features), byId) : undefined);
    },
  };
}

/** Names the links of each leaf of a tree that has all conditions of its links, measured or not. */
function withLinks(
  tree: Tree<Leaf>,
  conditions: readonly Pick<ConcludedCondition, 'profile' | 'features'>[],
): Tree<Leaf> {
  if (!isSplit(tree)) return tree;
  const placed = conditions.map(({ profile, features }) => ({ profile, leaf: follow(tree, features) }));
  const leavesOf = Map.groupBy(placed, ({ profile }) => profile);
  return mapLeaves(tree, (leaf) => {
    const links = [...leavesOf.keys()].filter((profile) => leavesOf.get(profile)!.some((each) => each.leaf === leaf));
    const isWhole = links.every((profile) => leavesOf.get(profile)!.every((each) => each.leaf === leaf));
    return isWhole ? { ...leaf, links } : leaf;
  });
}

/** What following the tree costs, and what serving one arm always does: `always h2`. */
export function regretsOf({ regret, always }: TreeFindings): Readonly<Record<string, TreeRegret>> {
  return {
    tree: regret,
    ...Object.fromEntries(Object.entries(always).map(([arm, own]) => [`always ${arm}`, own])),
  };
}

/** What each offer does, and to which visitors; undefined where the study makes none, or nothing was measured. */
export function concludeOffers(plan: Plan, decisions: readonly (Decision | undefined)[]): OfferFindings | undefined {
  const { arms, rule, served, mix, offered } = plan;
  if (offered === undefined) return undefined;
  return findOffers({
    conditions: metConditions(plan, decisions),
    arms: arms.map(({ name, offer }) => ({ name, offer: offer! })),
    rule,
    served,
    mix,
    offered,
  });
}

/** What to serve in each condition of a study: its own answer, or the tree's; none where nothing was measured. */
export function answersOf(plan: Plan, measurements: readonly Measurement[]): readonly Answer[] {
  const { answerOf } = concludeStudy(plan, judgePlan(plan, measurements));
  return plan.conditions.flatMap((_, index) => answerOf(index) ?? []);
}

function weightsOf(
  conditions: readonly { readonly profile: string; readonly part?: number }[],
  mix: Mix,
): readonly number[] {
  const traffic = trafficOf(
    conditions.map(({ profile }) => profile),
    mix,
  );
  return weigh(conditions, traffic ?? {}).map(({ weight }) => weight);
}

/**
 * What the tree says of a condition that was not measured: never surer than `likely`, since no load bears it out, and
 * `open` where the conditions that it says it by leave it open on average.
 */
function predict(condition: string, leaf: Leaf, decisions: ReadonlyMap<string, Decision>): Answer {
  const { serve, asGood, regretPercent, gain } = leaf;
  const chancesAbove = leaf.conditions.map((id) => 1 - decisions.get(id)!.answer.arms[serve]!.withinChance);
  return {
    condition,
    serve,
    asGood,
    regretPercent,
    gain,
    sureness: meanOf(chancesAbove) < LIKELY_BELOW ? 'likely' : 'open',
    settled: false,
    blocks: 0,
    arms: {},
    predicted: true,
  };
}

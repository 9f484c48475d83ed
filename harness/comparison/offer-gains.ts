import type { Mix } from '../model/advice.ts';
import type { Decision, Gain } from '../model/answer.ts';
import type { Rule } from '../model/comparison.ts';
import { MET_BY, type MetBy, metBy, partOfVisit } from '../model/offer.ts';
import type { Plan } from '../model/study.ts';
import { sumOfWeights, trafficOf, weigh } from '../model/traffic.ts';
import { gainOver, type WeightedDecision } from './combine.ts';

/** What an offer gains some visitors over what is served today. */
export interface OfferCell {
  readonly gain: Gain;
  /** Whether the gain's interval leaves open if it is faster, slower or as fast; `open` where it does. */
  readonly sureness: 'sure' | 'open';
}

/** A condition, and how its visits meet an offer. */
export interface MetCondition {
  readonly profile: string;
  /** The condition's part of its link's traffic. */
  readonly part: number;
  readonly met: MetBy;
  readonly decision: Decision | undefined;
}

/** What offers are compared by. */
export interface OfferRule {
  readonly arms: readonly string[];
  readonly rule: Rule;
  readonly served: string;
}

/** What was measured, weighed by the traffic: of all visits, and of those that meet an offer in one way. */
export interface MetOffers {
  /** Each condition with its part of all traffic, measured or not. */
  readonly conditions: readonly (MetCondition & { readonly weight: number })[];
  readonly all: readonly WeightedDecision[];
  readonly by: ReadonlyMap<MetBy, readonly WeightedDecision[]>;
}

/** Weighs what was measured; what was not measured yet of some visitors is taken to be like what was. */
export function weighOffers(conditions: readonly MetCondition[], mix?: Mix): MetOffers {
  const profiles = conditions.map(({ profile }) => profile);
  const weighed = weigh(conditions, trafficOf(profiles, mix) ?? {});
  const by = new Map<MetBy, readonly WeightedDecision[]>();
  for (const met of MET_BY) {
    const own = weighed.filter((each) => each.met === met);
    const known = own.flatMap(({ decision, weight }) => (decision && weight > 0 ? [{ decision, weight }] : []));
    const scale = sumOfWeights(own) / (sumOfWeights(known) || 1);
    const scaled = known.map(({ decision, weight }) => ({ decision, weight: scale * weight }));
    if (scaled.length > 0) by.set(met, scaled);
  }
  return { conditions: weighed, all: [...by.values()].flat(), by };
}

/** What an offer gains over some of what was measured. */
export function offerCell(weighted: readonly WeightedDecision[], arm: string, asked: OfferRule): OfferCell {
  const gain = gainOver(weighted, arm, asked);
  return { gain, sureness: isTold(gain, 100 * asked.rule.advantage) ? 'sure' : 'open' };
}

/** Faster, slower, or neither by more than the margin: an interval that says one of these says something. */
function isTold({ interval: [low, high] }: Gain, marginPercent: number): boolean {
  return low > 0 || high < 0 || (low >= -marginPercent && high <= marginPercent);
}

/** The conditions of a plan, each with how its visits meet the offers. */
export function metConditions(
  { conditions, offered }: Pick<Plan, 'conditions' | 'offered'>,
  decisions: readonly (Decision | undefined)[],
): readonly MetCondition[] {
  return conditions.map(({ link, visit }, index) => ({
    profile: link.name,
    part: partOfVisit(visit, offered),
    met: metBy(visit, link),
    decision: decisions[index],
  }));
}

/**
 * The offers of each condition that more of its blocks may still decide: their gain is open for its visitors, or over
 * all traffic. Where nothing was measured for some visitors, every offer is open; visits that have no part of the traffic leave none open.
 */
export function untoldOffers(
  plan: Pick<Plan, 'conditions' | 'offered' | 'arms' | 'rule' | 'served' | 'mix'>,
  decisions: readonly (Decision | undefined)[],
): readonly (readonly string[])[] {
  const { rule, served, mix } = plan;
  const arms = plan.arms.map(({ name }) => name);
  const met = weighOffers(metConditions(plan, decisions), mix);
  const isOpen = (weighted: readonly WeightedDecision[], arm: string) =>
    weighted.length === 0 || offerCell(weighted, arm, { arms, rule, served }).sureness === 'open';
  const openTo = (weighted: readonly WeightedDecision[]) =>
    arms.filter((arm) => arm !== served && isOpen(weighted, arm));
  const overall = openTo(met.all);
  const by = new Map(MET_BY.map((each) => [each, openTo(met.by.get(each) ?? [])]));
  return met.conditions.map(({ met: meets, weight }) =>
    weight > 0 ? [...new Set([...by.get(meets)!, ...overall])] : [],
  );
}

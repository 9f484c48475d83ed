import {
  type CombineRequest,
  combineDecisions,
  gainOver,
  meanRegretPercent,
  type WeightedDecision,
} from '../comparison/combine.ts';
import type {
  Advice,
  AdviceCondition,
  Best,
  Mix,
  OpenQuestions,
  PageAdvice,
  ProfileAdvice,
  Worst,
} from '../model/advice.ts';
import { slowerPercent } from '../model/answer.ts';
import type { Protocol } from '../model/arm.ts';
import type { Metric } from '../model/study.ts';
import { sumOfWeights, trafficOf, weigh } from '../model/traffic.ts';
import type { TreeSubject } from '../model/tree.ts';
import { sumOf } from '../stats/order.ts';
import { writeAdvice } from './advice-text.ts';
import { withoutOneLink } from './without-link.ts';

/** What advice is drawn from. */
export interface AdviceRequest extends Omit<CombineRequest, 'arms'> {
  readonly conditions: readonly AdviceCondition[];
  readonly arms: readonly { readonly name: string; readonly protocol: Protocol; readonly title: string }[];
  /** Whether HTTP/3 is forced: its visitors know of it beforehand. */
  readonly forced: boolean;
  /** The time that decides. */
  readonly metric: Metric;
  /** Absent: every profile alike. */
  readonly mix?: Mix | undefined;
  /** What following a tree costs on average, in percent, and what it asks about, where there is one that asks anything. */
  readonly tree?: { readonly percent: number; readonly asks: readonly TreeSubject[] } | undefined;
}

/** A condition that was measured, and its part of the traffic. */
interface Measured extends WeightedDecision {
  readonly id: string;
  readonly site: string;
  readonly profile: string;
}

/**
 * Says what to serve to a mix of visitors; undefined where none of it was measured. A profile's share is spread evenly
 * over its conditions. One arm is advised for all of the traffic: the one with the least expected regret over it.
 */
export function advise(request: AdviceRequest): Advice | undefined {
  const { conditions, mix, rule, served } = request;
  const arms = request.arms.map(({ name }) => name);
  const withDecision = conditions.flatMap(({ decision, ...rest }) =>
    decision && hasPart(rest) ? [{ ...rest, decision }] : [],
  );
  const traffic = trafficOf(
    withDecision.map(({ profile }) => profile),
    mix,
  );
  if (!traffic) return undefined;
  const measured: readonly Measured[] = weigh(withDecision, traffic).filter(({ weight }) => weight > 0);
  const asked = { arms, rule, served };
  const { interval: _, ...combined } = combineDecisions(measured, asked);
  const { serve } = combined;
  const worst = worstOf(serve, measured, asked);
  const best = bestOf(serve, measured, asked);
  const inTraffic = ofTraffic(conditions, mix);
  const failing = inTraffic.filter(({ fails }) => fails);
  const loading = inTraffic.filter(({ fails }) => !fails);
  const without = withoutOneLink(serve, measured, asked);
  const advice: Omit<Advice, 'text'> = {
    mix: traffic,
    unmeasured: Object.keys(mix ?? {}).filter(
      (profile) =>
        mix![profile]! > 0 && traffic[profile] === undefined && !failing.some((each) => each.profile === profile),
    ),
    failing: failing.length > 0 ? failing.map(({ id }) => id) : undefined,
    ...combined,
    worst,
    best,
    without,
    open: openQuestions(loading, measured),
    ...byTree(request, combined.regretPercent),
    assumesKnownH3: request.forced && request.arms.find(({ name }) => name === serve)?.protocol === 'h3',
    byProfile: Object.entries(traffic).map(([profile, share]) => {
      const own = measured.filter((condition) => condition.profile === profile);
      return adviseProfile({ profile, share }, own, { ...asked, serve });
    }),
    ...byPage(loading, { traffic, measured, asked }),
  };
  return { ...advice, text: writeAdvice(advice, request) };
}

function adviseProfile(
  which: Pick<ProfileAdvice, 'profile' | 'share'>,
  own: readonly Measured[],
  { serve, ...asked }: CombineRequest & { readonly serve: string },
): ProfileAdvice {
  const { interval: _, gain: __, ...combined } = combineDecisions(own, asked);
  return { ...which, ...combined, gain: gainOver(own, serve, asked) };
}

/** The advice for each page: a server can choose its protocol by page, but hardly by link. A page's links count by their traffic. */
function byPage(
  conditions: readonly AdviceCondition[],
  {
    traffic,
    measured,
    asked,
  }: { readonly traffic: Mix; readonly measured: readonly Measured[]; readonly asked: CombineRequest },
): Pick<Advice, 'byPage' | 'byPagePercent'> {
  const pages = [...Map.groupBy(conditions, ({ site }) => site)];
  const cells = new Set(conditions.map(({ site, profile }) => JSON.stringify([site, profile])));
  const isGrid = cells.size === conditions.length && pages.length > 1 && pages.some(([, { length }]) => length > 1);
  if (!isGrid) return {};
  const byPage = pages.flatMap(([site, all]): PageAdvice[] => {
    const own = all.flatMap(({ decision, profile }) => (decision ? [{ decision, weight: traffic[profile]! }] : []));
    // The link that is missing may need another arm.
    if (own.length < all.length) return [];
    const { interval: _, ...combined } = combineDecisions(own, asked);
    const arms = asked.arms.map((arm) => [arm, { regretPercent: meanRegretPercent(own, arm) }] as const);
    return [{ site, ...combined, arms: Object.fromEntries(arms) }];
  });
  if (byPage.length < pages.length) return byPage.length > 0 ? { byPage } : {};
  // By the parts of the traffic that pages have in the advice for all: one that lacks links has less of it.
  const serves = new Map(byPage.map(({ site, serve }) => [site, serve]));
  const costs = measured.map(
    ({ site, weight, decision }) => weight * decision.answer.arms[serves.get(site)!]!.regretPercent,
  );
  return { byPage, byPagePercent: sumOf(costs) / sumOfWeights(measured) };
}

/** One arm for all is a compromise where a tree costs less by more than the margin within which arms are as good. */
function byTree({ tree, rule }: AdviceRequest, regretPercent: number): Pick<Advice, 'byTreePercent' | 'byTreeAsks'> {
  if (tree === undefined || regretPercent - tree.percent <= 100 * rule.advantage) return {};
  return { byTreePercent: tree.percent, byTreeAsks: tree.asks };
}

/** Where the advised arm does worst: beside what is served today, or if that is advised, beside the best arm. */
function worstOf(serve: string, measured: readonly Measured[], { arms, served }: CombineRequest): Worst | undefined {
  const losses = measured
    .map(({ id, decision: { answer } }) => {
      const than = serve === served || !arms.includes(served) ? answer.serve : served;
      return { condition: id, percent: slowerPercent(answer.arms, serve, than) ?? 0, than };
    })
    .filter(({ percent }) => percent > LEAST_PERCENT);
  if (losses.length === 0) return undefined;
  const worst = losses.reduce((most, each) => (each.percent > most.percent ? each : most));
  return { ...worst, slowerIn: losses.length };
}

/** Where the advised arm does best beside what is served today. */
function bestOf(serve: string, measured: readonly Measured[], { arms, served }: CombineRequest): Best | undefined {
  if (serve === served || !arms.includes(served)) return undefined;
  const gains = measured.map(({ id, decision: { answer } }) => ({
    condition: id,
    // Where it is the answer, its gain is said already: in the same figure.
    percent: answer.serve === serve ? answer.gain.percent : 0 - (slowerPercent(answer.arms, serve, served) ?? 0),
  }));
  const best = gains.reduce((most, each) => (each.percent > most.percent ? each : most));
  return best.percent > LEAST_PERCENT ? best : undefined;
}

/** What is rounded to nothing is no loss and no gain. */
const LEAST_PERCENT = 0.5;

/** The conditions that some of the traffic has, measured or not. */
function ofTraffic(conditions: readonly AdviceCondition[], mix: Mix | undefined): readonly AdviceCondition[] {
  return conditions.filter((each) => hasPart(each) && (mix === undefined || (mix[each.profile] ?? 0) > 0));
}

/** Whether a condition has any part of its link's traffic: first visits have none where all visitors are returning ones. */
function hasPart({ part = 1 }: Pick<AdviceCondition, 'part'>): boolean {
  return part > 0;
}

function openQuestions(conditions: readonly AdviceCondition[], measured: readonly Measured[]): OpenQuestions {
  const unsettled = measured.filter(({ decision }) => !decision.answer.settled);
  const unmeasured = conditions.filter(({ decision }) => !decision).length;
  return {
    conditions: conditions.filter(({ decision }) => !decision?.answer.settled).length,
    unmeasured,
    of: conditions.length,
    worthPercent: unsettled.reduce((sum, { decision, weight }) => sum + weight * decision.answer.regretPercent, 0),
  };
}

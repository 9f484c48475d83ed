import { timesOf } from '../comparison/outcome.ts';
import type { Advice, AdviceCondition, Gain, Mix, Risk } from '../model/advice.ts';
import type { BlockOutcomes, Rule } from '../model/comparison.ts';
import { percentile } from '../stats/order.ts';
import { writeAdvice } from './advice-text.ts';
import {
  logRatioOf,
  possibleLoss,
  profilesOf,
  provenGain,
  provenLoss,
  sharesOf,
  verdictOnServed,
  type WeightedCondition,
} from './duel.ts';
import { trafficOf, weigh } from './traffic.ts';

/** What advice is drawn from. */
export interface AdviceRequest {
  readonly conditions: readonly AdviceCondition[];
  readonly arms: readonly string[];
  readonly rule: Rule;
  /** Absent: every profile alike. */
  readonly mix?: Mix;
}

/** What most sites serve already; a study that does not have it starts from the arm that it names first. */
const COMMON = 'h2';

/**
 * Says what to serve to a mix of visitors; undefined where none of it was measured. A profile's share is spread evenly
 * over its conditions.
 *
 * Only verdicts count. Advice starts from what is served already, and leaves it for what is proven to gain more than it
 * loses over this traffic; of such arms it takes the one against which least is proven. The gain stated is against what
 * is served already, or where that is what is advised, against the best of the others; where the verdicts prove neither
 * of the two faster, none is counted. It is the mean over the traffic of what each condition's median, and its 95th
 * percentile, gain: those of all loads together would be those of whichever page and link happen to lie in the middle.
 */
export function advise({ conditions: all, arms, rule, mix }: AdviceRequest): Advice | undefined {
  const conditions = all.filter((condition) => condition.blocks.length > 0);
  const profiles = profilesOf(conditions);
  const shares = trafficOf(profiles, mix);
  if (!shares) return undefined;
  const measured = Object.keys(shares);
  const weighted = weigh(conditions, shares).filter(({ weight }) => weight > 0);
  const serve = armsToServe(weighted, arms, rule);
  const [served] = serve;
  const against = rivalOf(serve, weighted, arms, rule);
  const advice: Omit<Advice, 'text'> = {
    mix: shares,
    unmeasured: Object.keys(mix ?? {}).filter((profile) => mix![profile]! > 0 && !measured.includes(profile)),
    serve,
    ...hold(weighted, served, against),
    ...risksOf(weighted, served, rule),
    byProfile: measured.map((profile) => {
      const own = weighted.filter((condition) => condition.profile === profile);
      return { profile, share: shares[profile]!, serve: armsToServe(own, arms, rule), ...hold(own, served, against) };
    }),
  };
  return { ...advice, text: writeAdvice(advice, weighted) };
}

/** The arm to serve, and those that nothing proven tells from it. */
function armsToServe(
  weighted: readonly WeightedCondition[],
  arms: readonly string[],
  rule: Rule,
): readonly [string, ...string[]] {
  const start = startOf(arms);
  const gains = (arm: string) => provenGain(weighted, arm, start, rule) > 0;
  const losses = new Map(arms.map((arm) => [arm, lossOver(weighted, arm, rule)]));
  const least = Math.min(...arms.filter((arm) => arm === start || gains(arm)).map((arm) => losses.get(arm)!));
  const best = arms.filter((arm) => losses.get(arm) === least);
  if (best.includes(start)) return [start, ...best.filter((arm) => arm !== start)];
  return best.filter(gains) as unknown as readonly [string, ...string[]];
}

function startOf(arms: readonly string[]): string {
  return arms.find((arm) => arm === COMMON) ?? arms[0]!;
}

function lossOver(weighted: readonly WeightedCondition[], arm: string, rule: Rule): number {
  return weighted.reduce((sum, condition) => sum + condition.weight * provenLoss(arm, condition, rule), 0);
}

/** What advice is held against: nothing where no verdict tells anything else from it. */
function rivalOf(
  serve: readonly string[],
  weighted: readonly WeightedCondition[],
  arms: readonly string[],
  rule: Rule,
): string | undefined {
  const isDecided = (arm: string) =>
    weighted.some((condition) => verdictOnServed(condition, serve[0]!, arm) !== 'undecided');
  const others = arms.filter((arm) => !serve.includes(arm) && isDecided(arm));
  const losses = others.map((arm) => lossOver(weighted, arm, rule));
  return others.find((arm) => arm === startOf(arms)) ?? others[losses.indexOf(Math.min(...losses))];
}

/** One arm held against another, over some conditions. */
function hold(weighted: readonly WeightedCondition[], served: string, against: string | undefined) {
  if (against === undefined) return {};
  return { against, shares: sharesOf(weighted, served, against), gain: gainOf(weighted, served, against) };
}

/** Means of logarithms, to which a condition whose verdict proves neither faster adds nothing. */
function gainOf(weighted: readonly WeightedCondition[], served: string, against: string): Gain {
  const total = weighted.reduce((sum, condition) => sum + condition.weight, 0);
  const decided = weighted.filter((each) => ['faster', 'slower'].includes(verdictOnServed(each, served, against)));
  const saved = (logRatioIn: (condition: WeightedCondition) => number) =>
    0 - 100 * Math.expm1(decided.reduce((sum, each) => sum + (each.weight / total) * logRatioIn(each), 0));
  return {
    medianPercent: saved((condition) => logRatioOf(condition, served, against)),
    p95Percent: saved(({ blocks }) => {
      const [own, other] = [p95Of(blocks, served), p95Of(blocks, against)];
      return own === other ? 0 : Math.log(own / other);
    }),
  };
}

function p95Of(blocks: readonly BlockOutcomes[], arm: string): number {
  return percentile(timesOf(blocks, arm), 0.95);
}

function risksOf(
  weighted: readonly WeightedCondition[],
  served: string,
  rule: Rule,
): Pick<Advice, 'risk' | 'possibleRisk'> {
  const worst = (lossIn: (condition: WeightedCondition) => number): Risk | undefined => {
    const losses = weighted.map(lossIn);
    const most = Math.max(...losses);
    return most > 0 ? { condition: weighted[losses.indexOf(most)]!.id, percent: 100 * Math.expm1(most) } : undefined;
  };
  const risk = worst((condition) => provenLoss(served, condition, rule));
  const possibleRisk = worst((condition) => possibleLoss(served, condition));
  return {
    ...(risk ? { risk } : {}),
    ...(possibleRisk && possibleRisk.percent > (risk?.percent ?? 0) ? { possibleRisk } : {}),
  };
}

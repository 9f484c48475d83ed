import { type CombineRequest, meanRegretPercent, type WeightedDecision } from '../comparison/combine.ts';
import type { WithoutLink } from '../model/advice.ts';
import { sumOfWeights } from '../model/traffic.ts';

/** A decision on a condition, and the name of its link. */
interface LinkDecision extends WeightedDecision {
  readonly profile: string;
}

/**
 * The link without which another arm is as fast as the advised one, or faster: of several the one that changes most.
 * Undefined where no single link decides. A change counts if the link moves the arms by more than the margin.
 */
export function withoutOneLink(
  serve: string,
  measured: readonly LinkDecision[],
  { arms, rule }: Pick<CombineRequest, 'arms' | 'rule'>,
): WithoutLink | undefined {
  const others = arms.filter((arm) => arm !== serve);
  const marginPercent = 100 * rule.advantage;
  // How much faster than the advised arm each of the others is, on average over some conditions.
  const leadsOver = (own: readonly WeightedDecision[]) =>
    new Map(others.map((arm) => [arm, 100 * (1 - meanTime(own, arm) / meanTime(own, serve))]));
  const leads = leadsOver(measured);
  const changes = [...new Set(measured.map(({ profile }) => profile))].flatMap((link) => {
    const rest = measured.filter(({ profile }) => profile !== link);
    if (rest.length === 0) return [];
    const without = leadsOver(rest);
    const most = Math.max(0, ...without.values());
    const best = [...without, [serve, 0] as const]
      .filter(([, percent]) => most - percent <= marginPercent)
      .sort(([, a], [, b]) => b - a)
      .map(([arm]) => arm);
    const moved = best.flatMap((arm) => {
      if (arm === serve) return [];
      const isNew = leads.get(arm)! < -marginPercent || !best.includes(serve);
      return isNew ? [without.get(arm)! - leads.get(arm)!] : [];
    });
    const change = Math.max(0, ...moved);
    return change > marginPercent ? [{ change, without: { link, best, fasterPercent: most } }] : [];
  });
  const without = changes.toSorted((a, b) => b.change - a.change)[0]?.without;
  if (!without) return undefined;
  const isOwn = ({ profile }: LinkDecision) => profile === without.link;
  const own = measured.filter(isOwn);
  const rest = measured.filter((each) => !isOwn(each));
  const fromShare = shareToLead(serve, { own, rest, others, ahead: rule.advantage });
  return { ...without, fromShare: fromShare <= shareOf(own, measured) ? fromShare : undefined };
}

interface LeadRequest {
  /** The conditions of the link, and all others. */
  readonly own: readonly WeightedDecision[];
  readonly rest: readonly WeightedDecision[];
  readonly others: readonly string[];
  /** By how much of their time the others are to be slower, from 0 on. */
  readonly ahead: number;
}

/** The share of a link from which an arm has the lead over others; Infinity where it has it not over the link alone. */
function shareToLead(serve: string, { own, rest, others, ahead }: LeadRequest): number {
  const behind = (some: readonly WeightedDecision[], arm: string) =>
    meanTime(some, serve) - (1 - ahead) * meanTime(some, arm);
  const shares = others.map((arm) => {
    // How far it is behind changes evenly with the link's share.
    const [without, alone] = [behind(rest, arm), behind(own, arm)];
    if (alone >= 0) return Number.POSITIVE_INFINITY;
    return without <= 0 ? 0 : without / (without - alone);
  });
  return Math.max(...shares);
}

function shareOf(own: readonly WeightedDecision[], all: readonly WeightedDecision[]): number {
  return sumOfWeights(own) / sumOfWeights(all);
}

/** What loads take with an arm over some conditions, in percent of each condition's best arm. */
function meanTime(own: readonly WeightedDecision[], arm: string): number {
  return 100 + meanRegretPercent(own, arm);
}

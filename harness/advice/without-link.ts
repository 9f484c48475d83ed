import { type CombineRequest, meanRegretPercent, type WeightedDecision } from '../comparison/combine.ts';
import type { WithoutLink } from '../model/advice.ts';

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
  return changes.toSorted((a, b) => b.change - a.change)[0]?.without;
}

/** What loads take with an arm over some conditions, in percent of each condition's best arm. */
function meanTime(own: readonly WeightedDecision[], arm: string): number {
  return 100 + meanRegretPercent(own, arm);
}

import type { Summary } from '../findings/summary.ts';
import { isSure } from '../model/answer.ts';
import { meanOf } from '../stats/order.ts';

/** What answers cost. */
export interface Regret {
  /** How much longer what they serve takes than the best arm does, on average over all conditions. */
  readonly regretPercent: number;
  readonly worst: { readonly title: string; readonly percent: number };
  /** How many answers that are sure or proven cost more than the margin, and how many are sure or proven. */
  readonly surelyWrong: number;
  readonly sure: number;
}

/** The part of a summary that answers are judged by. */
export type Answered = Pick<Summary, 'conditions'>;

/** What the answers of a study cost by the medians of a longer one that has the same conditions. */
export function regretOf({ conditions }: Answered, truth: Answered, marginPercent: number): Regret {
  const costs = conditions.map(({ id, title, answer }) => {
    const arms = truth.conditions.find((each) => each.id === id)!.arms;
    const best = Math.min(...Object.values(arms).map(({ medianMs = Number.POSITIVE_INFINITY }) => medianMs));
    const served = answer && (arms[answer.serve]?.medianMs ?? Number.POSITIVE_INFINITY);
    return { title, percent: served === undefined ? 100 : 100 * (served / best - 1), isSure: isSure(answer?.sureness) };
  });
  const { title, percent } = costs.reduce((worst, each) => (each.percent > worst.percent ? each : worst));
  return {
    regretPercent: meanOf(costs.map((each) => each.percent)),
    worst: { title, percent },
    surelyWrong: costs.filter((each) => each.isSure && each.percent > marginPercent).length,
    sure: costs.filter(({ isSure }) => isSure).length,
  };
}

import type { ReportCondition } from './report.ts';

/** What is known of a condition, and the arms that are best as far as that goes. */
export interface ConditionStanding {
  readonly standing: 'decided' | 'tied' | 'undecided' | 'unmeasured';
  readonly winners: readonly string[];
}

/** Where anything may still be best beside what is, a condition is undecided. */
export function conditionStandingOf({
  label,
  blocks,
  winner,
}: Pick<ReportCondition, 'label' | 'blocks' | 'winner'>): ConditionStanding {
  if (blocks === 0) return { standing: 'unmeasured', winners: [] };
  if (label.open.length > 0) return { standing: 'undecided', winners: winner };
  return { standing: label.beaten.length === 0 ? 'tied' : 'decided', winners: label.unbeaten };
}

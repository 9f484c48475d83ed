import { timesOf } from '../comparison/outcome.ts';
import { samplingOf } from '../comparison/sampling.ts';
import type { Check, GateCondition, PltLimit } from '../model/gate.ts';
import { medianInterval } from '../stats/median-interval.ts';
import { aboutCondition, holdAgainst, NOTHING } from './checks.ts';

/** The conditions that a limit is about. */
export function conditionsUnder(
  { link, site }: PltLimit,
  conditions: readonly GateCondition[],
): readonly GateCondition[] {
  return conditions.filter((each) => (link ?? each.link) === each.link && (site ?? each.site) === each.site);
}

/** Holds an arm's median page load time against a limit, in each condition that this is about; a failure takes for ever. */
export function checkLoadTime(limit: PltLimit, conditions: readonly GateCondition[], tail: number): readonly Check[] {
  return conditionsUnder(limit, conditions).map((condition) => {
    const { unfit, plts } = condition;
    const found = unfit === undefined ? medianInterval(timesOf(plts, limit.arm), tail, samplingOf(condition)) : NOTHING;
    return {
      kind: 'max-plt',
      ...aboutCondition(condition, limit.arm),
      unit: 'ms',
      limit: limit.ms,
      ...found,
      low: Math.max(0, found.low),
      outcome: holdAgainst(found, limit.ms),
    };
  });
}

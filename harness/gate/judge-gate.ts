import type { Check, CheckOutcome, GateFindings, GateLimits, GateStudy } from '../model/gate.ts';
import { sumOf } from '../stats/order.ts';
import { checkBaseline } from './baseline.ts';
import { FALSE_ALARM_RATE } from './checks.ts';
import { checkLoadTime, conditionsUnder } from './load-time-checks.ts';
import { checkMixRegret, checkRegrets, regretsOf } from './regret-checks.ts';

/** What a gate is asked. */
export interface GateRequest {
  readonly study: GateStudy;
  /** The arm that the site is served with. */
  readonly served: string;
  /** Whether the study's advice chose it, by the loads that the gate looks at, so that it might have been any arm. */
  readonly chosen?: boolean;
  readonly limits: GateLimits;
  /** An earlier study of the same plan, and the arms that must be no slower than they were in it. */
  readonly baseline?: { readonly study: GateStudy; readonly arms: readonly string[] } | undefined;
  /** Whether the gate also fails where a limit is not proven to be kept. */
  readonly strict: boolean;
}

/**
 * Checks a study against limits. Each check has an interval of what it is about: above the limit it is broken, below it
 * it is held, and where the limit lies inside it is not known yet.
 *
 *     interval                limit
 *     ├───────────┤             │            held
 *              ├────────────────┼───┤        unknown
 *                               │  ├────┤    broken
 *
 * A gate that failed by chance now and then would soon be ignored. So the chance of being beyond the truth is split
 * evenly between all intervals that the gate rests on, of which there are as many as the plan says, whatever was
 * measured (Bonferroni): all of them hold at once, and so does what is reckoned from them. Where the study's advice chose
 * the arm, the intervals of all arms that it might have chosen hold at once.
 */
export function judgeGate(request: GateRequest): GateFindings {
  const comparisons = countComparisons(request);
  const checks = checksOf(request, FALSE_ALARM_RATE / comparisons);
  const has = (outcome: CheckOutcome) => checks.some((check) => check.outcome === outcome);
  const outcome = has('broken') ? 'broken' : has('unknown') ? 'unknown' : 'held';
  return { outcome, passed: outcome === 'held' || (outcome === 'unknown' && !request.strict), checks, comparisons };
}

function countComparisons({ study: { conditions, arms }, chosen, limits, baseline }: GateRequest): number {
  const hasRegret = limits.maxRegret !== undefined || limits.maxMixRegret !== undefined;
  const timed = limits.maxPlt.map((limit) => conditionsUnder(limit, conditions).length);
  return (
    (hasRegret ? conditions.length * (arms.length - 1) * (chosen ? arms.length : 1) : 0) +
    sumOf(timed) +
    (baseline ? conditions.length * baseline.arms.length : 0)
  );
}

function checksOf({ study, served, limits, baseline }: GateRequest, tail: number): readonly Check[] {
  const { maxRegret, maxMixRegret, maxPlt } = limits;
  const regrets = maxRegret === undefined && maxMixRegret === undefined ? [] : regretsOf(study, served, tail);
  return [
    ...(maxRegret === undefined
      ? []
      : checkRegrets(regrets, { served, limitPercent: 100 * maxRegret, rule: study.rule })),
    ...(maxMixRegret === undefined
      ? []
      : [checkMixRegret(regrets, { served, unmeasured: study.unmeasured, limitPercent: 100 * maxMixRegret })]),
    ...maxPlt.flatMap((limit) => checkLoadTime(limit, study.conditions, tail)),
    ...(baseline
      ? checkBaseline(
          { arms: baseline.arms, limitPercent: 100 * study.rule.advantage },
          study.conditions.map((now) => ({ now, before: baseline.study.conditions.find(({ id }) => id === now.id)! })),
          tail,
        )
      : []),
  ];
}

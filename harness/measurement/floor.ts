import { referencePageOf, referenceTimes } from '../model/reference.ts';
import type { ReferenceLoad } from '../model/session.ts';
import type { Condition, Plan } from '../model/study.ts';
import { median } from '../stats/order.ts';

/** A machine that takes more than this share of a load time decides much of it. */
const WEIGHTY_SHARE = 1 / 3;

/** What is asked for a floor. */
export interface FloorSource {
  readonly plan: Plan;
  readonly references: readonly Omit<ReferenceLoad, 'capture'>[];
}

/**
 * The page load time of a condition's page by an arm over a link without limits, in milliseconds: what the machine alone
 * takes. Undefined where it was not measured, and where it is not the machine's alone: servers that exist already have
 * a way of their own before them, those of a recording think, and an upload is no page load.
 */
export function floorMsOf({ plan, references }: FloorSource, condition: Condition, arm: string): number | undefined {
  const { thinkMs = 0, remote } = plan.sites[condition.site]!;
  const thinks = plan.thinkTimes !== false && thinkMs > 0;
  if (remote || thinks || plan.metric === 'upload') return undefined;
  const page = referencePageOf(condition);
  const times = referenceTimes(references, { page, arm, watched: plan.har === 'full' });
  return times.length === 0 ? undefined : median(times);
}

/** Whether the machine had so large a part in a page load time that its processor decided much of it. */
export function isWeighty(floorMs: number, pltMs: number): boolean {
  return floorMs > WEIGHTY_SHARE * pltMs;
}

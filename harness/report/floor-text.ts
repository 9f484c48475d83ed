import { largestPart, type ProcessorPart } from '../findings/floor.ts';
import type { ConditionSummary } from '../findings/summary.ts';
import { counted } from './counted.ts';

/** A host always gives some of the processor to others: below this share that slows nothing down. */
const TELLING_PERCENT = 3;

/** In how many conditions this machine decided much of the times; undefined where it did in none. */
export function describeFloor(conditions: readonly ConditionSummary[]): string | undefined {
  const weighty = conditions.filter((condition) => largestPart(condition)?.weighty);
  if (weighty.length === 0) return undefined;
  const stolen = Math.round(100 * Math.max(...weighty.map(({ stolenShare = 0 }) => stolenShare)));
  const taken = stolen < TELLING_PERCENT ? '' : `; the host of this machine gave up to ${stolen} % of it to others`;
  return `In ${weighty.length} of ${counted(conditions.length, 'condition')} the processor takes over a third of the load time${taken}`;
}

/** The processor's part in figures: `140 of 390 ms`. */
export function describePart({ floorMs, pltMs }: ProcessorPart): string {
  return `${Math.round(floorMs)} of ${Math.round(pltMs)} ms`;
}

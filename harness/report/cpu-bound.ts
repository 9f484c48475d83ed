import type { ConditionSummary } from '../findings/summary.ts';
import { isCpuBound } from '../measurement/saturation.ts';
import { counted } from './counted.ts';

/** What a host gives to others at any time slows nothing down. */
const TELLING_PERCENT = 3;

/** In how many conditions this machine slowed loads down; undefined where it did in none. */
export function describeCpuBound(conditions: readonly ConditionSummary[]): string | undefined {
  const bound = conditions.filter(isCpuBound);
  if (bound.length === 0) return undefined;
  const stolen = Math.round(100 * Math.max(...bound.map(({ stolenShare = 0 }) => stolenShare)));
  const taken = stolen < TELLING_PERCENT ? '' : `; its own host gave up to ${stolen} % of the processor to others`;
  return `In ${bound.length} of ${counted(conditions.length, 'condition')} a core was saturated in a tenth of the loads or more, which slowed them down whatever the protocol${taken}`;
}

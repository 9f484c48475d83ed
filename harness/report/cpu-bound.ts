import { isCpuBound } from '../verdict/saturation.ts';
import { counted } from './counted.ts';
import type { ConditionSummary } from './summary.ts';

/** In how many conditions the machine had a part; nothing where it had none. */
export function describeCpuBound(conditions: readonly ConditionSummary[]): string | undefined {
  const bound = conditions.filter(isCpuBound).length;
  if (bound === 0) return undefined;
  return `In ${bound} of ${counted(conditions.length, 'condition')} a core was saturated in a tenth of the loads or more, so the machine, not the protocol, had a part in the times`;
}

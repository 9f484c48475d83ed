import { expectedBlocks } from '../comparison/outlook.ts';
import type { Judgement } from '../model/comparison.ts';
import type { Measurement } from '../model/measurement.ts';
import type { Plan } from '../model/study.ts';
import { meanOf } from '../stats/order.ts';

/** How long what is left of a study is likely to take; undefined before anything was measured. */
export function timeLeftMs(plan: Plan, judgement: Judgement, measurements: readonly Measurement[]): number | undefined {
  const blocks = expectedBlocks(plan, judgement);
  const times = blockTimes(plan, measurements);
  if (times.size === 0) return undefined;
  const typicalMs = meanOf([...times.values()]);
  return [...blocks].reduce((sum, [condition, count]) => sum + count * (times.get(condition) ?? typicalMs), 0);
}

/** What a block of each condition takes, by the loads that came to their end. */
function blockTimes({ arms, control }: Plan, measurements: readonly Measurement[]): ReadonlyMap<string, number> {
  const sums = new Map<string, { ms: number; loads: number }>();
  for (const each of measurements) {
    if (each.status !== 'ok' || each.condition === control.id) continue;
    const sum = sums.get(each.condition) ?? { ms: 0, loads: 0 };
    sums.set(each.condition, {
      ms: sum.ms + each.pltMs + (each.uploadMs ?? 0) + each.overheadMs,
      loads: sum.loads + 1,
    });
  }
  return new Map([...sums].map(([condition, { ms, loads }]) => [condition, (arms.length * ms) / loads]));
}

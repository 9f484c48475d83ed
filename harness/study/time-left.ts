import type { JudgedPlan } from '../comparison/judge-plan.ts';
import { getsMore } from '../comparison/judge-plan.ts';
import { type Decision, SURE_BELOW } from '../model/answer.ts';
import type { Stopping } from '../model/comparison.ts';
import type { LoadFigures, Measurement } from '../model/measurement.ts';
import type { Plan } from '../model/study.ts';
import { normalQuantile } from '../stats/normal.ts';
import { meanOf } from '../stats/order.ts';

/** How long what is left of a study is likely to take, with as many loads at once; undefined before anything was measured. */
export function timeLeftMs(
  plan: Plan,
  judged: Pick<JudgedPlan, 'judgement' | 'decisions' | 'states'>,
  measurements: readonly Measurement[],
  atOnce = 1,
): number | undefined {
  const times = blockTimes(plan, measurements);
  if (times.size === 0) return undefined;
  const typicalMs = meanOf([...times.values()]);
  return judged.judgement.conditions.reduce((sum, { condition, blocks }, index) => {
    if (!getsMore(judged.states[index]!)) return sum;
    const left = expectedBlocks(blocks, judged.decisions[index], plan.stopping);
    return sum + (left * (times.get(condition) ?? typicalMs)) / atOnce;
  }, 0);
}

/** How many loads went on at once, on average, if these were made within `inMs`. */
export function loadsAtOnce(measurements: readonly Measurement[], inMs: number): number {
  const ms = measurements.reduce((sum, each) => sum + (each.status === 'ok' ? loadMs(each) : 0), 0);
  return ms > 0 && inMs > 0 ? ms / inMs : 1;
}

function loadMs({ pltMs, uploadMs = 0, overheadMs }: LoadFigures): number {
  return pltMs + uploadMs + overheadMs;
}

/** The blocks that an unknown condition takes; in the sample of kramer2015 four in ten take no more. */
const TYPICAL_BLOCKS = { settled: 6, proven: 16 } as const;

/** How many more blocks a condition that is not finished is likely to take. */
export function expectedBlocks(blocks: number, decision: Decision | undefined, stopping: Stopping): number {
  if (stopping.kind === 'exactly') return stopping.blocks - blocks;
  const { until, cap } = stopping;
  // An arm alone is measured up to the cap.
  if (decision && Object.keys(decision.answer.arms).length === 1) return cap - blocks;
  const typical = TYPICAL_BLOCKS[until] - blocks;
  const total = until === 'settled' && decision ? blocksToSettle(blocks, decision) : blocks + Math.max(1, typical);
  return Math.max(1, Math.min(cap, total) - blocks);
}

/**
 * How many blocks settle a condition if its answer stays: its distance from the margin, in standard errors, grows with
 * the root of the blocks.
 */
function blocksToSettle(blocks: number, { answer: { chanceAboveMargin = 1 }, fewestBlocks }: Decision): number {
  const needed = -normalQuantile(SURE_BELOW);
  const distance = Math.max(LEAST_DISTANCE, -normalQuantile(Math.max(chanceAboveMargin, 1e-6)));
  return Math.max(fewestBlocks, Math.ceil(blocks * (needed / distance) ** 2));
}

/** The least distance, in standard errors: an answer that is nearer to the margin may move away from it. */
const LEAST_DISTANCE = 0.5;

/** What a block of each condition takes, by the loads that came to their end. */
export function blockTimes({ arms, control }: Plan, measurements: readonly Measurement[]): ReadonlyMap<string, number> {
  const sums = new Map<string, { ms: number; loads: number }>();
  for (const each of measurements) {
    if (each.status !== 'ok' || each.condition === control.id) continue;
    const sum = sums.get(each.condition) ?? { ms: 0, loads: 0 };
    sums.set(each.condition, {
      ms: sum.ms + loadMs(each),
      loads: sum.loads + 1,
    });
  }
  return new Map([...sums].map(([condition, { ms, loads }]) => [condition, (arms.length * ms) / loads]));
}

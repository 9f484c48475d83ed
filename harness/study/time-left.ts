import type { JudgedPlan } from '../comparison/judge-plan.ts';
import { getsMore } from '../comparison/judge-plan.ts';
import { type Decision, SURE_BELOW } from '../model/answer.ts';
import type { Stopping } from '../model/comparison.ts';
import type { LoadFigures, Measurement } from '../model/measurement.ts';
import { armsLoaded, type Condition, type Plan } from '../model/study.ts';
import { normalQuantile } from '../stats/normal.ts';
import { meanOf, sumOf } from '../stats/order.ts';
import { armsOfNext } from './block-arms.ts';

/** How long what is left of a study is likely to take, with as many loads at once; undefined before anything was measured. */
export function timeLeftMs(
  plan: Plan,
  judged: Pick<JudgedPlan, 'judgement' | 'decisions' | 'states' | 'untold'>,
  measurements: readonly Measurement[],
  atOnce = 1,
): number | undefined {
  const blockMs = blockTimes(measurements);
  const namesOf = (each: Condition) => armsLoaded(plan, each).map(({ name }) => name);
  const known = plan.conditions.flatMap((each) => blockMs(each.id, namesOf(each)) ?? []);
  if (known.length === 0) return undefined;
  // A condition without a load is likely to be as the others are; all of its arms are still to be loaded.
  const typicalMs = meanOf(known);
  return judged.judgement.conditions.reduce((sum, { condition, blocks }, place) => {
    if (!getsMore(judged.states[place]!)) return sum;
    const left = expectedBlocks(blocks, judged.decisions[place], plan.stopping);
    return sum + (left * (blockMs(condition, armsOfNext(plan, judged, place)) ?? typicalMs)) / atOnce;
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

/** What a block takes of a condition and of the arms that it loads; undefined where no load of the condition came to its end. */
export type BlockMs = (condition: string, arms: readonly string[]) => number | undefined;

/** What blocks take, by the loads that came to their end. An arm without one is taken for the others. */
export function blockTimes(measurements: readonly Measurement[]): BlockMs {
  const finished = measurements.filter((each) => each.status === 'ok');
  const meanMs = (loads: readonly LoadFigures[]) => meanOf(loads.map(loadMs));
  const times = new Map(
    [...Map.groupBy(finished, ({ condition }) => condition)].map(([condition, own]) => [
      condition,
      {
        typicalMs: meanMs(own),
        byArm: new Map([...Map.groupBy(own, ({ arm }) => arm)].map(([arm, loads]) => [arm, meanMs(loads)])),
      },
    ]),
  );
  return (condition, arms) => {
    const known = times.get(condition);
    return known && sumOf(arms.map((arm) => known.byArm.get(arm) ?? known.typicalMs));
  };
}

import type { BlockOutcomes, ConditionRecord, Outcome, VoidTrial } from '../model/comparison.ts';
import type { LoadFigures, Measurement } from '../model/measurement.ts';
import type { Metric } from '../model/study.ts';

/**
 * What was measured, by condition and block, for judging. Measurements come in the order in which they were
 * made: an attempt at a block ends where an arm comes again, and the first attempt without a void trial is the block.
 */
export function recordsOf(
  measurements: readonly Measurement[],
  arms: readonly { readonly name: string }[],
  metric: Metric,
): readonly ConditionRecord[] {
  const places = new Map(measurements.map((each, place) => [each, place]));
  const byCondition = Map.groupBy(measurements, (each) => each.condition);
  return [...byCondition].map(([condition, own]) => {
    const byBlock = Map.groupBy(own, (each) => each.block);
    return {
      condition,
      blocks: [...byBlock].flatMap(([index, trials]) => {
        const whole = wholeAttempt(trials, arms);
        if (!whole) return [];
        return [{ ...outcomesOf(index, whole, metric), at: Math.max(...whole.map((each) => places.get(each)!)) }];
      }),
      voids: own
        .filter((each) => each.status === 'void')
        .map((each): VoidTrial => ({ block: each.block, arm: each.arm, at: places.get(each)! })),
    };
  });
}

function nameOf(condition: string, index: number): string {
  return `${condition} ${index}`;
}

/** The trials that count: those of whole blocks. Beside them are void ones, and those that were run with a void one. */
export function wholeTrials(
  measurements: readonly Measurement[],
  arms: readonly { readonly name: string }[],
): readonly Measurement[] {
  const byBlock = Map.groupBy(measurements, (each) => nameOf(each.condition, each.block));
  return [...byBlock.values()].flatMap((trials) => wholeAttempt(trials, arms) ?? []);
}

function wholeAttempt(trials: readonly Measurement[], arms: readonly { readonly name: string }[]) {
  return attemptsOf(trials).find((attempt) => isWhole(attempt, arms));
}

function attemptsOf(trials: readonly Measurement[]): Measurement[][] {
  const attempts: Measurement[][] = [];
  for (const trial of trials) {
    const attempt = attempts.at(-1);
    if (!attempt || attempt.some((each) => each.arm === trial.arm)) attempts.push([trial]);
    else attempt.push(trial);
  }
  return attempts;
}

/** Whether a block is whole: later ones leave out arms that cannot matter any more, but for two. */
function isWhole(attempt: readonly Measurement[], arms: readonly { readonly name: string }[]): boolean {
  const own = attempt.filter(({ arm }) => arms.some(({ name }) => name === arm));
  return own.length >= Math.min(2, arms.length) && own.every(({ status }) => status !== 'void');
}

function outcomesOf(index: number, attempt: readonly Measurement[], metric: Metric): Omit<BlockOutcomes, 'at'> {
  const { launch, machine } = attempt[0]!;
  return {
    index,
    launch,
    machine,
    outcomes: Object.fromEntries(attempt.map((trial) => [trial.arm, outcomeOf(trial, metric)])),
  };
}

/** The outcome of a load by a metric: a load that never came to what decides has failed. */
function outcomeOf(trial: Measurement, metric: Metric): Outcome {
  return trial.status === 'ok' ? (timeOf(trial, metric) ?? 'failed') : 'failed';
}

/** The time of a load that decides; undefined where it never came to it. */
export function timeOf({ pltMs, lcpMs, fcpMs, uploadMs }: LoadFigures, metric: Metric): number | undefined {
  return { plt: pltMs, lcp: lcpMs, fcp: fcpMs, upload: uploadMs }[metric];
}

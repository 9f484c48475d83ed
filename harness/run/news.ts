import type { Judgement } from '../model/comparison.ts';
import type { StudyEvent, TrialNews } from '../model/event.ts';
import type { Measurement } from '../model/measurement.ts';
import type { FinishedBlock } from '../model/session.ts';
import type { Plan } from '../model/study.ts';
import { judgePlan } from '../verdict/judge-plan.ts';
import { notBeaten } from '../verdict/label.ts';
import { timeLeftMs } from '../verdict/time-left.ts';
import type { RunOptions } from './loop.ts';

/** Tells of a study what is new. */
export interface News {
  /** Of a block that was just run. */
  finish(block: FinishedBlock, measurements: readonly Measurement[]): void;
  /** Of what is measured by now: verdicts and conditions that were not so the last time. */
  judge(measurements: readonly Measurement[]): void;
}

/** Nothing has been told yet; of what earlier sessions found only the sum will be. */
export function openNews(plan: Plan, { untilMs, tell }: Pick<RunOptions, 'untilMs' | 'tell'>): News {
  const beganMs = Date.now();
  let before: Judgement | undefined;
  let leftMs: number | undefined;
  const tellProgress = (judgement: Judgement, measurements: readonly Measurement[]) => {
    const pairs = judgement.conditions.flatMap((condition) => condition.pairs);
    const budgetMs = untilMs === undefined ? Number.POSITIVE_INFINITY : untilMs - Date.now();
    const left = leftMs === undefined ? undefined : Math.max(0, Math.min(leftMs, budgetMs));
    tell({
      event: 'progress',
      closed: judgement.conditions.filter(({ state }) => state !== 'open' && state !== 'waiting').length,
      conditions: judgement.conditions.length,
      decided: pairs.filter(({ verdict }) => verdict !== 'undecided').length,
      comparisons: pairs.length,
      loads: measurements.filter(({ status }) => status !== 'void').length,
      elapsedMs: Date.now() - beganMs,
      ...(left !== undefined && { leftMs: left }),
    });
  };
  return {
    finish({ serial, block, beganMs: blockBeganMs, trials }, measurements) {
      const { condition, index } = block;
      const told = trials.map(({ measurement }) => newsOf(measurement));
      tell({ event: 'block', serial, condition, index, trials: told });
      if (leftMs !== undefined) leftMs -= Date.now() - blockBeganMs;
      tellProgress(before!, measurements);
    },
    judge(measurements) {
      const { judgement } = judgePlan(plan, measurements);
      if (before) for (const event of differences(before, judgement, plan)) tell(event);
      before = judgement;
      leftMs = timeLeftMs(plan, judgement, measurements);
      tellProgress(judgement, measurements);
    },
  };
}

function newsOf(measurement: Measurement): TrialNews {
  const { arm, status } = measurement;
  if (status === 'ok') return { arm, status, pltMs: measurement.pltMs };
  const { says } = measurement;
  if (status === 'failed') return { arm, status, reason: measurement.reason, says };
  return { arm, status, reason: measurement.reason, says };
}

function differences(before: Judgement, after: Judgement, { arms }: Plan): StudyEvent[] {
  const names = arms.map(({ name }) => name);
  return after.conditions.flatMap(({ condition, state, pairs, label }, index): StudyEvent[] => {
    const old = before.conditions[index]!;
    const verdicts = pairs.flatMap(({ a, b, verdict, blocks }, pair): StudyEvent[] =>
      verdict === old.pairs[pair]!.verdict ? [] : [{ event: 'verdict', condition, a, b, verdict, blocks }],
    );
    const closes = state !== old.state && state !== 'open' && state !== 'waiting';
    return closes ? [...verdicts, { event: 'closed', condition, state, notBeaten: notBeaten(names, label) }] : verdicts;
  });
}

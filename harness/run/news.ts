import { notBeaten } from '../comparison/label.ts';
import type { Judgement } from '../model/comparison.ts';
import type { StudyEvent, TrialNews } from '../model/event.ts';
import type { Measurement } from '../model/measurement.ts';
import type { FinishedBlock } from '../model/session.ts';
import type { Block, Plan } from '../model/study.ts';
import { timeLeftMs } from '../study/time-left.ts';
import type { LoopOptions } from './loop.ts';

/** Tells of a study what is new. */
export interface News {
  /** Of a block that is about to be run. */
  start(block: Block): void;
  /** Of one of its loads that is about to begin. */
  load(block: Block, arm: string): void;
  /** Of a block that was just run. */
  finish(block: FinishedBlock): void;
  /** Of what is measured by now: verdicts and conditions that were not so the last time. */
  judge(judgement: Judgement): void;
}

/** Nothing has been told yet; of what earlier sessions found only the sum will be. */
export function openNews(
  plan: Plan,
  measurements: readonly Measurement[],
  { untilMs = Number.POSITIVE_INFINITY, tell }: Pick<LoopOptions, 'untilMs' | 'tell'>,
): News {
  const beganMs = Date.now();
  let judgement: Judgement | undefined;
  /** When the last block may end, if all goes as it seems now. */
  let endMs: number | undefined;
  const tellProgress = (current?: string, arm?: string) => {
    const now = Date.now();
    tell({
      event: 'progress',
      ...countProgress(judgement!, measurements),
      elapsedMs: now - beganMs,
      ...(endMs !== undefined && { leftMs: Math.max(0, Math.min(endMs, untilMs) - now) }),
      ...(current !== undefined && { current }),
      ...(arm !== undefined && { arm }),
    });
  };
  return {
    start: ({ condition }) => tellProgress(condition),
    load: ({ condition }, arm) => tellProgress(condition, arm),
    finish({ serial, block: { condition, index }, trials }) {
      tell({ event: 'block', serial, condition, index, trials: trials.map(({ measurement }) => newsOf(measurement)) });
    },
    judge(now) {
      const before = judgement;
      judgement = now;
      if (before) for (const event of differences(before, now, plan)) tell(event);
      const leftMs = timeLeftMs(plan, now, measurements);
      endMs = leftMs === undefined ? undefined : Date.now() + leftMs;
      tellProgress();
    },
  };
}

function countProgress({ conditions }: Judgement, measurements: readonly Measurement[]) {
  const pairs = conditions.flatMap((condition) => condition.pairs);
  return {
    closed: conditions.filter(({ state }) => state !== 'open' && state !== 'waiting').length,
    conditions: conditions.length,
    decided: pairs.filter(({ verdict }) => verdict !== 'undecided').length,
    comparisons: pairs.length,
    loads: measurements.filter(({ status }) => status !== 'void').length,
  };
}

function newsOf(measurement: Measurement): TrialNews {
  const { arm, status } = measurement;
  if (status === 'ok') {
    const { pltMs, uploadMs } = measurement;
    return { arm, status, pltMs, ...(uploadMs !== undefined && { uploadMs }) };
  }
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

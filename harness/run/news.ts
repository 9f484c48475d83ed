import { getsMore, type JudgedPlan } from '../comparison/judge-plan.ts';
import type { Answer } from '../model/answer.ts';
import { titleOf } from '../model/condition-title.ts';
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
  judge(judged: NewsSource): void;
}

/** What news are drawn from. */
export type NewsSource = Pick<JudgedPlan, 'judgement' | 'decisions' | 'states'>;

/** Nothing has been told yet; of what earlier sessions found only the sum will be. */
export function openNews(
  plan: Plan,
  measurements: readonly Measurement[],
  { untilMs = Number.POSITIVE_INFINITY, tell }: Pick<LoopOptions, 'untilMs' | 'tell'>,
): News {
  const beganMs = performance.now();
  let judged: NewsSource | undefined;
  /** When the last block may end, if all goes as it seems now. */
  let endMs: number | undefined;
  const titles = new Map(plan.conditions.map((condition) => [condition.id, titleOf(condition, plan)]));
  const titleOfId = (condition: string) => titles.get(condition) ?? 'the control';
  const atWork = new Map<string, { readonly title: string; readonly arm?: string }>();
  const tellProgress = (block?: Block, arm?: string) => {
    const now = performance.now();
    if (block) {
      const title = titleOfId(block.condition);
      atWork.set(block.condition, arm === undefined ? { title } : { title, arm });
    }
    tell({
      event: 'progress',
      ...countProgress(judged!, measurements),
      labs: [...atWork.values()],
      elapsedMs: Math.round(now - beganMs),
      ...(endMs !== undefined && { leftMs: Math.round(Math.max(0, Math.min(endMs, untilMs) - now)) }),
      ...(block && { current: block.condition, title: titleOfId(block.condition) }),
      ...(arm !== undefined && { arm }),
    });
  };
  return {
    start: (block) => tellProgress(block),
    load: (block, arm) => tellProgress(block, arm),
    finish({ serial, block, trials }) {
      const { condition, index } = block;
      atWork.delete(condition);
      const news = trials.map(({ measurement }) => newsOf(measurement));
      tell({ event: 'block', serial, condition, title: titleOfId(block.condition), index, trials: news });
    },
    judge(now) {
      const before = judged;
      judged = now;
      if (before) for (const event of differences(before, now, titleOfId)) tell(event);
      const leftMs = timeLeftMs(plan, now, measurements);
      endMs = leftMs === undefined ? undefined : performance.now() + leftMs;
      tellProgress();
    },
  };
}

function countProgress({ judgement, decisions, states }: NewsSource, measurements: readonly Measurement[]) {
  const pairs = judgement.conditions.flatMap((condition) => condition.pairs);
  const answers = decisions.flatMap((decision) => decision?.answer ?? []);
  return {
    serves: [...Map.groupBy(answers, ({ serve }) => serve)]
      .map(([arm, { length }]) => ({ arm, conditions: length }))
      .toSorted((a, b) => b.conditions - a.conditions),
    closed: states.filter((state) => !getsMore(state)).length,
    conditions: states.length,
    answered: answers.length,
    settled: answers.filter(({ settled }) => settled).length,
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

function differences(
  before: NewsSource,
  after: NewsSource,
  titleOfCondition: (condition: string) => string,
): StudyEvent[] {
  return after.judgement.conditions.flatMap(({ condition, pairs }, index): StudyEvent[] => {
    const title = titleOfCondition(condition);
    const old = before.judgement.conditions[index]!;
    const verdicts = pairs.flatMap(({ a, b, verdict, blocks }, pair): StudyEvent[] =>
      verdict === old.pairs[pair]!.verdict ? [] : [{ event: 'verdict', condition, title, a, b, verdict, blocks }],
    );
    const state = after.states[index]!;
    const closes = state !== before.states[index] && !getsMore(state);
    const answer = after.decisions[index]?.answer;
    const sureness = answer && { sureness: answer.sureness };
    return [
      ...verdicts,
      ...(isNews(before.decisions[index]?.answer, answer) ? [answerNews(title, answer)] : []),
      ...(closes ? [{ event: 'closed', condition, title, state, ...sureness } as const] : []),
    ];
  });
}

/** Whether there is an answer, and it is another one than before, or surer, or less sure. */
function isNews(before: Answer | undefined, after: Answer | undefined): after is Answer {
  return after !== undefined && (before?.serve !== after.serve || before.sureness !== after.sureness);
}

function answerNews(title: string, answer: Answer): StudyEvent {
  const { condition, serve, asGood, sureness, gain, blocks } = answer;
  return { event: 'answer', condition, title, serve, asGood, sureness, gain, blocks };
}

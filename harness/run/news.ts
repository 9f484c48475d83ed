import { getsMore, type JudgedPlan } from '../comparison/judge-plan.ts';
import { type Answer, SURENESS } from '../model/answer.ts';
import { titleOf } from '../model/condition-title.ts';
import type { StudyEvent, TrialNews, WorkerProgress } from '../model/event.ts';
import type { Measurement } from '../model/measurement.ts';
import type { FinishedBlock } from '../model/session.ts';
import type { Block, Plan } from '../model/study.ts';
import { loadsAtOnce, timeLeftMs } from '../study/time-left.ts';
import type { LoopOptions } from './loop.ts';

/** Tells of a study what is new. */
export interface News {
  /** Tells of a block that is about to run. */
  start(block: Block): void;
  /** Tells of one of the block's loads that is about to begin. */
  load(block: Block, arm: string): void;
  /** Tells of a block that has just run. */
  finish(block: FinishedBlock): void;
  /** Tells what workers on other machines do now: conditions by their ids. */
  workers(now: readonly WorkerProgress[]): void;
  /** Tells of verdicts, and of conditions' states, that have changed since the last time. */
  judge(judged: NewsSource): void;
}

/** What news are drawn from. */
export type NewsSource = Pick<JudgedPlan, 'judgement' | 'decisions' | 'states'>;

/** News of which nothing has been told yet; of what earlier sessions found, only the sum will be. */
export function openNews(
  plan: Plan,
  measurements: readonly Measurement[],
  { untilMs = Number.POSITIVE_INFINITY, tell }: Pick<LoopOptions, 'untilMs' | 'tell'>,
): News {
  const beganMs = performance.now();
  let judged: NewsSource | undefined;
  /** The answer of each condition as it was told last. */
  const told = new Map<string, Answer>();
  let loads = countLoads(measurements, plan.control.id);
  /** When the last block may end, if all goes as it seems now. */
  let endMs: number | undefined;
  const titles = new Map(plan.conditions.map((condition) => [condition.id, titleOf(condition, plan)]));
  const titleOfId = (condition: string) => titles.get(condition) ?? 'the control';
  let workers: readonly WorkerProgress[] | undefined;
  const atWork = new Map<string, { readonly title: string; readonly arm?: string | undefined }>();
  /** When the first load of this session began. */
  let firstLoadMs: number | undefined;
  const earlier = measurements.length;
  const atOnce = () =>
    firstLoadMs === undefined ? 1 : loadsAtOnce(measurements.slice(earlier), performance.now() - firstLoadMs);
  const tellProgress = (block?: Block, arm?: string) => {
    const now = performance.now();
    if (block) {
      const title = titleOfId(block.condition);
      atWork.set(block.condition, arm === undefined ? { title } : { title, arm });
    }
    tell({
      event: 'progress',
      ...countProgress(judged!),
      loads,
      labs: [...atWork.values()],
      workers,
      elapsedMs: Math.round(now - beganMs),
      leftMs: endMs === undefined ? undefined : Math.round(Math.max(0, Math.min(endMs, untilMs) - now)),
      current: block?.condition,
      title: block && titleOfId(block.condition),
      arm,
    });
  };
  return {
    start: (block) => tellProgress(block),
    load(block, arm) {
      firstLoadMs ??= performance.now();
      tellProgress(block, arm);
    },
    finish({ serial, block, trials }) {
      const { condition, index } = block;
      atWork.delete(condition);
      const found = trials.map(({ measurement }) => measurement);
      loads += countLoads(found, plan.control.id);
      tell({
        event: 'block',
        serial,
        condition,
        title: titleOfId(block.condition),
        index,
        trials: found.map(newsOf),
      });
    },
    workers(now) {
      if (now.some(({ does }) => does.length > 0)) firstLoadMs ??= performance.now();
      workers = now.map((each) => ({
        ...each,
        does: each.does.map(({ title, ...rest }) => ({ title: titleOfId(title), ...rest })),
      }));
      tellProgress();
    },
    judge(now) {
      const before = judged;
      judged = now;
      if (before) for (const event of differences(before, now, { told, titleOf: titleOfId })) tell(event);
      else
        for (const { answer } of now.decisions.filter((each) => each !== undefined)) told.set(answer.condition, answer);
      const leftMs = timeLeftMs(plan, now, measurements, atOnce());
      endMs = leftMs === undefined ? undefined : performance.now() + leftMs;
      tellProgress();
    },
  };
}

/** Loads that count: neither void nor of the control, whose condition has this id. */
function countLoads(measurements: readonly Measurement[], control: string): number {
  return measurements.filter(({ status, condition }) => status !== 'void' && condition !== control).length;
}

function countProgress({ judgement, decisions, states }: NewsSource) {
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
  };
}

function newsOf(measurement: Measurement): TrialNews {
  const { arm, status } = measurement;
  if (status === 'ok') {
    const { pltMs, uploadMs } = measurement;
    return { arm, status, pltMs, uploadMs };
  }
  const { says } = measurement;
  if (status === 'failed') return { arm, status, reason: measurement.reason, says };
  return { arm, status, reason: measurement.reason, says };
}

function differences(
  before: NewsSource,
  after: NewsSource,
  how: { readonly told: Map<string, Answer>; readonly titleOf: (condition: string) => string },
): StudyEvent[] {
  return after.judgement.conditions.flatMap(({ condition, pairs }, index): StudyEvent[] => {
    const title = how.titleOf(condition);
    const old = before.judgement.conditions[index]!;
    const verdicts = pairs.flatMap(({ a, b, verdict, blocks }, pair): StudyEvent[] =>
      verdict === old.pairs[pair]!.verdict ? [] : [{ event: 'verdict', condition, title, a, b, verdict, blocks }],
    );
    const state = after.states[index]!;
    const closes = state !== before.states[index] && !getsMore(state);
    const [was, answer] = [how.told.get(condition), after.decisions[index]?.answer];
    const hasNews = isNews(was, answer);
    if (hasNews) how.told.set(condition, answer);
    const sureness = answer && { sureness: answer.sureness };
    return [
      ...verdicts,
      ...(hasNews ? [answerNews(title, answer, was)] : []),
      ...(closes ? [{ event: 'closed', condition, title, state, ...sureness } as const] : []),
    ];
  });
}

/**
 * Whether an answer is worth telling: it is the first one, it names another arm than the last one told, or it is surer or less
 * sure. What blocks of other conditions do to its sureness is not worth telling: the next one may undo it.
 */
function isNews(told: Answer | undefined, now: Answer | undefined): now is Answer {
  if (now === undefined || told === undefined) return now !== undefined;
  if (told.serve !== now.serve) return true;
  if (told.sureness === now.sureness) return false;
  return now.blocks !== told.blocks || SURENESS.indexOf(now.sureness) < SURENESS.indexOf(told.sureness);
}

function answerNews(title: string, answer: Answer, before: Answer | undefined): StudyEvent {
  const { condition, serve, asGood, sureness, gain, blocks } = answer;
  const was = before && { before: before.sureness };
  return { event: 'answer', condition, title, serve, asGood, sureness, gain, blocks, ...was };
}

import type { Sureness } from '../model/answer.ts';
import type { StudyEvent, StudyProgress, TrialNews, WorkerProgress } from '../model/event.ts';
import { titleOfLink } from '../model/link-title.ts';
import { describeFigures } from './calibration-table.ts';
import { counted } from './counted.ts';
import { leadInWords } from './lead-text.ts';

/** What happens in a study as lines for people: those that stay, and the one that the next takes the place of. */
export interface ProgressText {
  /** Lines that are worth keeping; none for most events. */
  readonly lines: readonly string[];
  /** How far it is now; absent where the event does not say. */
  readonly status?: string;
  /**
   * What the labs do and the answer so far, for terminals with room for several lines; absent where the event does not
   * say.
   */
  readonly board?: readonly string[];
}

/** Turns an event into text. */
export function renderEvent(event: StudyEvent): ProgressText {
  switch (event.event) {
    case 'began':
      return { lines: [describeBeginning(event), ...describeExpected(event)] };
    case 'live':
      return { lines: [`Watch it at ${event.url}`] };
    case 'worker':
      return { lines: [`${event.worker}: ${event.says}`] };
    case 'calibrated':
      return { lines: [`${titleOfLink(event.link)}: ${describeFigures(event.calibration.figures)}`] };
    case 'waiting':
      return {
        lines: [
          `Photofinish is at work on this machine: ${event.study}, in ${event.out}. This begins once that has ended; --beside begins at once.`,
        ],
      };
    case 'false-link': {
      const when = event.pauseMs > 0 ? `in ${describeTime(event.pauseMs)}` : 'now';
      return {
        lines: [`${titleOfLink(event.link)}: ${event.says}. Photofinish measures it again in a new lab ${when}.`],
      };
    }
    case 'block':
      return {
        lines: event.trials.flatMap((trial) =>
          trial.status === 'ok' ? [] : [`${event.title}, block ${event.index + 1}: ${describeTrial(trial)}`],
        ),
      };
    case 'verdict':
      return { lines: [] }; // What is proven of pairs matters as far as the answer is proven by it, which `answer` says.
    case 'answer':
      return { lines: describeAnswer(event).map((says) => `${event.title}: ${says}`) };
    case 'closed':
      return { lines: describeClosing(event).map((says) => `${event.title}: ${says}`) };
    case 'progress':
      return { lines: [], status: describeProgress(event), board: drawBoard(event) };
    case 'films':
      return {
        lines: [
          `All is measured. Photofinish now films a load of each protocol in ${counted(event.conditions, 'condition')}. Ctrl-C ends that, and nothing is lost.`,
        ],
      };
    case 'stopping':
      return {
        lines: [
          'Photofinish stops once what is under way has ended, and then writes the report. Ctrl-C again ends it at once, without a report.',
        ],
      };
    case 'lighthouse':
      return {
        lines: [
          `${event.title}, Lighthouse, ${event.arm}: ${event.score === undefined ? event.says : Math.round(100 * event.score)}`,
        ],
      };
    case 'ended':
      return { lines: [] };
  }
}

/** What is less sure may still change with every block. */
const KEPT: readonly Sureness[] = ['proven', 'sure'];

/** An answer that is to be kept, or that one which was is so no more. */
function describeAnswer(answer: StudyEvent & { event: 'answer' }): readonly string[] {
  const { sureness, before, blocks } = answer;
  const after = `after ${counted(blocks, 'block')}`;
  if (KEPT.includes(sureness)) return [`${leadInWords(answer)}, ${sureness} ${after}`];
  return before !== undefined && KEPT.includes(before) ? [`no longer ${before}, but ${sureness} ${after}`] : [];
}

/** Why a condition gets no more blocks, where that is not what its study is after. */
function describeClosing({ state, sureness }: StudyEvent & { event: 'closed' }): readonly string[] {
  if (state === 'broken') return ['gets no more blocks, since one of them was void again and again'];
  if (state === 'hopeless') return ['gets no more blocks, since those that are left cannot prove its answer'];
  if (state !== 'full' || (sureness !== undefined && KEPT.includes(sureness))) return [];
  return [`has all its blocks, and ${OPEN[sureness ?? 'none']}`];
}

const OPEN: Readonly<Record<string, string>> = {
  likely: 'its answer is likely, but not sure',
  open: 'its answer is still open',
  none: 'no answer',
};

function describeBeginning({ study, seed, conditions, arms, loads }: StudyEvent & { event: 'began' }): string {
  const what = `Study “${study}”: ${counted(conditions, 'condition')} (${conditions === 1 ? 'a' : 'each a'} page over a link) by ${arms.join(', ')}; seed ${seed}`;
  return loads > 0 ? `${what}, continued after ${counted(loads, 'load')}` : what;
}

/** A study that takes no longer than this need not say so before. */
const SOON_MS = 5 * 60_000;

function describeExpected({ expectedMs, budgetMs }: StudyEvent & { event: 'began' }): readonly string[] {
  if (!expectedMs || expectedMs.most <= SOON_MS) return [];
  const stops = budgetMs !== undefined && budgetMs < expectedMs.most;
  if (!stops) return [`This takes about ${describeRange(expectedMs)}.`];
  return [
    `This takes ${describeTime(budgetMs)} and ends with the best answer so far. You can settle the rest later: all of it takes about ${describeRange(expectedMs)}.`,
  ];
}

function describeTrial(trial: TrialNews): string {
  if (trial.status === 'ok') return `${trial.arm} ${(trial.uploadMs ?? trial.pltMs).toFixed(0)} ms`;
  return `${trial.arm} ${trial.status}: ${trial.reason}: ${trial.says}`;
}

const BAR_LENGTH = 20;

/** How far a study is, in a line for each thing that a person who watches it wants to know. */
function drawBoard(progress: StudyProgress): readonly string[] {
  const { settled, conditions, serves, labs, workers = [] } = progress;
  const done = Math.floor((BAR_LENGTH * settled) / conditions);
  const soFar = serves.map(({ arm, conditions }) => `${arm} in ${conditions}`).join(', ');
  return [
    `[${'#'.repeat(done)}${'.'.repeat(BAR_LENGTH - done)}] ${describeCounts(progress)}`,
    ...(soFar === '' ? [] : [`serve so far: ${soFar} of ${counted(conditions, 'condition')}`]),
    ...labs.map((lab) => `  ${describeDoing(lab)}`),
    ...workers.map((worker) => `  ${describeWorker(worker)}`),
  ];
}

function describeDoing({ title, arm }: StudyProgress['labs'][number]): string {
  return `${title}${arm === undefined ? '' : `, ${arm}`}`;
}

/** What a worker on another machine does, and its pace: `far, 900 loads an hour: shop over 4g, h3`. */
export function describeWorker({ name, does, loadsPerHour }: WorkerProgress): string {
  const pace = loadsPerHour === undefined ? [] : [`${Math.round(loadsPerHour)} loads an hour`];
  return `${[name, ...pace].join(', ')}: ${does.map(describeDoing).join('; ') || 'waits'}`;
}

function describeProgress(progress: StudyProgress): string {
  const { title, arm } = progress;
  const counts = describeCounts(progress);
  if (title === undefined) return counts;
  return `${counts}; ${title}${arm === undefined ? '' : `, ${arm}`}`;
}

function describeCounts({ settled, closed, answered, conditions, loads, elapsedMs, leftMs }: StudyProgress): string {
  return [
    `${settled} of ${counted(conditions, 'condition')} settled`,
    // Those that are finished are the settled ones, unless the study goes on until something else.
    ...(closed === settled ? [] : [`${closed} finished`]),
    ...(answered === conditions ? [] : [`${answered} with a first answer`]),
    `${counted(loads, 'load')} in ${describeTime(elapsedMs)}`,
    ...(leftMs === undefined || leftMs < 1_000 ? [] : [`about ${describeTime(leftMs)} left`]),
  ].join(', ');
}

/** In the largest units that say enough: `40 s`, `12 min`, `3 h 20 min`. */
export function describeTime(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 90) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 90) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.round(hours / 24)} days`;
}

/** A time that is only known so far: `12 min`, `40 min to 3 h`, `3 to 9 h`. */
export function describeRange({ least, most }: { readonly least: number; readonly most: number }): string {
  const [from, to] = [roughly(least), roughly(most)];
  if (from.join() === to.join()) return from.join(' ');
  return from[1] === to[1] ? `${from[0]} to ${to.join(' ')}` : `${from.join(' ')} to ${to.join(' ')}`;
}

function roughly(ms: number): readonly [number: number, unit: string] {
  const minutes = ms / 60_000;
  if (minutes < 1.5) return [10 * Math.max(1, Math.round(ms / 10_000)), 's'];
  if (minutes < 20) return [Math.round(minutes), 'min'];
  if (minutes < 90) return [5 * Math.round(minutes / 5), 'min'];
  return minutes < 48 * 60 ? [Math.round(minutes / 60), 'h'] : [Math.round(minutes / 1440), 'days'];
}

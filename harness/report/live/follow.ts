import type { Summary } from '../../findings/summary.ts';
import type { StudyEnding, StudyEvent } from '../../model/event.ts';
import type { LastBlock, LiveProgress, LiveState, NewAnswer } from '../live-state.ts';
import type { ServedData } from '../page.ts';
import type { PageData } from '../page-data.ts';
import { toPageJson } from '../page-packing.ts';

/** A study that may be going on somewhere, as its store has it. */
export interface StudySource {
  /** A text that changes once there is more in the store; costs next to nothing. */
  stamp(): string;
  /** Reads all of it, however long that takes; a study that is measured has no next steps yet. */
  read(isMeasured: boolean): StudyReading;
  /** Whether a process measures it just now. */
  isAtWork(): boolean;
}

/** What one reading of a study gives: the data that a page needs. */
export interface StudyReading {
  readonly data: PageData;
}

/** A study that is followed while it is measured. */
export interface FollowedStudy extends Disposable {
  /** The page's data, and of which version it is. */
  page(): ServedData;
  state(): LiveState;
  /** Calls back when anything of this is another. */
  subscribe(changed: () => void): Disposable;
  /** Takes in what the process that measures says; the store is read separately. */
  tell(event: StudyEvent): void;
  /** The study has ended: reads all of it once more. */
  finish(page: string): void;
}

/** How often to look whether there is more. */
const LOOK_EVERY_MS = 1000;
/**
 * Reading must not disturb the measurement: it takes at most this part of one core, however large the study is, and
 * comes no more often than a reader can follow.
 */
const SHARE = 0.05;
const LEAST_MS = 2000;

/** How a study is followed. */
export interface FollowOptions {
  /** In milliseconds. */
  readonly now?: () => number;
  /** The milliseconds of a core that this process has taken: those that it waited for one are no cost to others. */
  readonly busyMs?: () => number;
  /** Hears why the store could not be read, each reason once in a row; it is tried again. */
  readonly complain?: (why: string) => void;
}

function coreMsOfThis(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Follows a study: looks into its store now and then, and reads it as often as that is cheap. */
export function followStudy(
  source: StudySource,
  { now = () => performance.now(), busyMs = coreMsOfThis, complain = () => {} }: FollowOptions = {},
): FollowedStudy {
  const began = Date.now().toString(36);
  const listeners = new Set<() => void>();
  const heard: Heard = {};
  let readings = 0;
  let costMs = 0;
  let isAtWork = source.isAtWork();
  let stamp = '';
  let json = '';
  let reading: StudyReading;
  let readMs = 0;
  const read = () => {
    const beganMs = busyMs();
    // Before it is read: what comes meanwhile is looked at again.
    stamp = source.stamp();
    reading = source.read(isAtWork && heard.page === undefined);
    json = toPageJson(reading.data);
    readings += 1;
    readMs = now();
    costMs = busyMs() - beganMs;
  };
  const changed = () => {
    for (const listener of listeners) listener();
  };
  const look = () => {
    const wasAtWork = isAtWork;
    isAtWork = source.isAtWork();
    const isDue = now() - readMs >= Math.max(LEAST_MS, costMs / SHARE);
    // What to do next is told when no process measures any more.
    if (isAtWork === wasAtWork && !(isDue && source.stamp() !== stamp)) return;
    try {
      read();
    } finally {
      changed();
    }
  };
  let trouble: string | undefined;
  /** What cannot be read just now may be readable again: a folder that is moved, a disk without room, a network's. */
  const lookAgain = () => {
    try {
      look();
      trouble = undefined;
    } catch (error) {
      const { message } = error as Error;
      if (message !== trouble) complain(message);
      trouble = message;
    }
  };
  read();
  const timer = setInterval(lookAgain, LOOK_EVERY_MS);
  const version = () => `${began}.${readings}`;
  return {
    page: () => ({ json, version: version() }),
    state: () => ({ version: version(), ...stateOf(heard, reading, { isAtWork, readMs, nowMs: now() }) }),
    subscribe(listener) {
      listeners.add(listener);
      return { [Symbol.dispose]: () => listeners.delete(listener) };
    },
    tell(event) {
      if (event.event === 'progress') {
        const { event: _, ...progress } = event;
        heard.progress = { ...progress, saidMs: now() };
      }
      if (event.event === 'block') heard.last = { condition: event.condition, trials: event.trials };
      if (event.event === 'answer') heard.answers = newestOf(heard.answers ?? [], event);
      if (event.event === 'lighthouse') heard.judged = (heard.judged ?? 0) + 1;
      if (event.event === 'ended') heard.ending = event.ending;
      changed();
    },
    finish(page) {
      clearInterval(timer);
      heard.page = page;
      read();
      changed();
    },
    [Symbol.dispose]: () => clearInterval(timer),
  };
}

/** What the process that measures has said. */
interface Heard {
  progress?: (LiveProgress & { readonly saidMs: number }) | undefined;
  last?: LastBlock | undefined;
  answers?: readonly NewAnswer[] | undefined;
  judged?: number | undefined;
  ending?: StudyEnding | undefined;
  page?: string;
}

/** How many answers are told; a reader takes in no more before the next one comes. */
const NEWEST = 3;

function newestOf(before: readonly NewAnswer[], event: StudyEvent & { event: 'answer' }): readonly NewAnswer[] {
  const { condition, serve, asGood, sureness, gain } = event;
  const others = before.filter((each) => each.condition !== condition);
  return [{ condition, serve, asGood, sureness, gain }, ...others].slice(0, NEWEST);
}

interface Moment {
  readonly isAtWork: boolean;
  readonly readMs: number;
  readonly nowMs: number;
}

function stateOf(
  { progress, last, answers, judged, ending, page }: Heard,
  reading: StudyReading,
  { isAtWork, readMs, nowMs }: Moment,
): Omit<LiveState, 'version'> {
  if (page !== undefined) return { phase: 'ended', progress: countProgress(reading.data.summary), page, ending };
  if (progress) {
    const { saidMs, leftMs, ...known } = progress;
    return {
      phase: 'measured',
      progress: { ...known, ...leftAfter(leftMs, nowMs - saidMs) },
      last,
      answers,
      judged,
    };
  }
  const { summary } = reading.data;
  const counted = countProgress(summary);
  const leftMs = summary.leftSeconds === undefined ? undefined : 1000 * summary.leftSeconds;
  return isAtWork
    ? { phase: 'measured', progress: { ...counted, ...leftAfter(leftMs, nowMs - readMs) } }
    : { phase: 'resting', progress: counted };
}

function leftAfter(leftMs: number | undefined, sinceMs: number): Pick<LiveProgress, 'leftMs'> {
  return leftMs === undefined ? {} : { leftMs: Math.max(0, Math.round(leftMs - sinceMs)) };
}

function countProgress({ conditions, loads, wallSeconds }: Omit<Summary, 'provenance'>): LiveProgress {
  const comparisons = conditions.flatMap((condition) => condition.comparisons);
  const answers = conditions.flatMap(({ answer }) => answer ?? []);
  return {
    closed: conditions.filter(({ state }) => state !== 'open').length,
    conditions: conditions.length,
    answered: answers.filter(({ predicted }) => !predicted).length,
    settled: answers.filter(({ settled }) => settled).length,
    decided: comparisons.filter(({ verdict }) => verdict !== 'undecided').length,
    comparisons: comparisons.length,
    loads: loads.counted,
    elapsedMs: 1000 * wallSeconds,
  };
}

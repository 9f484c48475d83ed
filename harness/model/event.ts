import type { Gain, Sureness } from './answer.ts';
import type { Calibration } from './calibration.ts';
import type { ConditionState, Verdict } from './comparison.ts';
import type { FailureReason, VoidReason } from './measurement.ts';

/**
 * What happens while a study runs, for all that follow it: the terminal, a program, the live report. `condition` is an
 * id, `title` the name for readers.
 */
export type StudyEvent =
  | {
      readonly event: 'began';
      readonly study: string;
      readonly seed: number;
      /** The study's folder. */
      readonly out: string;
      readonly conditions: number;
      readonly arms: readonly string[];
      /** What there was from earlier sessions. */
      readonly loads: number;
      /**
       * How long it is likely to take, reckoned before anything was loaded: if all is as clear as can be, and if every
       * condition gets all the blocks that it may. Absent where it goes on: `progress` tells what is left.
       */
      readonly expectedMs?: { readonly least: number; readonly most: number } | undefined;
      /** The time after which no block begins. */
      readonly budgetMs?: number | undefined;
    }
  /** The page that follows it is served. */
  | { readonly event: 'live'; readonly url: string }
  /** Something became of a worker: it came, was refused, left, or takes no more blocks. */
  | { readonly event: 'worker'; readonly worker: string; readonly says: string }
  | { readonly event: 'calibrated'; readonly link: string; readonly calibration: Calibration }
  | {
      /** Something else is measured or recorded on this machine, which this study waits for. */
      readonly event: 'waiting';
      readonly study: string;
      readonly out: string;
    }
  /** A link that is not what it claims, and after how long it is tried in a new lab. */
  | { readonly event: 'false-link'; readonly link: string; readonly says: string; readonly pauseMs: number }
  | {
      readonly event: 'block';
      readonly serial: number;
      /** The condition's id: one of the plan's, or its control's. */
      readonly condition: string;
      readonly title: string;
      readonly index: number;
      readonly trials: readonly TrialNews[];
    }
  | {
      readonly event: 'verdict';
      readonly condition: string;
      readonly title: string;
      readonly a: string;
      readonly b: string;
      readonly verdict: Verdict;
      readonly blocks: number;
    }
  /** A condition has an answer, or another one than before, or is surer of it. */
  | {
      readonly event: 'answer';
      readonly condition: string;
      readonly title: string;
      readonly serve: string;
      readonly asGood: readonly string[];
      readonly sureness: Sureness;
      readonly gain: Gain;
      readonly blocks: number;
      /** How sure the answer before was; absent where this is the first. */
      readonly before?: Sureness;
    }
  /** A condition that gets no more blocks. */
  | {
      readonly event: 'closed';
      readonly condition: string;
      readonly title: string;
      readonly state: ConditionState;
      /** How sure its answer is; absent where it has none. */
      readonly sureness?: Sureness;
    }
  | ({ readonly event: 'progress' } & StudyProgress)
  /** All is measured, and some conditions are still to be filmed. */
  | { readonly event: 'films'; readonly conditions: number }
  /** It was asked to stop, and is done once what is under way has ended. */
  | { readonly event: 'stopping' }
  | {
      readonly event: 'lighthouse';
      readonly condition: string;
      readonly title: string;
      readonly arm: string;
      readonly score?: number | undefined;
      readonly says?: string;
    }
  | { readonly event: 'ended'; readonly ending: StudyEnding; readonly summary: string };

/** A trial in short. */
export type TrialNews =
  | { readonly arm: string; readonly status: 'ok'; readonly pltMs: number; readonly uploadMs?: number | undefined }
  | { readonly arm: string; readonly status: 'failed'; readonly reason: FailureReason; readonly says: string }
  | { readonly arm: string; readonly status: 'void'; readonly reason: VoidReason; readonly says: string };

/** How far a study is. */
export interface StudyProgress {
  /** Conditions that get no more blocks, of all. */
  readonly closed: number;
  readonly conditions: number;
  /** Conditions that have an answer, and those whose answer is settled. */
  readonly answered: number;
  readonly settled: number;
  /** Comparisons with a verdict, of all. */
  readonly decided: number;
  readonly comparisons: number;
  /** In how many conditions each arm is what to serve, as far as they have answers; most first. */
  readonly serves: readonly { readonly arm: string; readonly conditions: number }[];
  /** What the labs measure: conditions, or the study's own control, and the arm whose load is on its way there. */
  readonly labs: readonly { readonly title: string; readonly arm?: string | undefined }[];
  /** Where machines run blocks for the study: what each does, and how many loads it makes in an hour. */
  readonly workers?: readonly WorkerProgress[] | undefined;
  /** What was begun last: a condition of the plan, or its control; absent between rounds. */
  readonly current?: string | undefined;
  /** What people call that. */
  readonly title?: string | undefined;
  /** The arm whose load is on its way there; absent between loads. */
  readonly arm?: string | undefined;
  /** Loads of all sessions that count. */
  readonly loads: number;
  readonly elapsedMs: number;
  /** A guess; absent while nothing is known yet. */
  readonly leftMs?: number | undefined;
}

/** What a worker does. */
export interface WorkerProgress {
  readonly name: string;
  readonly does: readonly { readonly title: string; readonly arm?: string | undefined }[];
  /** Absent while it has made none. */
  readonly loadsPerHour?: number | undefined;
}

/** Why a study's session ended: it is finished, its budget is used up, it was asked to stop, or an error ended it. */
export type StudyEnding = 'finished' | 'budget' | 'stopped' | 'broken';

import type { Answer } from '../model/answer.ts';
import type { StudyEnding, StudyProgress, TrialNews } from '../model/event.ts';

/** How things stand with a study that is followed: all that the page must know beside its data, told in full. */
export interface LiveState {
  /** The version of the page's data: a different one means that there is new data to ask for. */
  readonly version: string;
  /** Whether a process measures, none does now, or the study has ended and with it the process that tells of it. */
  readonly phase: 'measured' | 'resting' | 'ended';
  readonly progress: LiveProgress;
  /** The block that was finished last. */
  readonly last?: LastBlock | undefined;
  /** The newest answers, each of another condition, the newest first; absent while there is none. */
  readonly answers?: readonly NewAnswer[] | undefined;
  /** How often Lighthouse has judged, once it is its turn. */
  readonly judged?: number | undefined;
  /** Once it has ended: why, and where the page is that stays. */
  readonly ending?: StudyEnding | undefined;
  readonly page?: string;
}

/** What only the process that measures knows. */
type Unsaid = 'elapsedMs' | 'serves' | 'labs';

/** How far it is; the time left is counted from when this is told, and what it took so far is not always known. */
export type LiveProgress = Omit<StudyProgress, Unsaid> & Partial<Pick<StudyProgress, Unsaid>>;

/** A block in short. */
export interface LastBlock {
  /** The condition's id: one of the plan's, or its control's. */
  readonly condition: string;
  readonly trials: readonly TrialNews[];
}

/** An answer in short. */
export type NewAnswer = Pick<Answer, 'condition' | 'serve' | 'asGood' | 'sureness' | 'gain'>;

/** Where a served page asks for what is new, beside its own address. */
export const LIVE_PATHS = { events: 'events', data: 'data.json' } as const;

/** The header that says of which version the data is. */
export const VERSION_HEADER = 'photofinish-version';

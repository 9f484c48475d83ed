import type { JudgedPlan } from '../comparison/judge-plan.ts';
import type { Capture } from '../model/capture.ts';
import type { BlockOrder, FinishedBlock, MeasuredLink, ReferenceLoad } from '../model/session.ts';
import type { Block } from '../model/study.ts';

/*
 * What runs a study's blocks: labs of this machine (`lab-runner.ts`), or workers on other machines
 * (`workers/coordinator.ts`). The loop alone plans, stores and judges; a runner is told of blocks and brings results.
 */

/** What comes with anything that was run. */
export interface Brought {
  /** The session that it belongs to, which says on what machine it was run. */
  readonly session: number;
  /** Reference loads that are not in the store yet. */
  readonly references: readonly ReferenceLoad[];
  readonly links: readonly MeasuredLink[];
}

/** A block that was run, with what else was loaded and measured for its sake. */
export interface BlockResult extends Brought {
  readonly finished: FinishedBlock;
  readonly warmUps: readonly Capture[];
}

/** A block, and a place that is free to run it. */
export interface Place {
  readonly block: Block;
  /** Runs it; undefined where it was withdrawn, or where a part of a lab died and was replaced. */
  run(order: BlockOrder): Promise<BlockResult | undefined>;
  /** What there is to do once the result is in the store. */
  after(judged: JudgedPlan): Promise<void>;
}

/** Blocks that are being run, or whose results have not been judged yet. */
export interface Taken {
  has(block: Pick<Block, 'condition' | 'index'>): boolean;
  /** The conditions that have such blocks. */
  conditions(): ReadonlySet<string>;
}

/** What a second of the next block is worth, by condition. It is computed when it is asked for. */
export type Worths = () => ReadonlyMap<string, number>;

/** What runs a study's blocks. */
export interface BlockRunner {
  /** Whether it runs several blocks of a condition at once, so that a judgement may come a little late. */
  readonly isAhead: boolean;
  /** Blocks that were handed out by an earlier session of the study and are not in its store. */
  readonly begun: readonly (Place & { readonly order: BlockOrder })[];
  /** Takes what there are places for, of what is wanted, the most urgent first. */
  choose(wanted: readonly Block[], taken: Taken, worths: Worths): readonly Place[];
  /** Takes back blocks that have not begun, where they are of no more use. */
  withdraw(isOfUse: (block: Block) => boolean): void;
  /** Lets go of all that is being run: a worker that runs it goes on alone. */
  abandon(): void;
  /** Resolves when a place may be free that was not, or a worker has left. */
  changed(): Promise<void>;
  /** Does what there is to do once all is measured. */
  finish(judged: JudgedPlan): Promise<void>;
}

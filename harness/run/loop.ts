import { plantedDelayMs } from '../comparison/controls.ts';
import { getsMore, type JudgedPlan, judgePlan } from '../comparison/judge-plan.ts';
import { SETTLED_LAUNCHES } from '../comparison/rules.ts';
import type { StudyEnding, StudyEvent } from '../model/event.ts';
import type { BlockOrder } from '../model/session.ts';
import type { Block, Plan } from '../model/study.ts';
import type { Store } from '../store/store.ts';
import { nextBlocks, worthsOf } from '../study/next-blocks.ts';
import { measurementsOf } from './block.ts';
import type { BlockResult, BlockRunner, Brought, Place } from './block-runner.ts';
import type { LabPoolOptions } from './lab-pool.ts';
import { openLabRunner } from './lab-runner.ts';
import type { Labs } from './labs.ts';
import { type News, openNews } from './news.ts';

/** Where a plan's blocks go, and when to stop. */
export interface LoopOptions extends Pick<LabPoolOptions, 'pausesMs' | 'givesWay'> {
  readonly store: Store;
  /** The number of this session in the store. */
  readonly session: number;
  /** The study's folder, where the evidence of each load goes. */
  readonly folder: string;
  /** Looked at between one block and the next. */
  readonly stop: AbortSignal;
  /** The time after which no block begins, by the clock that cannot be set (`performance.now`). */
  readonly untilMs?: number | undefined;
  readonly tell: (event: StudyEvent) => void;
}

/** Runs a plan in labs of this machine until it is finished, it is asked to stop, or its time is up. */
export function runPlan(plan: Plan, labs: Labs, options: LoopOptions): Promise<StudyEnding> {
  return conduct(plan, options, (news) => openLabRunner(plan, labs, options, news));
}

/** The share of all time that judging may take: a study of a million loads takes seconds to judge. */
const JUDGING_SHARE = 0.2;

/**
 * Has the blocks of a plan run: what is next follows from what is in the store, and a block is in the store as soon as it is
 * done, so the next session of the study goes on from here.
 *
 *     store ─► judgement ─► blocks that are wanted ─► runner ─► results ─► store
 */
export async function conduct(
  plan: Plan,
  options: LoopOptions,
  openRunner: (news: News) => BlockRunner,
): Promise<StudyEnding> {
  const { store } = options;
  const measurements = store.measurements();
  const news = openNews(plan, measurements, options);
  const runner = openRunner(news);
  const atWork = new Map<number, Promise<void>>();
  /** The first block that could not be run, if there is one. */
  let failed: { readonly error: unknown } | undefined;
  const taken = new Map<string, Block>();
  /** Blocks whose results have come since the last judgement. */
  let unjudged: Block[] = [];
  let judged: JudgedPlan = judgePlan(plan, measurements);
  let beyondGaps = findBeyondGaps(judged);
  let wanted = nextBlocks(plan, measurements, { judged, ahead: runner.isAhead });
  let worths: ReadonlyMap<string, number> | undefined;
  let [judgedAtMs, judgingTookMs] = [performance.now(), 0];
  let serial = Math.max(store.nextSerial(), ...runner.begun.map(({ order }) => order.serial + 1));

  const judge = () => {
    const beganMs = performance.now();
    // The control's blocks change nothing but what is next.
    if (unjudged.some(({ condition }) => condition !== plan.control.id)) {
      judged = judgePlan(plan, measurements);
      beyondGaps = findBeyondGaps(judged);
    }
    wanted = nextBlocks(plan, measurements, { judged, ahead: runner.isAhead });
    worths = undefined;
    for (const block of unjudged) taken.delete(nameOf(block));
    unjudged = [];
    news.judge(judged);
    judgedAtMs = performance.now();
    judgingTookMs = judgedAtMs - beganMs;
    const open = new Set(
      judged.judgement.conditions.flatMap(({ condition }, place) => (isOpen(place) ? condition : [])),
    );
    runner.withdraw(({ condition }) => condition === plan.control.id || open.has(condition));
  };
  const isOpen = (place: number) => getsMore(judged.states[place]!);
  const mayJudge = () => performance.now() - judgedAtMs >= judgingTookMs * (1 / JUDGING_SHARE - 1);
  const keep = (result: BlockResult) => {
    const { session, finished, warmUps } = result;
    // The block first: a process that is killed in between loses what counts for nothing, and has nothing twice.
    store.addBlock(session, finished);
    if (warmUps.length > 0) store.addWarmUps(session, warmUps);
    keepBrought(store, result);
    measurements.push(...measurementsOf(finished));
    unjudged.push(finished.block);
    news.finish(finished);
  };
  const worthsNow = () => {
    worths ??= worthsOf(plan, measurements, judged);
    return worths;
  };
  const orderFor = (block: Block): BlockOrder => {
    const mine = serial;
    serial += 1;
    const isControl = block.condition === plan.control.id;
    const own = judged.judgement.conditions.find(({ condition }) => condition === block.condition);
    const worth = worthsNow().get(block.condition);
    return {
      block,
      serial: mine,
      // The control needs no launches of its own: its arms are compared within blocks.
      launches: isControl ? SETTLED_LAUNCHES : (own?.launches ?? 0),
      delayMs: isControl ? plantedDelayMs(plan.control, measurements) : undefined,
      worth: Number.isFinite(worth) ? worth : undefined,
    };
  };
  const work = async (place: Place, order: BlockOrder) => {
    taken.set(nameOf(place.block), place.block);
    const result = await place.run(order);
    if (!result) {
      taken.delete(nameOf(place.block));
      return;
    }
    keep(result);
    if (!runner.isAhead) judge();
    await place.after(judged);
  };
  const begin = (place: Place, order: BlockOrder) => {
    const done = work(place, order)
      // Another block may end in the same moment, so that nothing below waits for this one.
      .catch((error) => {
        failed ??= { error };
      })
      .finally(() => atWork.delete(order.serial));
    atWork.set(order.serial, done);
  };
  const chooseNow = () =>
    runner.choose(
      wanted,
      {
        has: (block) => taken.has(nameOf(block)) || beyondGaps.has(nameOf(block)),
        conditions: () => new Set([...taken.values()].map(({ condition }) => condition)),
      },
      worthsNow,
    );

  news.judge(judged);
  for (const each of runner.begun) begin(each, each.order);
  try {
    for (;;) {
      if (failed) throw failed.error;
      if (unjudged.length > 0 && mayJudge()) judge();
      const ending = endingNow(options);
      if (ending) runner.withdraw(() => false);
      if (ending === 'stopped') runner.abandon();
      let places = ending ? [] : chooseNow();
      if (places.length === 0 && atWork.size === 0 && unjudged.length > 0) {
        judge();
        places = ending ? [] : chooseNow();
      }
      for (const place of places) begin(place, orderFor(place.block));
      if (atWork.size === 0 && (ending || wanted.length === 0)) {
        if (ending) return ending;
        await runner.finish(judged);
        return endingNow(options) ?? 'finished';
      }
      await Promise.race([...atWork.values(), runner.changed()]);
    }
  } finally {
    runner.withdraw(() => false);
    runner.abandon();
    await Promise.allSettled(atWork.values());
  }
}

/** Keeps what was loaded and measured for the sake of something else. */
export function keepBrought(store: Store, { session, references, links }: Brought): void {
  if (references.length > 0) store.addReferenceLoads(session, references);
  for (const link of links) store.addMeasuredLink(session, link);
}

/** Whole blocks that do not count yet, since one before them is still being run: they need not be run again. */
function findBeyondGaps({ records, judgement }: JudgedPlan): ReadonlySet<string> {
  const counted = new Map(judgement.conditions.map(({ condition, blocks }) => [condition, blocks]));
  return new Set(
    records.flatMap(({ condition, blocks }) =>
      blocks
        .filter(({ index }) => index >= (counted.get(condition) ?? 0))
        .map(({ index }) => nameOf({ condition, index })),
    ),
  );
}

function nameOf({ condition, index }: Pick<Block, 'condition' | 'index'>): string {
  return `${index} ${condition}`;
}

/** Why nothing more is to be begun; undefined where something may be. */
export function endingNow({
  stop,
  untilMs = Number.POSITIVE_INFINITY,
}: Pick<LoopOptions, 'stop' | 'untilMs'>): StudyEnding | undefined {
  if (stop.aborted) return 'stopped';
  return performance.now() >= untilMs ? 'budget' : undefined;
}

import { plantedDelayMs } from '../comparison/controls.ts';
import { judgePlan } from '../comparison/judge-plan.ts';
import type { StudyEnding, StudyEvent } from '../model/event.ts';
import type { TopologyName } from '../model/lab.ts';
import type { Link } from '../model/link.ts';
import type { Measurement } from '../model/measurement.ts';
import type { FinishedBlock } from '../model/session.ts';
import type { Block, Condition, Plan } from '../model/study.ts';
import type { Store } from '../store/store.ts';
import { nextBlocks } from '../study/plan.ts';
import { conditionOf, loadFor, measurementsOf, runBlock } from './block.ts';
import { filmArms } from './film.ts';
import { openLaunchLimit } from './launch-limit.ts';
import { openNews } from './news.ts';
import { openReferences } from './reference.ts';
import type { Rig } from './rig.ts';
import type { Load } from './seats.ts';
import { openTrueLink, type Patience } from './true-link.ts';

/** Where a plan's blocks go, and when to stop. */
export interface LoopOptions {
  readonly store: Store;
  /** Of the store's: this one. */
  readonly session: number;
  /** The study's own, where the evidence of each load goes. */
  readonly folder: string;
  /** Looked at between one block and the next. */
  readonly stop: AbortSignal;
  /** Likewise: the moment after which no block is begun. */
  readonly untilMs?: number | undefined;
  readonly tell: (event: StudyEvent) => void;
  /** How long a link may take to become what it claims. */
  readonly pausesMs?: Patience['pausesMs'];
}

/**
 * Runs a plan, block by block, until it is finished or somebody or the time says stop. Each block is in the store before
 * the next one begins; what is next follows from what is there, so whoever comes after goes on from here.
 */
export async function runPlan(plan: Plan, rig: Rig, options: LoopOptions): Promise<StudyEnding> {
  const { store, session, folder } = options;
  const measurements = store.measurements();
  const launches = openLaunchLimit();
  const news = openNews(plan, measurements, options);
  const references = openReferences(plan, rig, options);
  for (;;) {
    const judged = judgePlan(plan, measurements);
    news.judge(judged);
    const blocks = nextBlocks(plan, measurements, judged);
    if (blocks.length === 0) return 'finished';
    for (const block of blocks) {
      const ending = endingNow(options);
      if (ending) return ending;
      news.start(block);
      if (!(await openLinkOf(plan, rig, conditionOf(plan, block), options))) return 'stopped';
      if (launches.needed(block.condition)) await rig.relaunch();
      const delayMs = plantedDelayMs(plan.control, measurements);
      const condition = conditionOf(plan, block);
      await references.make(condition);
      const finished = await runBlock(plan, rig, {
        ...{ block, serial: store.nextSerial(), folder, delayMs },
        referenceOf: (arm) => references.find(condition, arm),
        onLoad: (arm) => news.load(block, arm),
      });
      keep(finished, measurements, options);
      if (awaitsFilm(plan, block, options)) store.addFilms(session, block.condition, await filmArms(plan, rig, block));
      store.addWarmUps(session, rig.takeWarmUps());
      news.finish(finished);
    }
  }
}

/** Why nothing more is to be begun; undefined where something may be. */
export function endingNow({
  stop,
  untilMs = Number.POSITIVE_INFINITY,
}: Pick<LoopOptions, 'stop' | 'untilMs'>): StudyEnding | undefined {
  if (stop.aborted) return 'stopped';
  return Date.now() >= untilMs ? 'budget' : undefined;
}

/** Opens a condition's link, and keeps what it was seen to do; false where it was asked to stop meanwhile. */
export async function openLinkOf(
  plan: Plan,
  rig: Rig,
  { link, topology }: Condition,
  options: LoopOptions,
): Promise<boolean> {
  const opened = await openTrueLink(rig, { link, topology }, options);
  if (!opened) return false;
  if (opened.fresh) {
    const { calibration } = opened;
    const lab = await rig.describe(loadsOver(plan, link, topology));
    options.store.addMeasuredLink(options.session, { link: link.name, calibration, lab });
    options.tell({ event: 'calibrated', link: link.name, calibration });
  }
  return true;
}

/** One load of each page by each arm, over a link. */
function loadsOver(plan: Plan, link: Link, topology: TopologyName | undefined): readonly Load[] {
  const over = plan.conditions.filter((each) => each.link.name === link.name && each.topology === topology);
  return over.flatMap(({ id }) => {
    const block = { condition: id, index: 0, order: [] };
    return plan.arms.map(({ name }) => loadFor(plan, { block }, name));
  });
}

/** After a condition's first block, or the first that is followed by another. */
function awaitsFilm({ control, ...plan }: Plan, block: Block, { store, stop }: LoopOptions): boolean {
  if (block.condition === control.id || stop.aborted) return false;
  const { site, tabs, topology } = conditionOf({ control, ...plan }, block);
  // What is sent cannot be seen, nor what two transfers share, and a crowd has no one page.
  const shows = tabs === undefined && topology !== 'dumbbell' && plan.sites[site]!.uploadBytes === undefined;
  return shows && !store.filmed().includes(block.condition);
}

function keep(finished: FinishedBlock, measurements: Measurement[], { store, session }: LoopOptions): void {
  store.addBlock(session, finished);
  measurements.push(...measurementsOf(finished));
}

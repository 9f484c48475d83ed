import { availableParallelism } from 'node:os';
import { plantedDelayMs } from '../comparison/controls.ts';
import { type JudgedPlan, judgePlan } from '../comparison/judge-plan.ts';
import type { Capture } from '../model/capture.ts';
import { EnvironmentError, LabError } from '../model/errors.ts';
import type { StudyEnding, StudyEvent } from '../model/event.ts';
import type { Link } from '../model/link.ts';
import type { Measurement } from '../model/measurement.ts';
import { CALIBRATION_HOLDS_MS } from '../model/pace.ts';
import { referencePageOf } from '../model/reference.ts';
import type { FinishedBlock } from '../model/session.ts';
import type { Block, Condition, Plan } from '../model/study.ts';
import type { Store } from '../store/store.ts';
import { factsOf, LOAD_MS, likelyBlockMs } from '../study/block-forecast.ts';
import { likelyLoadMs } from '../study/load-forecast.ts';
import { nextBlocks } from '../study/next-blocks.ts';
import { admitted, isAlone, openAdmission, type Stay } from './admission.ts';
import { type Assigned, assign, linkNameOf } from './assignment.ts';
import { conditionOf, loadFor, measurementsOf, runBlock } from './block.ts';
import type { OpenedLink } from './calibrations.ts';
import { openFilms } from './films.ts';
import type { Lab } from './lab.ts';
import type { Labs } from './labs.ts';
import { openLaunchLimit } from './launch-limit.ts';
import type { Load } from './load-request.ts';
import { openNeeds } from './needs.ts';
import { openNews } from './news.ts';
import { openReferences } from './reference.ts';
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
  /** Likewise: the moment after which no block is begun, by the clock that nobody sets (`performance.now`). */
  readonly untilMs?: number | undefined;
  readonly tell: (event: StudyEvent) => void;
  /** How long a link may take to become what it claims. */
  readonly pausesMs?: Patience['pausesMs'];
}

/** What dies so often in a row dies of this machine. */
const MOST_DEATHS = 3;
/** What a lab takes while it is opened, while its link is measured, and while its browsers are launched and warmed up. */
const STAYS = {
  opening: { cores: 0.4, forMs: 3_000 },
  calibrating: { cores: 0.2, forMs: 8_000 },
  launching: { cores: 0.55, forMs: 2_500 },
} as const satisfies Record<string, Stay>;

/** What has the machine to itself for about this long. */
function alone(forMs: number): Stay {
  return { cores: Number.POSITIVE_INFINITY, forMs };
}
/** A load of the control's small page, with what belongs to it. */
const CONTROL_LOAD_MS = 1_000;
/** A watched and a bare load over a link without limits. */
const REFERENCE_MS = 1_500;

/**
 * Runs a plan until it is finished or somebody or the time says stop. Each lab runs one block at a time; what is next
 * follows from what is in the store, and the most urgent blocks are given to the labs that are free. A block is in the
 * store as soon as it is done, so whoever comes after goes on from here.
 */
export async function runPlan(plan: Plan, labs: Labs, options: LoopOptions): Promise<StudyEnding> {
  const { store, session, folder } = options;
  const measurements = store.measurements();
  const news = openNews(plan, measurements, options);
  const films = openFilms(plan, options);
  const cores = availableParallelism();
  const admission = openAdmission(cores);
  const inTurn = <T>(lab: number, stay: Stay, work: (onCoresFree: () => void) => Promise<T>) =>
    admitted(admission, { ...stay, lab }, work);
  const needs = openNeeds();
  const references = openReferences(plan, { ...options, learn: needs.learnCores });
  const launches = Array.from({ length: labs.most }, openLaunchLimit);
  /** By lab: the links that it has measured, and when. */
  const links = new Map<number, Map<string, number>>();
  const homes = homesOf(plan, labs.most);
  const atWork = new Map<number, { readonly condition: string; readonly done: Promise<void> }>();
  const beganMs = performance.now();
  let serial = store.nextSerial();
  let judged: JudgedPlan = judgePlan(plan, measurements);

  const openLabAt = async (number: number, condition: Condition): Promise<Lab | undefined> => {
    const link = linkNameOf(condition);
    const own = links.get(number) ?? new Map<string, number>();
    links.set(number, own);
    const measuredMs = own.get(link) ?? Number.NEGATIVE_INFINITY;
    const lab = await (own.size > 0 ? labs.find(number) : inTurn(number, STAYS.opening, () => labs.find(number)));
    // Only what has to be measured takes the processor: a link that is set already, or needs only to be set, does not.
    const isMeasured = performance.now() - measuredMs < CALIBRATION_HOLDS_MS;
    if (!isMeasured) own.set(link, performance.now());
    const opened = await openLinkOf(plan, lab, condition, {
      ...options,
      ...(!isMeasured && { calibrateInTurn: (calibrate) => inTurn(number, STAYS.calibrating, calibrate) }),
    });
    return opened ? lab : undefined;
  };
  /** Puts new browsers in a lab where those there are have served long enough. */
  const relaunch = async (lab: Lab, number: number, { condition }: Block) => {
    const own = judged.judgement.conditions.find((each) => each.condition === condition);
    if (launches[number]!.needed(condition, own?.launches ?? 0))
      await inTurn(number, STAYS.launching, () => lab.relaunch());
  };
  const measure = async (lab: Lab, number: number, block: Block) => {
    const condition = conditionOf(plan, block);
    await references.make(condition, (load, unwatched) =>
      inTurn(number, alone(REFERENCE_MS), () => lab.loadReference(load, unwatched)),
    );
    const mine = serial;
    serial += 1;
    const stays = new Map(block.order.map((arm) => [arm, stayFor(condition, arm)]));
    const hasMachine = [...stays.values()].some((stay) => isAlone(stay.cores, cores));
    const loadNow = async (arm: string, load: (onCoresFree?: () => void) => Promise<Capture>, leave?: () => void) => {
      news.load(block, arm);
      const beganMs = performance.now();
      return load(() => {
        needs.learnTime(condition.id, arm, performance.now() - beganMs);
        leave?.();
      });
    };
    const run = () =>
      runBlock(plan, lab, {
        ...{ block, serial: mine, folder, delayMs: plantedDelayMs(plan.control, measurements) },
        referenceOf: (arm) => references.find(condition, arm),
        inTurn: (arm, load) =>
          hasMachine ? loadNow(arm, load) : inTurn(number, stays.get(arm)!, (leave) => loadNow(arm, load, leave)),
      });
    // Every turn of something that must be alone has all others end first, so a block takes one turn and not three.
    const allMs = [...stays.values()].reduce((sum, { forMs }) => sum + forMs, 0);
    const finished = await (hasMachine ? inTurn(number, alone(allMs), run) : run());
    store.addWarmUps(session, lab.takeWarmUps());
    keep(finished, measurements, options);
    judged = judgePlan(plan, measurements);
    news.finish(finished);
    news.judge(judged);
  };
  const stayFor = (condition: Condition, name: string): Stay => {
    // What tells whether the instrument is right has the machine to itself.
    if (condition.id === plan.control.id) return alone(CONTROL_LOAD_MS);
    const arm = plan.arms.find((each) => each.name === name)!;
    const forecastMs = likelyLoadMs(condition, arm, factsOf(plan, condition)) + LOAD_MS;
    return needs.of({ condition: condition.id, page: referencePageOf(condition), arm: name, forecastMs });
  };
  /** Films a condition over the link that is set, once it is answered and where there is time for that. */
  const film = async (lab: Lab, number: number, over: Condition) => {
    if (options.stop.aborted || !films.hasTime(performance.now() - beganMs)) return;
    const condition = films.awaited(judged).find((each) => linkNameOf(each) === linkNameOf(over));
    if (!condition) return;
    films.reserve(condition);
    const forMs = plan.arms.reduce((sum, { name }) => sum + stayFor(condition, name).forMs, 0);
    await inTurn(number, alone(forMs), () => films.take(lab, condition));
  };
  /** Of each lab, how often in a row something of it died while nothing was measured. */
  const deaths = new Map<number, number>();
  /** Does what there is to do in a lab; one that has died is renewed, and what it was to do is done by somebody later. */
  const work = async (assigned: Assigned) => {
    const { lab: number, block } = assigned;
    try {
      await workIn(assigned);
      deaths.delete(number);
    } catch (error) {
      if (!(error instanceof LabError)) throw error;
      const died = (deaths.get(number) ?? 0) + 1;
      deaths.set(number, died);
      await renewDead(await labs.find(number), conditionOf(plan, block), { ...options, died, error });
    }
  };
  const workIn = async ({ block, lab: number }: Assigned) => {
    const condition = conditionOf(plan, block);
    news.start(block);
    const lab = await openLabAt(number, condition);
    if (!lab) return; // It was asked to stop meanwhile.
    await relaunch(lab, number, block);
    await measure(lab, number, block);
    await film(lab, number, condition);
  };
  /** What is left to be filmed when all is measured; where there is a budget, within the films' share. */
  const filmTheRest = async () => {
    for (let [next] = films.awaited(judged); next; [next] = films.awaited(judged)) {
      const inTime = options.untilMs === undefined || films.hasTime(performance.now() - beganMs);
      if (endingNow(options) || !inTime) return;
      films.reserve(next);
      const link = linkNameOf(next);
      const known = [...links].find(([, own]) => own.has(link));
      const lab = await openLabAt(known?.[0] ?? 0, next);
      if (!lab) return;
      await films.take(lab, next);
    }
  };
  const assignNow = (wanted: readonly Block[]) =>
    assign(wanted, (block) => linkNameOf(conditionOf(plan, block)), {
      ...{ most: labs.most, busy: new Set(atWork.keys()), links, homes },
      conditions: new Set([...atWork.values()].map(({ condition }) => condition)),
    });

  news.judge(judged);
  try {
    for (;;) {
      const ending = endingNow(options);
      for (const assigned of ending ? [] : assignNow(nextBlocks(plan, measurements, judged))) {
        const { block, lab } = assigned;
        const done = work(assigned).finally(() => atWork.delete(lab));
        done.catch(() => {}); // Whoever awaits it below hears of it.
        atWork.set(lab, { condition: block.condition, done });
      }
      if (atWork.size === 0) {
        if (ending) return ending;
        await filmTheRest();
        return endingNow(options) ?? 'finished';
      }
      await Promise.race([...atWork.values()].map(({ done }) => done));
    }
  } finally {
    await Promise.allSettled([...atWork.values()].map(({ done }) => done));
  }
}

/** Puts a new lab in place of one that has died, so often in a row; throws where that does not help. */
export async function renewDead(
  lab: Pick<Lab, 'renewLab'>,
  { link, topology }: Pick<Condition, 'link' | 'topology'>,
  { died, error, tell }: Pick<LoopOptions, 'tell'> & { readonly died: number; readonly error: LabError },
): Promise<void> {
  if (died > MOST_DEATHS) throw new EnvironmentError(`the lab dies each time: ${error.message}`, { cause: error });
  tell({ event: 'false-link', link: link.name, says: error.message, pauseMs: 0 });
  await lab.renewLab(topology);
}

/** The lab of each link: the links with most to do have one each, so that all labs are done at about the same time. */
function homesOf(plan: Plan, labs: number): ReadonlyMap<string, number> {
  const byLink = Map.groupBy(plan.conditions, linkNameOf);
  const takes = [...byLink].map(([link, own]) => ({
    link,
    ms: own.reduce((sum, condition) => sum + likelyBlockMs(plan, condition), 0),
  }));
  const tasks = Array.from({ length: labs }, () => 0);
  return new Map(
    takes
      .toSorted((a, b) => b.ms - a.ms)
      .map(({ link, ms }) => {
        const lab = tasks.indexOf(Math.min(...tasks));
        tasks[lab]! += ms;
        return [link, lab];
      }),
  );
}

/** Why nothing more is to be begun; undefined where something may be. */
export function endingNow({
  stop,
  untilMs = Number.POSITIVE_INFINITY,
}: Pick<LoopOptions, 'stop' | 'untilMs'>): StudyEnding | undefined {
  if (stop.aborted) return 'stopped';
  return performance.now() >= untilMs ? 'budget' : undefined;
}

/** Opens a condition's link, and keeps what it was seen to do; false where it was asked to stop meanwhile. */
export async function openLinkOf(
  plan: Plan,
  lab: Lab,
  { link, topology }: Condition,
  options: LoopOptions & { readonly calibrateInTurn?: (calibrate: () => Promise<OpenedLink>) => Promise<OpenedLink> },
): Promise<boolean> {
  const { calibrateInTurn = (calibrate) => calibrate() } = options;
  const openLink: Lab['openLink'] = (...wanted) => calibrateInTurn(() => lab.openLink(...wanted));
  const opened = await openTrueLink({ openLink, renewLab: lab.renewLab }, { link, topology }, options);
  if (!opened) return false;
  if (opened.fresh) {
    const { calibration } = opened;
    const state = await lab.describe(loadsOver(plan, link, topology));
    options.store.addMeasuredLink(options.session, { link: link.name, calibration, lab: state });
    options.tell({ event: 'calibrated', link: link.name, calibration });
  }
  return true;
}

/** One load of each page by each arm, over a link. */
function loadsOver(plan: Plan, link: Link, topology: Condition['topology']): readonly Load[] {
  const over = plan.conditions.filter((each) => each.link.name === link.name && each.topology === topology);
  return over.flatMap(({ id }) => {
    const block = { condition: id, index: 0, order: [] };
    return plan.arms.map(({ name }) => loadFor(plan, { block }, name));
  });
}

function keep(finished: FinishedBlock, measurements: Measurement[], { store, session }: LoopOptions): void {
  store.addBlock(session, finished);
  measurements.push(...measurementsOf(finished));
}

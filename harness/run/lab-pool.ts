import { availableParallelism } from 'node:os';
import { launchesRequired } from '../comparison/rules.ts';
import type { Capture } from '../model/capture.ts';
import { EnvironmentError, LabError } from '../model/errors.ts';
import type { StudyEvent } from '../model/event.ts';
import { type Link, UNLIMITED } from '../model/link.ts';
import { referencePageOf } from '../model/reference.ts';
import type { BlockOrder, FinishedBlock, MeasuredLink } from '../model/session.ts';
import { armsLoaded, type Block, type Condition, type Plan } from '../model/study.ts';
import { sumOf } from '../stats/order.ts';
import { factsOf } from '../study/block-forecast.ts';
import { likelyLoadMs } from '../study/load-forecast.ts';
import { type AskedStay, admitted, isQuick, openAdmission, type Stay, takeOneTurn } from './admission.ts';
import { linkNameOf } from './assignment.ts';
import { conditionOf, loadFor, runBlock } from './block.ts';
import type { InTurn } from './calibrations.ts';
import { openCalmLoads } from './calm.ts';
import type { Lab } from './lab.ts';
import type { Labs } from './labs.ts';
import { type LaunchLimit, openLaunchLimit } from './launch-limit.ts';
import type { Load } from './load-request.ts';
import { openNeeds } from './needs.ts';
import { openReferences, type ReferenceShelf } from './reference.ts';
import { alone, calibrating, filmed, STAYS, togetherOf } from './stays.ts';
import { openTrueLink, type Patience } from './true-link.ts';
import { openUnderWay } from './under-way.ts';

/** What the labs of a machine need to know, and what they tell. */
export interface LabPoolOptions {
  /** Where the evidence of each load goes. */
  readonly folder: string;
  /** Looked at between one step and the next. */
  readonly stop: AbortSignal;
  readonly tell: (event: StudyEvent & { event: 'calibrated' | 'false-link' }) => void;
  /** Keeps what a link was seen to do. */
  readonly keepLink: (link: MeasuredLink) => void;
  readonly shelf: ReferenceShelf;
  /** Hears of each load that is about to begin. */
  readonly onLoad: (order: BlockOrder, arm: string) => void;
  /** How long a link may take to become what it claims. */
  readonly pausesMs?: Patience['pausesMs'] | undefined;
  /** Whether programs give way, and quick loads come before slow ones; absent: where this machine can have that. */
  readonly givesWay?: boolean | undefined;
}

/** A block that was run, and the loads that warmed its browsers up. */
export interface LabBlock {
  readonly finished: FinishedBlock;
  readonly warmUps: readonly Capture[];
}

/**
 * The labs of this machine, which share its cores: each runs one block at a time, for this study or for a coordinator
 * elsewhere.
 */
export interface LabPool {
  /** By lab: the links that it has measured. */
  readonly links: ReadonlyMap<number, ReadonlySet<string>>;
  /** Whether the loads of a block leave the processor room for others, as far as that is known or likely. */
  leavesRoom(block: Block): boolean;
  /** Whether anything waits for the processor, as one more lab would. */
  isFull(): boolean;
  /** Resolves when a lab has measured a link, so that others may take work over it as well. */
  changed(): Promise<void>;
  /** Runs a block in the lab of that number; nothing where it was asked to stop, or the lab had to be renewed. */
  run(order: BlockOrder, lab: number): Promise<LabBlock | undefined>;
  /** Films loads of a condition in a lab over its link; false where it was asked to stop. */
  film(condition: Condition, lab: number, work: (lab: Lab) => Promise<void>): Promise<boolean>;
  /** Has Lighthouse judge over a condition's link, with the machine to itself; nothing as `run`. */
  judge<T>(condition: Condition, lab: number, work: (lab: Lab) => Promise<T>): Promise<T | undefined>;
}

/** A lab that dies more often than this in a row dies because of this machine. */
const MOST_DEATHS = 3;
/** What a watched and an unwatched load take over a link without limits. */
const REFERENCE_MS = 1_500;
/** What Lighthouse takes, mostly. */
const LIGHTHOUSE_MS = 15_000;

/** Labs that have not done anything yet. */
export function openLabPool(plan: Plan, labs: Labs, options: LabPoolOptions): LabPool {
  const { folder, onLoad } = options;
  const cores = availableParallelism();
  const admission = openAdmission(cores);
  const inTurn = <T>(
    lab: number | undefined,
    stay: Omit<AskedStay, 'lab'>,
    work: (onCoresFree: () => void) => Promise<T>,
  ) => admitted(admission, { ...stay, lab }, work);
  const needs = openNeeds(cores, options);
  const calm = openCalmLoads();
  const references = openReferences(plan, options.shelf, needs.learnCores, options.stop);
  const { stopping } = plan;
  const fixed = stopping.kind === 'exactly' ? stopping.blocks : undefined;
  /** The testbeds that have been opened, by name: each has browsers of its own, and so a limit of its own for them. */
  const testbeds = new Map<string, LaunchLimit>();
  const links = new Map<number, Set<string>>();
  let measured = Promise.withResolvers<void>();
  /** Testbeds that are opened take both cores, and a link that is measured meanwhile seems to be another one: one waits for the other. */
  const [opening, measuring] = [openUnderWay(), openUnderWay()];
  /** How often in a row something of each lab died while nothing was measured. */
  const deaths = new Map<number, number>();

  const openInTurn = async (number: number, open: (lab: Lab) => Promise<void>): Promise<Lab> => {
    using _ = await opening.beginAfter(measuring);
    return await inTurn(number, STAYS.opening, async () => {
      const lab = await labs.find(number);
      await open(lab);
      return lab;
    });
  };
  const findLab = async (number: number, condition: Condition): Promise<Lab> => {
    const name = testbedName(number, condition);
    if (testbeds.has(name)) return labs.find(number);
    const lab = await openInTurn(number, (found) => found.open(condition.topology));
    testbeds.set(name, openLaunchLimit(launchesRequired(stopping), fixed));
    return lab;
  };
  /** A new testbed has measured no link. */
  const renew = async (number: number, topology: Condition['topology']): Promise<void> => {
    links.delete(number);
    await openInTurn(number, (found) => found.renewLab(topology));
  };
  const openLabAt = async (number: number, condition: Condition): Promise<Lab | undefined> => {
    const lab = await findLab(number, condition);
    const measureInTurn: InTurn = async (work) => {
      using _ = await measuring.beginAfter(opening);
      return await inTurn(number, calibrating(condition.link), work);
    };
    const isOpen = await openLinkOf(plan, lab, condition, {
      ...options,
      measureInTurn,
      renewLab: (topology) => renew(number, topology),
    });
    if (!isOpen) return undefined;
    const own = links.get(number) ?? new Set();
    links.set(number, own);
    if (!own.has(linkNameOf(condition))) {
      own.add(linkNameOf(condition));
      measured.resolve();
      measured = Promise.withResolvers();
    }
    return lab;
  };
  const stayFor = (condition: Condition, name: string): Stay => {
    // What tells whether the instrument is right has as many neighbours as what is measured.
    if (condition.id === plan.control.id) return STAYS.control;
    const forecastMs = forecastOf(condition, name);
    return needs.of({ condition: condition.id, page: referencePageOf(condition), arm: name, forecastMs });
  };
  const forecastOf = (condition: Condition, name: string, link = condition.link) => {
    const arm = plan.arms.find((each) => each.name === name)!;
    return likelyLoadMs({ ...condition, link }, arm, factsOf(plan, condition));
  };
  /** What a load keeps the cores busy with while it is timed: where its page is not known yet, what is likely by the plan. */
  const timedOf = (condition: Condition, name: string) => {
    const { timed } = stayFor(condition, name);
    if (Number.isFinite(timed)) return timed;
    return (cores * forecastOf(condition, name, UNLIMITED)) / forecastOf(condition, name);
  };
  const measure = async (lab: Lab, number: number, order: BlockOrder): Promise<FinishedBlock> => {
    const { block, serial, delayMs, worth } = order;
    const condition = conditionOf(plan, block);
    const limit = testbeds.get(testbedName(number, condition))!;
    const launch = openLaunch(lab, limit.needed(condition.id, order.launches));
    // These loads are for all labs. While they counted as those of the lab that made them, it had its first turn a minute after others.
    await references.make(condition, (loads, work) =>
      inTurn(undefined, alone(loads * REFERENCE_MS + launch.takesMs()), async () => {
        await launch.make();
        await work((load, unwatched) => lab.loadReference(load, unwatched));
      }),
    );
    const stays = block.order.map((arm) => stayFor(condition, arm));
    const isOneTurn = takeOneTurn(stays, cores);
    const loadNow = async (arm: string, load: (onCoresFree?: () => void) => Promise<Capture>, leave?: () => void) => {
      onLoad(order, arm);
      const beganMs = performance.now();
      let ms = 0;
      const capture = await load(() => {
        ms = performance.now() - beganMs;
        leave?.();
      });
      const { loadEventEndMs: timedMs = ms } = capture.browser.timings ?? {};
      const { ranMs = 0 } = capture.host;
      // A short load may be done before its cores are known to be free, and keeps its forecast. With what such loads took themselves,
      // the default study had its first answers five seconds later.
      if (ms > 0) needs.learnTime(condition.id, arm, { ms, timedMs, ranMs });
      return capture;
    };
    /** Learns from a load side by side with others what they all take. */
    const watched = async (load: () => Promise<Capture>) => {
      const before = { coreMs: admission.askedCoreMs(), ms: performance.now() };
      const capture = await load();
      const asked = (admission.askedCoreMs() - before.coreMs) / (performance.now() - before.ms);
      const busy = sumOf(capture.host.cores);
      if (busy > 0 && asked >= cores / 4) needs.learnUse({ busy, asked });
      return capture;
    };
    const run = () =>
      runBlock(plan, lab, {
        block,
        serial,
        folder,
        delayMs,
        isQuick: stays.some((stay) => isQuick(stay, cores)),
        referenceOf: (arm) => references.find(condition, arm),
        isDisturbed(arm, measurement) {
          const wasDisturbed = calm.isDisturbed(`${condition.id} ${arm}`, measurement);
          if (wasDisturbed !== undefined) admission.learn(wasDisturbed);
          return wasDisturbed ?? false;
        },
        inTurn: (arm, load) =>
          isOneTurn
            ? loadNow(arm, load)
            : inTurn(number, { ...stayFor(condition, arm), worth }, (leave) =>
                watched(() => loadNow(arm, load, leave)),
              ),
      });
    if (isOneTurn)
      return inTurn(number, { ...togetherOf(stays, launch.takesMs()), worth }, async () => {
        await launch.make();
        return run();
      });
    if (launch.takesMs() > 0) await inTurn(number, STAYS.launching, launch.make);
    return run();
  };
  /** Renews a lab that has died; what it was to do is handed out again later. */
  const orRenewed = async <T>(condition: Condition, number: number, work: () => Promise<T>): Promise<T | undefined> => {
    try {
      const done = await work();
      deaths.delete(number);
      return done;
    } catch (error) {
      await renewDead(number, condition, error);
      return undefined;
    }
  };
  /** Puts a new testbed in place of one that has died; throws what is no death, and where there are too many in a row. */
  const renewDead = async (
    number: number,
    condition: Pick<Condition, 'link' | 'topology'>,
    error: unknown,
  ): Promise<void> => {
    if (!(error instanceof LabError)) throw error;
    const died = (deaths.get(number) ?? 0) + 1;
    deaths.set(number, died);
    if (died > MOST_DEATHS) throw new EnvironmentError(`the lab dies each time: ${error.message}`, { cause: error });
    options.tell({ event: 'false-link', link: condition.link.name, says: error.message, pauseMs: 0 });
    await renew(number, condition.topology).catch((again) => renewDead(number, condition, again));
  };
  return {
    links,
    leavesRoom: (block) =>
      block.order.every((arm) => !isQuick({ timed: timedOf(conditionOf(plan, block), arm) }, cores)),
    isFull: admission.isFull,
    changed: () => measured.promise,
    run(order, number) {
      const condition = conditionOf(plan, order.block);
      return orRenewed(condition, number, async () => {
        const lab = await openLabAt(number, condition);
        if (!lab) return undefined; // It was asked to stop meanwhile.
        const finished = await measure(lab, number, order);
        return { finished, warmUps: lab.takeWarmUps() };
      });
    },
    async film(condition, number, work) {
      const done = await orRenewed(condition, number, async () => {
        const lab = await openLabAt(number, condition);
        if (!lab) return false;
        const loads = togetherOf(armsLoaded(plan, condition).map(({ name }) => stayFor(condition, name)));
        await inTurn(number, filmed(loads), () => work(lab));
        return true;
      });
      return done !== false;
    },
    judge: (condition, number, work) =>
      orRenewed(condition, number, async () => {
        const lab = await openLabAt(number, condition);
        return lab && inTurn(number, alone(LIGHTHOUSE_MS), () => work(lab));
      }),
  };
}

function testbedName(lab: number, { topology = 'direct' }: Pick<Condition, 'topology'>): string {
  return `${lab} ${topology}`;
}

/** New browsers for a lab, where those there are have served long enough: in the first turn that it gets. */
function openLaunch(lab: Pick<Lab, 'relaunch'>, isNeeded: boolean) {
  let isDue = isNeeded;
  return {
    takesMs: () => (isDue ? STAYS.launching.forMs : 0),
    async make(): Promise<void> {
      if (isDue) await lab.relaunch();
      isDue = false;
    },
  };
}

/** Opens a condition's link, and keeps what it was seen to do; false where it was asked to stop meanwhile. */
async function openLinkOf(
  plan: Plan,
  lab: Lab,
  { link, topology }: Condition,
  options: Pick<LabPoolOptions, 'stop' | 'tell' | 'keepLink' | 'pausesMs'> &
    Pick<Lab, 'renewLab'> & { readonly measureInTurn: InTurn },
): Promise<boolean> {
  const { renewLab, measureInTurn } = options;
  const openLink: Lab['openLink'] = (wanted, within) => lab.openLink(wanted, within, measureInTurn);
  const opened = await openTrueLink({ openLink, renewLab }, { link, topology }, options);
  if (!opened) return false;
  if (opened.fresh) {
    const { calibration } = opened;
    const state = await lab.describe(loadsOver(plan, link, topology));
    options.keepLink({ link: link.name, calibration, lab: state });
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

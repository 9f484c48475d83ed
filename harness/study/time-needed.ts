import { fewestBlocks } from '../comparison/evidence.ts';
import { FALSE_DISCOVERY_RATE, LEAST_BLOCKS, launchesRequired } from '../comparison/rules.ts';
import { rttMs, UNLIMITED } from '../model/link.ts';
import { BLOCKS_BEFORE_CONTROL, BLOCKS_OF_A_LAUNCH, BLOCKS_PER_CONTROL, CALIBRATION_HOLDS_MS } from '../model/pace.ts';
import { type SiteFacts, SMALL_SITE, SMALL_SITE_SIZE } from '../model/site.ts';
import { type Arm, armsLoaded, type Condition, type Plan } from '../model/study.ts';
import { clientsOf, factsOf, LOAD_MS, likelyBlockMs, likelyVisitMs } from './block-forecast.ts';
import { likelyLoadMs } from './load-forecast.ts';

/** How long a study takes, in milliseconds: if all is as clear as can be, and if every condition gets all its blocks. */
export interface TimeNeeded {
  readonly least: number;
  readonly most: number;
}

// What a study does besides loading pages, as measured on two cores.
const SETUP_MS = 4_000;
const LAB_MS = 2_000;
const CALIBRATION_MS = 5_500;
const CALIBRATION_ROUND_TRIPS = 30;
const FILM_MS = 300;
const LIGHTHOUSE_MS = 15_000;
const LAUNCH_MS = 2_500;
/**
 * What the launch of a browser of its own takes, which each recorded page has in each arm, and once for its dry runs.
 */
const OWN_LAUNCH_MS = 1_200;
const DRY_RUNS = 3;

/** The control's arm, its twin, and the same arm delayed. */
const CONTROL_ARMS = 3;
/** The control's blocks until the delay is found, at least and as a rule. */
const CONTROL_BLOCKS = { least: 9, likely: 15 } as const;
const SMALL_FACTS: SiteFacts = { ...SMALL_SITE_SIZE, digest: '' };

/** What a machine has for a study: labs that may be open side by side, and cores. */
export interface MachineRoom {
  readonly labs: number;
  readonly cores: number;
}

const ONE_LAB: MachineRoom = { labs: 1, cores: 2 };
/** What a lab takes of a core while it waits for its link, and what a load takes of the cores where nothing holds it up. */
const CORES = { waiting: 0.2, busy: 2 } as const;

/** How long a study is likely to take, by its plan alone: one figure where it says how many blocks there are. */
export function timeNeeded(plan: Plan, room: MachineRoom = ONE_LAB): TimeNeeded {
  const { stopping, control } = plan;
  const timeFor = (blocks: number, controlBlocks: number) => timeOf(plan, { blocks, controlBlocks, room });
  if (stopping.kind === 'exactly') {
    const ms = timeFor(stopping.blocks, Math.min(control.cap, CONTROL_BLOCKS.likely));
    return { least: Math.round(ms), most: Math.round(ms) };
  }
  const told = stopping.until === 'settled' ? LEAST_BLOCKS.sure : fewestBlocks(plan.rule, FALSE_DISCOVERY_RATE);
  const fewest = Math.max(told, blocksFrom(launchesRequired(stopping)));
  return {
    least: Math.round(timeFor(Math.min(stopping.cap, fewest), Math.min(control.cap, CONTROL_BLOCKS.least))),
    most: Math.round(timeFor(stopping.cap, control.cap)),
  };
}

/** How many blocks of a condition it takes until they come from a number of launches. */
function blocksFrom(launches: number): number {
  const { first, required } = BLOCKS_OF_A_LAUNCH;
  return first + (launches - 2) * required + 1;
}

interface Asked {
  readonly blocks: number;
  readonly controlBlocks: number;
  readonly room: MachineRoom;
}

/** How long a study takes with these numbers of blocks in each condition, and in the control. */
function timeOf(plan: Plan, { blocks, controlBlocks, room }: Asked): number {
  const { conditions, arms, lighthouse } = plan;
  const groups = groupsOf(plan);
  return (
    SETUP_MS +
    new Set(conditions.map(({ topology }) => topology)).size * LAB_MS +
    calibrationMs(conditions) +
    dryRunsMs(plan) +
    sideBySideMs(
      groups.map((group) => groupMs(plan, group, blocks)),
      blocks * sumOf(conditions, (condition) => busyMs(plan, condition)),
      room,
    ) +
    controlMs(plan, controlBlocks, blocks * conditions.length) +
    lighthouse * arms.length * conditions.length * LIGHTHOUSE_MS
  );
}

/**
 * How long labs take side by side for what one takes after the other: as long as the longest of them at least, and as long as
 * the cores are busy with pages and with waiting.
 */
function sideBySideMs(labs: readonly number[], busyMs: number, { labs: most, cores }: MachineRoom): number {
  const inTurnMs = sumOf(labs, (ms) => ms);
  if (most === 1) return inTurnMs;
  const coreMs = CORES.busy * busyMs + CORES.waiting * Math.max(0, inTurnMs - busyMs);
  return Math.min(inTurnMs, Math.max(...labs, inTurnMs / most, coreMs / cores));
}

/** How long a block of a condition keeps a machine of two cores busy: what it takes over a link that holds nothing up. */
function busyMs(plan: Plan, condition: Condition): number {
  return likelyBlockMs(plan, { ...condition, link: UNLIMITED });
}

/** Groups of conditions that are measured in one lab: all of a link. */
function groupsOf({ conditions }: Plan): readonly (readonly Condition[])[] {
  return [...Map.groupBy(conditions, ({ link, topology }) => `${topology} ${link.name}`).values()];
}

function groupMs(plan: Plan, group: readonly Condition[], blocks: number): number {
  const served = Math.min(BLOCKS_OF_A_LAUNCH.inAll, BLOCKS_OF_A_LAUNCH.later * group.length);
  const launches = Math.ceil((group.length * blocks) / served);
  const ms =
    sumOf(group, (condition) => filmMs(plan, condition) + blocks * likelyBlockMs(plan, condition)) +
    launches * (LAUNCH_MS * clientsOf(group[0]!) + OWN_LAUNCH_MS * plan.arms.length * recordedOf(plan, group).length);
  // A calibration holds for a while.
  return ms + Math.floor(ms / CALIBRATION_HOLDS_MS) * calibrationMs(group);
}

/** Each arm's load is filmed once, where it can be seen. */
function filmMs(plan: Plan, condition: Condition): number {
  const facts = factsOf(plan, condition);
  const shows = condition.tabs === undefined && condition.topology !== 'dumbbell' && facts.uploadBytes === undefined;
  return shows ? sumOf(armsLoaded(plan, condition), (arm) => likelyVisitMs(condition, arm, facts) + FILM_MS) : 0;
}

/** Recorded pages are loaded some times in each arm before anything counts, over a link that holds nothing up. */
function dryRunsMs(plan: Plan): number {
  const loadMs = (condition: Condition, arm: Arm) => LOAD_MS + likelyLoadMs(condition, arm, factsOf(plan, condition));
  return sumOf(recordedOf(plan, plan.conditions), (condition) =>
    sumOf(plan.arms, (arm) => OWN_LAUNCH_MS + DRY_RUNS * loadMs({ ...condition, link: UNLIMITED }, arm)),
  );
}

/** One condition of each recorded page. */
function recordedOf({ sites }: Plan, conditions: readonly Condition[]): readonly Condition[] {
  const recorded = conditions.filter(({ site }) => sites[site]!.recorded !== undefined);
  return [...new Map(recorded.map((each) => [each.site, each])).values()];
}

/** What the control takes: it goes on beside the others as long as there are any, and then by itself. */
function controlMs({ control, arms, conditions, sites }: Plan, blocks: number, others: number): number {
  const own = arms.find(({ name }) => name === control.arm)!;
  const arm: Arm = { name: own.name, protocol: own.protocol };
  const block = CONTROL_ARMS * likelyVisitMs(control.condition, arm, sites[SMALL_SITE] ?? SMALL_FACTS);
  const beside = Math.max(0, Math.floor((others - BLOCKS_BEFORE_CONTROL * conditions.length) / BLOCKS_PER_CONTROL));
  const alone = Math.max(0, blocks - beside);
  return blocks * block + Math.ceil(alone / BLOCKS_OF_A_LAUNCH.later) * LAUNCH_MS;
}

/** Each link is measured once in each kind of lab. */
function calibrationMs(conditions: readonly Condition[]): number {
  const links = new Map(conditions.map(({ link, topology }) => [`${topology} ${link.name}`, link]));
  return sumOf([...links.values()], (link) => CALIBRATION_MS + CALIBRATION_ROUND_TRIPS * rttMs(link));
}

function sumOf<T>(items: readonly T[], of: (item: T) => number): number {
  return items.reduce((sum, item) => sum + of(item), 0);
}

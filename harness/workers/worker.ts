import { readFileSync, rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { isAddress } from '../model/remote.ts';
import type { MeasuredLink, ReferenceLoad } from '../model/session.ts';
import type { Plan } from '../model/study.ts';
import { linkNameOf } from '../run/assignment.ts';
import { conditionOf } from '../run/block.ts';
import { takeFilms } from '../run/films.ts';
import { countLaunches, type openLab } from '../run/lab.ts';
import { type LabPool, openLabPool } from '../run/lab-pool.ts';
import { labsThatFit, openLabs } from '../run/labs.ts';
import { judgeIn, lighthouseFile } from '../run/lighthouse.ts';
import type { readMachine } from '../run/machine.ts';
import { type refuseMissing, setupsOf } from '../run/setups.ts';
import { pack, unpack } from '../store/json.ts';
import { assertPlan } from '../study/stored-study.ts';
import type { takeTurn } from '../system/turn.ts';
import { readVersion } from '../system/version.ts';
import { type Blob, MissingBlob, putBlob, takeBlob } from './blobs.ts';
import {
  ABOUT,
  ADMISSION,
  ALIVE_S,
  type Announcement,
  conditionIn,
  JOB,
  jobIdOf,
  KEYS,
  OFFER,
  type Offer,
  type Order,
  readMessage,
  SAYS_EVERY_MS,
  STUDY_ID,
  type WorkerMachine,
} from './messages.ts';
import type { Connection, Recovery } from './redis.ts';
import { findSites } from './sites.ts';
import { openUnderWay } from './under-way.ts';

/** What a worker needs of its machine; tests have another. */
export interface WorkerWorld {
  readonly openLab: typeof openLab;
  readonly readMachine: typeof readMachine;
  /** Absent: no other study runs on it. */
  readonly takeTurn?: typeof takeTurn;
  readonly findSites?: typeof findSites;
  readonly openLabPool?: typeof openLabPool;
  readonly refuseMissing?: typeof refuseMissing;
}

export interface WorkerOptions {
  readonly connection: Connection;
  readonly world: WorkerWorld;
  /** Where the evidence of a block lies until it is sent. */
  readonly scratch: string;
  /** How many labs it may have open; absent: as many as have room in the memory. */
  readonly labs?: number | undefined;
  readonly name?: string | undefined;
  /** Whether it measures others' pages, and gives browsers the arguments that a study has. */
  readonly trust: boolean;
  /** Whether it begins although another study runs on its machine. */
  readonly beside?: boolean | undefined;
  readonly stop: AbortSignal;
  readonly print: (line: string) => void;
  readonly recovery?: Recovery;
  /** How long to wait before each new lab, where a link is not what it claims. */
  readonly pausesMs?: readonly number[] | undefined;
}

const LOOK_EVERY_MS = 1_000;
const ADMISSION_EVERY_MS = 300;

/** Runs blocks of one study after the other, until it is asked to stop. */
export async function serveStudies(options: WorkerOptions): Promise<void> {
  const { connection, stop, print } = options;
  const { redis } = connection;
  /** Studies that it takes no part in, with what it said of each, and whether it may still take part. */
  const left = new Map<string, { readonly says: string; readonly triesAgain: boolean }>();
  while (!stop.aborted) {
    const ids = (await redis.smembers(KEYS.studies)).filter((each) => STUDY_ID.safeParse(each).success);
    // A study that is offered again may come with another offer.
    for (const id of left.keys()) if (!ids.includes(id)) left.delete(id);
    for (const id of ids) {
      const offered = await redis.get(KEYS.study(id));
      if (offered === null) await redis.srem(KEYS.studies, id); // Its coordinator is gone, or ended it.
      if (offered === null || left.get(id)?.triesAgain === false || stop.aborted) continue;
      try {
        const offer = readMessage(OFFER, offered, 'an offer of a study');
        await serveStudy(id, offer, options);
      } catch (error) {
        if (stop.aborted) return;
        const says = `takes no part in study ${id}: ${(error as Error).message}`;
        if (left.get(id)?.says !== says) print(says);
        // What a Redis has forgotten its coordinator lays down again.
        left.set(id, { says, triesAgain: error instanceof MissingBlob });
      }
    }
    await setTimeout(LOOK_EVERY_MS, undefined, { signal: stop }).catch(() => {});
  }
}

/** Runs blocks of a study while there are any. */
async function serveStudy(id: string, offer: Offer, options: WorkerOptions): Promise<void> {
  const { connection, world, stop, print, trust } = options;
  const { redis } = connection;
  if (offer.photofinish !== readVersion())
    throw new Error(`its coordinator has Photofinish ${offer.photofinish}, and this machine ${readVersion()}`);
  const plan: unknown = unpack(await takeBlob(redis, offer.plan));
  assertPlan(plan);
  assertTrusted(plan, trust);
  world.refuseMissing?.(plan);
  const most = options.labs ?? labsThatFit(plan.conditions);
  const folder = join(options.scratch, id);
  await using undo = new AsyncDisposableStack();
  undo.defer(() => rmSync(folder, { recursive: true, force: true }));
  const sites = await (world.findSites ?? findSites)(redis, { plan, offer, trust }, join(folder, 'sites'));
  const turn = await world.takeTurn?.({
    own: { study: offer.study, out: 'a worker of another machine’s' },
    beside: options.beside ?? false,
    stop,
    waits: ({ study }) => print(`waits for ${study}, which runs on this machine`),
    meets: ({ study }) => print(`something else began on this machine: ${study}`),
  });
  if (world.takeTurn && !turn) return;
  if (turn) undo.use(turn);

  const setups = setupsOf(plan);
  let firstLaunch = 0;
  const count = countLaunches();
  const labs = undo.use(
    openLabs(
      () =>
        world.openLab({
          sites,
          setups,
          keeps: offer.keeps,
          nextLaunch: () => firstLaunch + count(),
          replay: { allOrigins: plan.allOrigins ?? false, thinks: plan.thinkTimes ?? true },
        }),
      most,
    ),
  );
  const { driver, kernel } = await (await labs.find(0)).describe();
  const name = options.name ?? hostname();
  const machine: WorkerMachine = {
    ...world.readMachine(plan),
    worker: name,
    packages: [],
    link: driver === 'uml' ? `netem of a user-mode kernel (${kernel})` : 'netem of the machine’s kernel',
  };
  const own = `${name.replaceAll(/[^\w.-]/g, '-').slice(0, 40)}-${process.pid}-${Math.random().toString(36).slice(2, 10)}`;
  const does = new Map<Order, string | undefined>();
  let [loads, unfit] = [0, undefined as string | undefined];
  const beganMs = performance.now();
  const announce = async () => {
    const announcement: Announcement = {
      ...ABOUT,
      id: own,
      machine,
      places: most,
      loads,
      forMs: performance.now() - beganMs,
      does: [...does].map(([order, arm]) => ({ condition: conditionIn(order), arm })),
      unfit: unfit?.slice(0, 2_000),
    };
    await redis.sadd(KEYS.workers(id), own);
    await redis.set(KEYS.worker(id, own), JSON.stringify(announcement), 'EX', ALIVE_S);
  };
  undo.defer(async () => {
    if (redis.status !== 'ready') return;
    await redis.srem(KEYS.workers(id), own);
    await redis.del(KEYS.worker(id, own));
  });
  const isOffered = async () => (await redis.exists(KEYS.study(id))) === 1;

  print(`study ${offer.study}: asks to take part, as ${name}`);
  let admission: string | null = null;
  while (admission === null) {
    if (stop.aborted || !(await isOffered())) return;
    await announce();
    await setTimeout(ADMISSION_EVERY_MS);
    admission = await redis.hget(KEYS.admissions(id), own);
  }
  const answer = readMessage(ADMISSION, admission, 'an admission');
  if ('refused' in answer) throw new Error(answer.refused);
  firstLaunch = answer.firstLaunch;
  print(`study ${offer.study}: takes part with ${most} ${most === 1 ? 'lab' : 'labs'}`);

  const found = { links: [] as MeasuredLink[], references: [] as ReferenceLoad[] };
  const pool = (world.openLabPool ?? openLabPool)(plan, labs, {
    folder,
    stop,
    pausesMs: options.pausesMs,
    tell: (event) => {
      if (event.event === 'false-link') print(`${event.link}: ${event.says}`);
    },
    keepLink: (link) => found.links.push(link),
    shelf: { has: () => false, find: () => undefined, add: (loaded) => found.references.push(...loaded) },
    onLoad(order, arm) {
      does.set(order, arm);
      loads += 1;
    },
  });
  const choose = openChoice(plan, pool, most);
  /** Does what was ordered in a lab; nothing where it was asked to stop, or the lab had to be renewed. */
  const runIn = async (lab: number, order: Order): Promise<Done | undefined> => {
    if ('block' in order) {
      const block = await pool.run(order, lab);
      if (!block) return undefined;
      const { beganMs, trials, disturbed } = block.finished;
      return {
        says: { beganMs, trials, disturbed, warmUps: block.warmUps },
        files: trials.flatMap(({ evidence }) => evidence),
      };
    }
    if ('judge' in order) {
      const trial = await judgeIn(pool, lab, { plan, wanted: order.judge, folder });
      return trial && { says: { score: trial.score }, files: [lighthouseFile(order.judge)] };
    }
    const condition = conditionOf(plan, { condition: order.film });
    // Films that a dying lab took with it are not tried again.
    let says: object = { films: {}, tookMs: 0 };
    const went = await pool.film(condition, lab, async (found) => {
      const { films, tookMs } = await takeFilms(plan, found, condition);
      says = { films: Object.fromEntries(films), tookMs };
    });
    return went ? { says, files: [] } : undefined;
  };
  const runOrdered = async (order: Order): Promise<Done> => {
    const lab = choose.take(order);
    does.set(order, undefined);
    try {
      for (;;) {
        const done = await runIn(lab, order);
        if (done) return done;
        if (stop.aborted) throw new Error('the worker was asked to stop');
      }
    } finally {
      does.delete(order);
      choose.giveBack(lab);
    }
  };
  const report = async (order: Order, { says, files: names }: Done) => {
    const of = `${id}:${'block' in order ? order.serial : jobIdOf(order)}:${own}`;
    const files: { name: string; blob: Blob }[] = [];
    for (const each of names) {
      files.push({ name: each, blob: await putBlob(redis, of, readFileSync(join(folder, each))) });
      rmSync(join(folder, each));
    }
    const [links, references] = [found.links.splice(0), found.references.splice(0)];
    const packed = pack({ ...says, references, links, files });
    return { ...ABOUT, worker: own, machine, report: await putBlob(redis, of, packed) };
  };
  const once = openUnderWay<Awaited<ReturnType<typeof report>>>();
  const worker = connection.openWorker(
    id,
    async (data) => {
      const order = readOrder(data, plan, offer.plan.digest);
      if (unfit !== undefined) await setTimeout(LOOK_EVERY_MS, undefined, { signal: stop });
      if (unfit !== undefined) throw new Error(unfit);
      try {
        return await once(jobIdOf(order), async () => report(order, await runOrdered(order)));
      } catch (error) {
        if (!stop.aborted) {
          unfit = (error as Error).message;
          print(`takes no more blocks: ${unfit}`);
          await worker.pause(true);
        }
        throw error; // BullMQ gives the block to another worker.
      }
    },
    { places: most, recovery: options.recovery },
  );
  const queue = connection.openQueue(id);
  undo.defer(() => queue.close());
  undo.defer(() => worker.close());
  while (!stop.aborted) {
    await announce();
    const { waiting = 0, active = 0 } = await queue.getJobCounts('waiting', 'active');
    if (!(await isOffered()) && does.size === 0 && (unfit !== undefined || waiting + active === 0)) break;
    await setTimeout(SAYS_EVERY_MS, undefined, { signal: stop }).catch(() => {});
  }
  print(`study ${offer.study}: ${stop.aborted ? 'stops' : 'nothing more to do'}, after ${loads} loads`);
}

/** What was done: what is said of it, and the files with its evidence. */
interface Done {
  readonly says: object;
  readonly files: readonly string[];
}

/** Refuses what would have this machine do something else than load pages that it has, or that come as data. */
function assertTrusted(plan: Plan, trust: boolean): void {
  if (trust) return;
  const refuse = (what: string) => {
    throw new Error(`it ${what}, which a worker does only with --trust`);
  };
  const { conditions, arms, sites } = plan;
  const isElsewhere = ({ site }: { readonly site: string }) => isAddress(site) || sites[site]?.remote !== undefined;
  if (conditions.some(isElsewhere)) refuse('loads pages from elsewhere');
  if (arms.some(({ browserFlags }) => browserFlags !== undefined)) refuse('gives the browser arguments');
}

/** Reads an order; throws where it is none, or is of something that the plan of this digest does not have. */
export function readOrder(data: unknown, plan: Plan, digest: string): Order {
  const { plan: of, order } = readMessage(JOB, data, 'an order');
  if (of !== digest || !isOfPlan(order, plan)) throw new Error('the order is of another plan');
  return order;
}

function isOfPlan(order: Order, { conditions, arms, control, lighthouse }: Plan): boolean {
  const isKnown = conditions.some(({ id }) => id === conditionIn(order));
  const names = arms.map(({ name }) => name);
  if ('film' in order) return isKnown;
  if ('judge' in order) return isKnown && names.includes(order.judge.arm) && order.judge.run < lighthouse;
  const isControl = order.block.condition === control.id;
  const own = isControl ? [control.arm, control.twin, control.delayed] : names;
  return (isKnown || isControl) && order.block.order.every((arm) => own.includes(arm));
}

/** Which lab runs a block: one that knows its link, or any that is free; there is one for each block that is under way. */
function openChoice(plan: Plan, pool: LabPool, most: number) {
  const free = new Set(Array.from({ length: most }, (_, number) => number));
  return {
    take(order: Order): number {
      const link = linkNameOf(conditionOf(plan, { condition: conditionIn(order) }));
      const lab = [...free].find((number) => pool.links.get(number)?.has(link)) ?? [...free][0]!;
      free.delete(lab);
      return lab;
    },
    giveBack: (lab: number) => free.add(lab),
  };
}

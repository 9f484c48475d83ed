import type { Job, Queue } from 'bullmq';
import { EnvironmentError } from '../model/errors.ts';
import type { Store } from '../store/store.ts';
import { type Blob, dropBlobs } from './blobs.ts';
import { ABOUT, conditionIn, JOB, jobIdOf, type Order } from './messages.ts';
import type { Connection } from './redis.ts';
import type { Result } from './results.ts';

/*
 * The blocks of a study that are with workers, on their way there, or on their way back, and so are films and Lighthouse's
 * trials. Each is a job of BullMQ until its result is in the store.
 */

/** What was handed out. */
export interface HandedOut {
  readonly order: Order;
  readonly done: PromiseWithResolvers<Result | undefined>;
  /** Whether its result is being read, or was. */
  isCollected: boolean;
  /** What is deleted from Redis once the result is stored. */
  blobs: readonly Blob[];
  faults: number;
}

/** Reads the result of a job; throws where it is worth nothing. */
export type ReadResult = (job: Job, order: Order) => Promise<{ result: Result; blobs: readonly Blob[] }>;

export interface Orders {
  /** How much is handed out. */
  count(): number;
  /** What an earlier coordinator handed out and did not store: finished, under way, or waiting for a worker. */
  readonly begun: readonly HandedOut[];
  /** Hands something out, unless it is already. */
  send(order: Order): Promise<HandedOut>;
  /** Forgets what has its result in the store. */
  forget(own: HandedOut): void;
  /** Waits until Redis has nothing any more of what was forgotten, or is away. */
  forgotten(): Promise<void>;
  /**
   * Takes back what no worker has begun and is of no more use; where no worker is left, what is under way as well. What a worker
   * has done is collected all the same.
   */
  withdraw(isOfUse: (order: Order) => boolean, isAnyoneLeft: () => boolean): void;
  /** Waits for nothing any more: a worker that runs a block goes on alone. */
  abandon(): void;
  /** Ends all that waits for a block with this error. */
  reject(error: unknown): void;
  /** Reads the results that have come. */
  collectAll(): Promise<void>;
  /** Hands out again what Redis has lost: one that keeps nothing on a disk has forgotten everything when it comes back. */
  sendLost(): Promise<void>;
}

/** How often a block is tried, at most: what no worker can do is no worker's fault. */
const MOST_ATTEMPTS = 100;
/** How often a block is asked for again, at most, whose result is worth nothing. */
const MOST_FAULTS = 5;
const COLLECTED_AT_ONCE = 100;

interface OrdersOptions {
  readonly connection: Connection;
  readonly queue: Queue;
  readonly store: Store;
  /** The digest of the plan that the blocks belong to. */
  readonly plan: string;
  readonly readResult: ReadResult;
  readonly tell: (says: string) => void;
  readonly isClosed: () => boolean;
}

/** Takes up what an earlier coordinator of the study handed out. */
export async function openOrders(options: OrdersOptions): Promise<Orders> {
  const { queue, plan } = options;
  const { redis } = options.connection;
  const handedOut = new Map<string, HandedOut>();
  const deletions = new Set<Promise<void>>();
  const keep = (order: Order): HandedOut => {
    const own: HandedOut = { order, done: Promise.withResolvers(), isCollected: false, blobs: [], faults: 0 };
    own.done.promise.catch(ignore); // What awaits it hears of it, too.
    handedOut.set(jobIdOf(order), own);
    return own;
  };
  const dataOf = (order: Order) => ({ ...ABOUT, plan, order });
  const add = async ({ order }: HandedOut) => {
    await queue.add('block', dataOf(order), { jobId: jobIdOf(order), attempts: MOST_ATTEMPTS });
  };
  const letGo = (jobId: string) => {
    handedOut.get(jobId)?.done.resolve(undefined);
    handedOut.delete(jobId);
  };
  /** Takes something back that no worker has begun, or that no worker is left to do. */
  const takeBack = async (jobId: string, isAnyoneLeft: () => boolean) => {
    // Redis would remove it with its result, which is about to be collected.
    if ((await queue.getJobState(jobId)) === 'completed') return;
    const removed = await queue.remove(jobId); // What a worker has begun cannot be removed.
    const isLeft = removed === 1 || !isAnyoneLeft();
    if (isLeft && handedOut.get(jobId)?.isCollected === false) letGo(jobId);
  };
  const collect = async (job: Job, own: HandedOut) => {
    own.isCollected = true;
    try {
      if (JSON.stringify(job.data) !== JSON.stringify(dataOf(own.order))) throw new Error('it is of something else');
      const { result, blobs } = await options.readResult(job, own.order);
      own.blobs = blobs;
      own.done.resolve(result);
    } catch (cause) {
      if (options.isClosed()) return;
      own.faults += 1;
      own.isCollected = false;
      const says = `what came of ${nameOf(own.order)} is worth nothing: ${(cause as Error).message}`;
      if (own.faults > MOST_FAULTS) own.done.reject(new EnvironmentError(says, { cause }));
      options.tell(says);
      await queue.remove(jobIdOf(own.order));
      await add(own);
    }
  };
  const begun = (await findBegun(options)).map(keep);
  return {
    begun,
    count: () => handedOut.size,
    async send(order) {
      const known = handedOut.get(jobIdOf(order));
      const own = known ?? keep(order);
      if (!known) await add(own);
      return own;
    },
    forget({ order, blobs }) {
      const jobId = jobIdOf(order);
      handedOut.delete(jobId);
      // Where Redis is away this is done once it is back, or by the next coordinator.
      const deletion = queue
        .remove(jobId)
        .then(() => dropBlobs(redis, blobs))
        .catch(ignore)
        .finally(() => deletions.delete(deletion));
      deletions.add(deletion);
    },
    forgotten: async () => void (await Promise.all(deletions)),
    withdraw(isOfUse, isAnyoneLeft) {
      for (const [jobId, { order, isCollected }] of handedOut)
        if (!isCollected && !isOfUse(order)) takeBack(jobId, isAnyoneLeft).catch(ignore);
    },
    abandon() {
      // While Redis is away no result can be read to its end: the next coordinator finds it.
      const isAway = redis.status !== 'ready';
      for (const [jobId, { isCollected }] of handedOut) if (isAway || !isCollected) letGo(jobId);
    },
    reject(error) {
      for (const { done } of handedOut.values()) done.reject(error);
    },
    async collectAll() {
      const finished = (await queue.getJobs(['completed'], 0, COLLECTED_AT_ONCE - 1, true)).filter(isThere);
      await Promise.all(
        finished.map((job) => {
          const own = handedOut.get(job.id!);
          if (!own) return void queue.remove(job.id!).catch(ignore); // It was stored, or is of no more use.
          return own.isCollected ? undefined : collect(job, own);
        }),
      );
      for (const job of (await queue.getJobs(['failed'], 0, COLLECTED_AT_ONCE - 1)).filter(isThere)) {
        const own = handedOut.get(job.id!);
        own?.done.reject(new EnvironmentError(`no worker could run ${nameOf(own.order)}: ${job.failedReason}`));
        await queue.remove(job.id!);
      }
    },
    async sendLost() {
      for (const [jobId, own] of handedOut) {
        if (own.isCollected) continue;
        const state = await queue.getJobState(jobId);
        if (state === 'unknown' && handedOut.get(jobId) === own && !own.isCollected) await add(own);
      }
    },
  };
}

/** What was handed out and is not in the store. */
async function findBegun({ queue, store, plan }: OrdersOptions): Promise<readonly Order[]> {
  const jobs = (await queue.getJobs(['waiting', 'active', 'completed', 'prioritized', 'delayed'])).filter(isThere);
  if (jobs.length === 0) return [];
  const serials = new Set(store.blocks().map(({ serial }) => serial));
  const others = [
    ...store.filmed().map((film) => ({ film })),
    ...store.lighthouseTrials().map(({ condition, arm, run }) => ({ judge: { condition, arm, run } })),
  ];
  const names = new Set(others.map(jobIdOf));
  const isStored = (order: Order) => ('block' in order ? serials.has(order.serial) : names.has(jobIdOf(order)));
  return jobs.flatMap(({ data, id }) => {
    const { success, data: job } = JOB.safeParse(data);
    const isOurs = success && job.plan === plan && jobIdOf(job.order) === id && !isStored(job.order);
    return isOurs ? [job.order] : [];
  });
}

function nameOf(order: Order): string {
  const what = 'block' in order ? `block ${order.serial}` : 'film' in order ? 'the films' : 'a trial of Lighthouse';
  return `${what} of ${conditionIn(order)}`;
}

function isThere(job: Job | undefined): job is Job {
  return job !== undefined;
}

function ignore(): void {}

import { type Job, Worker } from 'bullmq';
import type { Measurement } from '../../harness/model/measurement.ts';
import type { BlockOrder } from '../../harness/model/session.ts';
import { pack } from '../../harness/store/json.ts';
import { readVersion } from '../../harness/system/version.ts';
import { putBlob } from '../../harness/workers/blobs.ts';
import {
  ABOUT,
  type Announcement,
  jobIdOf,
  KEYS,
  type Order,
  type WorkerMachine,
} from '../../harness/workers/messages.ts';
import { type Connection, PREFIX } from '../../harness/workers/redis.ts';
import { MACHINE } from '../fakes/machine.ts';
import { measured } from '../study/plans.ts';

export const WORKER_MACHINE: WorkerMachine = {
  ...MACHINE,
  photofinish: readVersion(),
  packages: [],
  worker: 'by hand',
  link: 'none',
};

/** What a worker says of itself. */
export function announcementOf(id: string, more: Partial<Announcement> = {}): Announcement {
  return { ...ABOUT, id, machine: WORKER_MACHINE, places: 4, does: [], loads: 0, forMs: 0, ...more };
}

export async function announce({ redis }: Connection, study: string, announcement: Announcement): Promise<void> {
  await redis.sadd(KEYS.workers(study), announcement.id);
  await redis.set(KEYS.worker(study, announcement.id), JSON.stringify(announcement));
}

/** The times of a block's arms. */
export type Times = (order: BlockOrder) => Readonly<Record<string, number>>;

/** A worker that does nothing by itself: the test takes each of its jobs and finishes it. */
export function openByHand(connection: Connection, study: string, { name = 'by-hand', lockMs = 30_000 } = {}) {
  const { redis } = connection;
  // What it waits for jobs on is not used, and is closed with the rest.
  const worker = new Worker(study, null, {
    connection: redis,
    prefix: PREFIX,
    lockDuration: lockMs,
    skipVersionCheck: true,
  });
  return {
    take: async () => (await worker.getNextJob(name, { block: false })) as Job | undefined,
    async finish(job: Job, times: Times): Promise<Order> {
      const { order } = job.data as { readonly order: Order };
      await job.moveToCompleted(
        await returnedFor(connection, order, 'block' in order ? times(order) : {}, name),
        name,
        false,
      );
      return order;
    },
    [Symbol.asyncDispose]: () => worker.close(true),
  };
}

/** What a worker returns. */
export async function returnedFor(
  { redis }: Connection,
  order: Order,
  times: Readonly<Record<string, number>>,
  worker = 'by-hand',
) {
  const said =
    'block' in order
      ? reportOf(order, times)
      : { films: { h1: { pltMs: 100, frames: [] } }, tookMs: 1, references: [], links: [], files: [] };
  const report = await putBlob(redis, `of:${jobIdOf(order)}:${worker}`, pack(said));
  return { ...ABOUT, worker, machine: WORKER_MACHINE, report };
}

/** What was measured in a block: each in a launch of its own. */
export function reportOf({ block }: BlockOrder, times: Readonly<Record<string, number>>) {
  const { condition, index, order } = block;
  const trials = order.map((arm) => {
    const known = { condition, block: index, arms: { [arm]: times[arm] ?? 100 }, launch: index + 1 };
    const [measurement] = measured(known) as [Measurement];
    return { measurement, capture: { launch: index + 1 }, evidence: [] as string[] };
  });
  return { beganMs: 1, trials, warmUps: [], references: [], links: [], files: [] as unknown[] };
}

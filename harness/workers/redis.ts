import type { Queue, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import { EnvironmentError } from '../model/errors.ts';
import { withoutPassword } from './address.ts';

/*
 * The only file that loads BullMQ and the client of Redis, and only once workers are asked for: a study on one machine
 * has neither in its memory.
 */

/** All keys in Redis begin with this, so that an ACL can keep a user to them. */
export const PREFIX = 'photofinish';

/** How soon a block is taken from a worker that is not heard of. */
export interface Recovery {
  readonly lockMs: number;
  readonly lookEveryMs: number;
}

const RECOVERY: Recovery = { lockMs: 30_000, lookEveryMs: 15_000 };
/** Blocks may come back this often from workers that died. */
const MOST_STALLS = 20;
const FIRST_CONNECTION_MS = 10_000;

/** What a worker does with a job; what it returns goes back, and what it throws gives the job to another worker. */
export type Process = (data: unknown) => Promise<unknown>;

/** A connection to Redis, which comes again by itself where it breaks. */
export interface Connection extends AsyncDisposable {
  readonly redis: Redis;
  openQueue(name: string): Queue;
  openWorker(
    name: string,
    process: Process,
    options: { readonly places: number; readonly recovery?: Recovery | undefined },
  ): Worker;
}

/** Connects to Redis; throws where nothing answers there, without the password in the message. */
export async function connect(address: string, patienceMs = FIRST_CONNECTION_MS): Promise<Connection> {
  const [{ Redis }, bullmq] = await Promise.all([import('ioredis'), import('bullmq')]);
  const redis = new Redis(address, {
    maxRetriesPerRequest: null,
    connectTimeout: patienceMs,
    enableReadyCheck: true,
    disconnectTimeout: 500, // It is waited for even where a connection is closed already, and holds up the program's end.
    retryStrategy: (times) => Math.min(100 * times, 2_000),
  });
  let fault = 'no answer';
  const note = ({ message }: Error) => {
    fault = message;
  };
  redis.on('error', note); // It tries again; without a listener that would be the end of this process.
  const began = Promise.withResolvers<void>();
  redis.once('ready', began.resolve);
  const timer = setTimeout(began.reject, patienceMs, new Error('no answer'));
  try {
    await began.promise;
  } catch (cause) {
    redis.disconnect();
    throw new EnvironmentError(`${withoutPassword(address)} cannot be used: ${fault}`, { cause });
  } finally {
    clearTimeout(timer);
  }
  await using undo = new AsyncDisposableStack();
  undo.defer(() => redis.disconnect());
  const kept = undo.move();
  return {
    redis,
    openQueue(name) {
      const queue = new bullmq.Queue(name, { connection: redis, prefix: PREFIX });
      queue.on('error', note);
      return queue;
    },
    openWorker(name, process, { places, recovery = RECOVERY }) {
      // A worker waits for jobs on a connection of its own, which BullMQ makes of this one.
      const worker = new bullmq.Worker(name, ({ data }) => process(data), {
        connection: redis,
        prefix: PREFIX,
        concurrency: places,
        maxStalledCount: MOST_STALLS,
        lockDuration: recovery.lockMs,
        stalledInterval: recovery.lookEveryMs,
      });
      worker.on('error', note);
      return worker;
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

import { setTimeout } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import type { Queue } from 'bullmq';
import type { Store } from '../../harness/store/store.ts';
import { ABOUT, jobIdOf } from '../../harness/workers/messages.ts';
import { openOrders, type ReadResult } from '../../harness/workers/orders.ts';
import type { Connection } from '../../harness/workers/redis.ts';

/* What becomes of orders that are of no more use, without a Redis: its answers are the test's. */

const FILM = { film: 'a over fibre' };
const DIGEST = 'digest';

/** Orders of a study, in a queue that answers as the test says. */
function openWith(
  queue: object,
  {
    redis = { status: 'ready' },
    readResult = () => Promise.reject(new Error('nothing came')),
  }: { readonly redis?: { readonly status: string }; readonly readResult?: ReadResult } = {},
) {
  return openOrders({
    connection: { redis } as unknown as Connection,
    queue: queue as Queue,
    store: {} as Store, // Nothing was handed out before, so that it is not asked.
    plan: DIGEST,
    readResult,
    tell() {},
    isClosed: () => false,
  });
}

test.each([
  ['waiting', true],
  ['completed', false],
])('of no more use, but %s: it is taken back: %s', async (state, isTakenBack) => {
  const removed: string[] = [];
  const queue = {
    getJobs: async () => [],
    add: async () => {},
    getJobState: async () => state,
    remove: async (id: string) => removed.push(id),
  };
  const orders = await openWith(queue);
  const handedOut = await orders.send(FILM);
  let isOver = false;
  void handedOut.done.promise.then(() => {
    isOver = true;
  });
  orders.withdraw(
    () => false,
    () => true,
  );
  await setTimeout(10);
  expect([removed, isOver, orders.count()]).toEqual(isTakenBack ? [[jobIdOf(FILM)], true, 0] : [[], false, 1]);
});

test('a result that is being read is waited for while Redis is there, and left to the next coordinator where it is away', async () => {
  const job = { id: jobIdOf(FILM), data: { ...ABOUT, plan: DIGEST, order: FILM } };
  let finished: readonly object[] = [];
  const redisNow = { status: 'ready' };
  const reading = Promise.withResolvers<void>();
  const queue = {
    getJobs: async ([state]: readonly string[]) => (state === 'completed' ? finished : []),
    add: async () => {},
  };
  const orders = await openWith(queue, {
    redis: redisNow,
    readResult() {
      reading.resolve();
      return new Promise(() => {}); // What Redis no longer answers.
    },
  });
  const { done } = await orders.send(FILM);
  finished = [job];
  void orders.collectAll();
  await reading.promise;
  orders.abandon();
  expect(orders.count()).toBe(1);
  redisNow.status = 'reconnecting';
  orders.abandon();
  expect([orders.count(), await done.promise]).toEqual([0, undefined]);
});

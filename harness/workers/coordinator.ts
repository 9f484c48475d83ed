import { setTimeout } from 'node:timers/promises';
import type { JudgedPlan } from '../comparison/judge-plan.ts';
import type { StudyEnding, StudyEvent } from '../model/event.ts';
import type { Block, Condition, Plan } from '../model/study.ts';
import type { BlockRunner, Place } from '../run/block-runner.ts';
import type { KeptEvidence } from '../run/evidence.ts';
import { openFilms } from '../run/films.ts';
import { judgeMissing, type Wanted } from '../run/lighthouse.ts';
import { conduct, endingNow, keepBrought, type LoopOptions } from '../run/loop.ts';
import type { News } from '../run/news.ts';
import type { Site } from '../run/sites.ts';
import type { Store } from '../store/store.ts';
import { blocksAhead } from '../study/next-blocks.ts';
import { withoutPassword } from './address.ts';
import { digestOf, hasBlobs } from './blobs.ts';
import { ALIVE_S, KEYS, type Order, SAYS_EVERY_MS } from './messages.ts';
import { blobsOf, offerOf } from './offer.ts';
import { type HandedOut, openOrders } from './orders.ts';
import { type Connection, connect } from './redis.ts';
import { openResults, type Result } from './results.ts';
import { openRoster } from './roster.ts';

/** Has the workers at an address run a plan; what `options` say of a study in labs holds for it, too. */
export async function runByWorkers(
  plan: Plan,
  options: LoopOptions,
  { address, ...own }: Pick<CoordinatorOptions, 'sites' | 'keeps' | 'mixed'> & { readonly address: string },
): Promise<StudyEnding> {
  await using connection = await connect(address);
  await using coordinator = await openCoordinator(plan, { ...options, ...own, connection });
  const where = withoutPassword(address);
  options.tell({ event: 'worker', worker: where, says: `on each machine: npx photofinish worker ${where}` });
  // Awaited here: what is open in this function is closed when it returns.
  return await conduct(plan, options, (news) => {
    coordinator.follow(news);
    return coordinator;
  });
}

/** What the coordinator of a study needs, to have workers run its blocks. */
export interface CoordinatorOptions extends Pick<LoopOptions, 'stop' | 'untilMs'> {
  readonly connection: Connection;
  readonly store: Store;
  /** The study's own, where evidence goes. */
  readonly folder: string;
  readonly keeps: KeptEvidence;
  /** By the names that the plan has for them. */
  readonly sites: ReadonlyMap<string, Site>;
  /** Whether workers with other versions take part. */
  readonly mixed: boolean;
  readonly tell: (event: StudyEvent) => void;
  readonly lookEveryMs?: number;
  /** How often it is asked whether Redis still has what was handed out. */
  readonly missEveryMs?: number;
}

/** Has blocks run by workers on other machines, by way of Redis. */
export interface Coordinator extends BlockRunner, AsyncDisposable {
  /** Tells of what workers do from now on. */
  follow(news: News): void;
  /** Takes all that belongs to the study out of Redis, so that no worker goes on with it. */
  end(): Promise<void>;
}

/** What stands for a study in Redis: the same for each of its coordinators. */
export function studyIdOf(plan: Plan, store: Pick<Store, 'sessions'>): string {
  return digestOf(JSON.stringify([plan, store.sessions()[0]!.beganMs])).slice(0, 20);
}

/** Blocks that are handed out for each that a worker runs at once: one more than it runs, so that it need not wait. */
const AHEAD = 2;
const LOOK_EVERY_MS = 200;
const MISS_EVERY_MS = 10_000;
/** While Redis is away nothing else wakes the loop, which has a clock and a signal to heed. */
const WAKE_EVERY_MS = 500;
/** How long a coordinator that ends waits for what it has asked of Redis. */
const CLOSING_MS = 1_000;

/**
 * Offers a study to workers, and takes up what an earlier coordinator of it handed out. Everything that matters lies in
 * Redis or in the store, so the next coordinator of the study goes on from there.
 */
export async function openCoordinator(plan: Plan, options: CoordinatorOptions): Promise<Coordinator> {
  const { connection, store, tell, mixed, folder, lookEveryMs = LOOK_EVERY_MS, missEveryMs = MISS_EVERY_MS } = options;
  const { redis } = connection;
  const id = studyIdOf(plan, store);
  const queue = connection.openQueue(id);
  const closed = new AbortController();
  const offer = await offerOf(connection, plan, options);
  const roster = await openRoster({ connection, store, id, mixed, tell });
  const orders = await openOrders({
    connection,
    queue,
    store,
    plan: offer.plan.digest,
    readResult: openResults({ connection, folder, plan, sessionOf: roster.sessionOf }),
    tell: (says) => tell({ event: 'worker', worker: 'a worker', says }),
    isClosed: () => closed.signal.aborted,
  });
  let news: News | undefined;
  let changed = Promise.withResolvers<void>();
  const wake = () => {
    changed.resolve();
    changed = Promise.withResolvers<void>();
  };

  let isOffered = false;
  const lookAtWorkers = async () => {
    // A Redis that keeps nothing on a disk forgets all of it, even between two of these lines: the next look finds that.
    if (isOffered && !((await redis.exists(KEYS.study(id))) && (await hasBlobs(redis, blobsOf(offer))))) {
      await offerOf(connection, plan, options);
      roster.renew();
    }
    isOffered = true;
    await redis.set(KEYS.study(id), JSON.stringify(offer), 'EX', ALIVE_S);
    await redis.sadd(KEYS.studies, id);
    await roster.look();
    news?.workers(roster.progress());
  };
  const watch = async () => {
    let [lookedMs, missedMs] = [Number.NEGATIVE_INFINITY, performance.now()];
    while (!closed.signal.aborted) {
      if (performance.now() - lookedMs >= SAYS_EVERY_MS) {
        await lookAtWorkers();
        lookedMs = performance.now();
      }
      await orders.collectAll();
      if (performance.now() - missedMs >= missEveryMs) {
        await orders.sendLost();
        missedMs = performance.now();
      }
      wake();
      await setTimeout(lookEveryMs, undefined, { signal: closed.signal });
    }
  };
  let failed: { readonly error: unknown } | undefined;
  const watching = watch().catch((error) => {
    if (closed.signal.aborted) return;
    failed = { error };
    orders.reject(error);
    wake(); // Perhaps nothing is handed out.
  });
  const withdraw = (isOfUse: (block: Block) => boolean) =>
    orders.withdraw(
      (order) => ('block' in order ? isOfUse(order.block) : endingNow(options) === undefined),
      () => !roster.isEmpty(),
    );
  const tick = () => {
    const ending = endingNow(options);
    if (ending) withdraw(() => false);
    if (ending === 'stopped') orders.abandon();
    wake();
  };
  const ticking = setInterval(tick, WAKE_EVERY_MS);

  const films = openFilms(plan, store);
  const beganMs = performance.now();
  /** Has something done that is no block, and keeps what comes with it; nothing where it was taken back. */
  const doElsewhere = async (order: Order): Promise<Result | undefined> => {
    const own = await orders.send(order);
    const result = await own.done.promise;
    if (result) keepBrought(store, result);
    if (result) orders.forget(own);
    return result;
  };
  const film = async (condition: Condition) => {
    films.reserve(condition);
    const result = await doElsewhere({ film: condition.id });
    if (result && 'taken' in result) films.keep(result.session, condition, result.taken);
  };
  const filmRest = async (judged: JudgedPlan) => {
    const isTime = () => options.untilMs === undefined || films.hasTime(performance.now() - beganMs);
    for (let [next] = films.awaited(judged); next && !endingNow(options) && isTime(); [next] = films.awaited(judged))
      await film(next);
  };
  const judge = async (wanted: Wanted) => {
    const result = await doElsewhere({ judge: wanted });
    return result && 'trial' in result ? result : undefined;
  };
  const placeFor = (block: Place['block'], known?: HandedOut): Place => {
    let own = known;
    return {
      block,
      async run(order) {
        own ??= await orders.send(order);
        const result = await own.done.promise;
        return result && 'finished' in result ? result : undefined;
      },
      async after(judged) {
        if (own) orders.forget(own);
        const [next] = films.awaited(judged);
        if (next && !endingNow(options) && films.mayTake(next, performance.now() - beganMs)) await film(next);
      },
    };
  };
  /** For how many more blocks there is room; none where it is not worth asking. */
  const room = () => {
    const most = AHEAD * roster.places();
    const left = most - orders.count();
    return left >= most / 8 ? left : 0;
  };
  const end = async () => {
    await redis.srem(KEYS.studies, id);
    await queue.obliterate({ force: true });
    await redis.del(KEYS.workers(id), KEYS.admissions(id), KEYS.launches(id));
  };
  return {
    isAhead: true,
    begun: orders.begun.flatMap((own) => {
      const { order } = own;
      return 'block' in order ? [{ ...placeFor(order.block, own), order }] : [];
    }),
    follow(wanted) {
      news = wanted;
    },
    choose(wanted, taken) {
      const most = room();
      if (most === 0) return [];
      return blocksAhead(plan, wanted, { isTaken: taken.has, most }).map((block) => placeFor(block));
    },
    withdraw,
    abandon: orders.abandon,
    changed: () => (failed ? Promise.reject(failed.error) : changed.promise),
    end,
    /** Has films taken that are missing, and then has Lighthouse judge, as much at once as workers have places for. */
    async finish(judged) {
      const atOnce = AHEAD * Math.max(1, roster.places());
      await Promise.all(Array.from({ length: atOnce }, () => filmRest(judged)));
      await judgeMissing(plan, options, atOnce, judge);
      if (!endingNow(options)) await end();
    },
    async [Symbol.asyncDispose]() {
      closed.abort();
      clearInterval(ticking);
      if (redis.status === 'ready') {
        await redis.del(KEYS.study(id)).catch(() => {});
        await Promise.race([orders.forgotten(), setTimeout(CLOSING_MS)]);
      }
      redis.disconnect();
      // The queue has no connection of its own; what was asked of Redis meanwhile may never be answered.
      await Promise.race([watching, setTimeout(CLOSING_MS)]);
    },
  };
}

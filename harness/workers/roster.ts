import type { StudyEvent, WorkerProgress } from '../model/event.ts';
import type { Machine } from '../model/session.ts';
import type { Store } from '../store/store.ts';
import { readVersion } from '../system/version.ts';
import {
  ADMISSION,
  ANNOUNCEMENT,
  type Announcement,
  KEYS,
  parseJson,
  readMessage,
  type WorkerMachine,
} from './messages.ts';
import type { Connection } from './redis.ts';
import { versionDifferences } from './versions.ts';

/** The workers that take part in a study. */
export interface Roster {
  /** Has the next look say all of it again, to a Redis that has forgotten it. */
  renew(): void;
  /** Reads what workers announce: admits or refuses new ones, and tells of those that went or came back. */
  look(): Promise<void>;
  /** How many blocks they run at once. */
  places(): number;
  isEmpty(): boolean;
  progress(): readonly WorkerProgress[];
  /** A worker's session of the study, which says on what machine its blocks were run. */
  sessionOf(worker: string, machine: WorkerMachine): number;
}

/** Each worker may launch browsers this often before its numbers are another's. */
const LAUNCHES_OF_A_WORKER = 1_000_000;

interface RosterOptions {
  readonly connection: Connection;
  readonly store: Store;
  /** The study's id in Redis. */
  readonly id: string;
  /** Whether workers with other versions take part. */
  readonly mixed: boolean;
  readonly tell: (event: StudyEvent) => void;
}

/** Opens a roster without workers. The versions of a study are those of its first worker. */
export async function openRoster({ connection, store, id, mixed, tell }: RosterOptions): Promise<Roster> {
  const { redis } = connection;
  const workers = new Map<string, Announcement>();
  /** By worker, in what it differs from the first. */
  const admitted = new Map<string, readonly string[]>();
  const sessions = new Map<string, number>();
  /** By worker, what was told of it last. */
  const told = new Map<string, string>();
  let norm = store
    .sessions()
    .map(({ machine }) => machine)
    .find(isWorkers);
  /** Up to which number launches are given away. */
  let given = store.launches();
  let isForgotten = false;

  const say = ({ id: worker, machine }: Announcement, says: string) => {
    if (told.get(worker) === says) return;
    told.set(worker, says);
    tell({ event: 'worker', worker: machine.worker, says });
  };
  /** Why a worker may not take part, where it may not. */
  const refusalOf = ({ photofinish }: WorkerMachine, differences: readonly string[]): string | undefined => {
    const own = readVersion();
    if (photofinish !== own && differences.length === 0)
      return `it has Photofinish ${photofinish}, and the coordinator ${own}`;
    return photofinish !== own || (differences.length > 0 && !mixed) ? differences.join('; ') : undefined;
  };
  /** Gives a worker numbers for its launches that no other has. */
  const numberLaunches = async (worker: string) => {
    const before = await redis.hget(KEYS.admissions(id), worker);
    if (before !== null && 'firstLaunch' in readMessage(ADMISSION, before, 'an admission')) return;
    await raiseTo(connection, KEYS.launches(id), given);
    given = await redis.incrby(KEYS.launches(id), LAUNCHES_OF_A_WORKER);
    const admission = { firstLaunch: given - LAUNCHES_OF_A_WORKER };
    await redis.hset(KEYS.admissions(id), worker, JSON.stringify(admission));
  };
  const admit = async (announced: Announcement) => {
    const { id: worker, machine } = announced;
    norm ??= machine;
    const differences = versionDifferences(norm, machine);
    const refused = refusalOf(machine, differences);
    if (refused !== undefined) {
      await redis.hset(KEYS.admissions(id), worker, JSON.stringify({ refused }));
      // What has another Photofinish never does.
      const mayMix = machine.photofinish === readVersion();
      say(
        announced,
        `refused: ${refused}${mayMix ? '. With --mixed it takes part, and the report tells it apart.' : ''}`,
      );
      return;
    }
    await numberLaunches(worker);
    admitted.set(worker, differences);
    say(announced, `takes part: ${machine.cpu}, ${machine.cores} cores, kernel ${machine.kernel}`);
  };
  const findAlive = async (): Promise<readonly Announcement[]> => {
    const ids = await redis.smembers(KEYS.workers(id));
    const values = ids.length > 0 ? await redis.mget(ids.map((each) => KEYS.worker(id, each))) : [];
    return values.flatMap((value) => {
      const { success, data } = ANNOUNCEMENT.safeParse(value === null ? undefined : parseJson(value));
      return success ? [data] : [];
    });
  };
  return {
    renew() {
      isForgotten = true;
    },
    async look() {
      const alive = await findAlive();
      const gone = [...workers.values()].filter((known) => !alive.some((each) => each.id === known.id));
      for (const each of gone) say(each, 'is not heard of any more; others take its blocks');
      workers.clear();
      for (const each of alive) {
        if (isForgotten || !admitted.has(each.id)) await admit(each);
        if (!admitted.has(each.id)) continue;
        if (gone.length === 0 && told.get(each.id)?.startsWith('is not heard')) say(each, 'is back');
        if (each.unfit !== undefined) say(each, `takes no more blocks: ${each.unfit}`);
        workers.set(each.id, each);
      }
      isForgotten = false;
    },
    places: () => [...workers.values()].reduce((sum, each) => sum + (each.unfit === undefined ? each.places : 0), 0),
    isEmpty: () => workers.size === 0,
    progress: () => [...workers.values()].map(progressOf),
    sessionOf(worker, machine) {
      const known = sessions.get(worker);
      if (known !== undefined) return known;
      const session = store.beginSession(machine, Date.now(), admitted.get(worker) ?? []);
      sessions.set(worker, session);
      return session;
    },
  };
}

function isWorkers(machine: Machine): machine is WorkerMachine {
  return machine.worker !== undefined && machine.link !== undefined;
}

function progressOf({ machine, does, loads, forMs }: Announcement): WorkerProgress {
  return {
    name: machine.worker,
    does: does.map(({ condition, arm }) => ({ title: condition, arm })),
    loadsPerHour: loads > 0 ? (3_600_000 * loads) / Math.max(1, forMs) : undefined,
  };
}

/** Raises a number in Redis to `least`, unless it is larger. */
async function raiseTo({ redis }: Connection, key: string, least: number): Promise<void> {
  const now = Number((await redis.get(key)) ?? 0);
  if (now < least) await redis.set(key, least);
}

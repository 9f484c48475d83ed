import { measurementOf } from '../measurement/measurement.ts';
import type { Flaw } from '../measurement/proofs/testimony.ts';
import type { WatchedDetail } from '../measurement/timed-log.ts';
import { readDetails } from '../measurement/watched-details.ts';
import type { Capture } from '../model/capture.ts';
import { referencePageOf } from '../model/reference.ts';
import type { ReferenceLoad, Session } from '../model/session.ts';
import { armsLoaded, type Condition, type Plan } from '../model/study.ts';
import type { StoredReferenceLoad } from '../store/reading.ts';
import type { Store } from '../store/store.ts';
import { loadFor } from './block.ts';
import type { Lab } from './lab.ts';

/** How many loads tell the machine's floor of a page by an arm. */
const FLOOR_LOADS = 1;

/** What the watched load of a page by an arm tells of the unwatched loads. */
export interface Reference {
  /** The details of each request, by its address. */
  readonly details: ReadonlyMap<string, WatchedDetail>;
  /** What is wrong with the contents that the server sends, which is so in every load. */
  readonly flaw?: Flaw | undefined;
}

/** Loads a page over a link without limits, once watched and a number of times unwatched. */
type LoadReference = Lab['loadReference'];

/** Runs some loads while the machine has nothing else to do. */
type Alone = (loads: number, work: (load: LoadReference) => Promise<void>) => Promise<void>;

/** The reference loads of a study. */
export interface References {
  /** Makes those of a condition's page that are not there yet, or were made with other versions of browser and servers. */
  make(condition: Condition, alone: Alone): Promise<void>;
  /** What the watched load of a condition's page by an arm tells; undefined where there is none. */
  find(condition: Condition, arm: string): Reference | undefined;
}

/** Where reference loads are kept. */
export interface ReferenceShelf {
  /** Whether there is a whole load of a page by an arm, watched or not, that was made with the same versions. */
  has(page: string, arm: string, watched: boolean): boolean;
  /** What was seen in the last of them, watched or not. */
  find(page: string, arm: string, watched: boolean): Capture | undefined;
  add(loads: readonly ReferenceLoad[]): void;
}

/** The reference loads in a study's store, where a session adds its own. */
export function shelfOf(store: Store, session: number): ReferenceShelf {
  const sessions = store.sessions();
  const versions = versionsOf(sessions.find(({ number }) => number === session)!);
  const alike = sessions.filter((each) => versionsOf(each) === versions).map(({ number }) => number);
  return {
    has(page, arm, watched) {
      const isWhole = (load: StoredReferenceLoad) =>
        load.page === page &&
        load.arm === arm &&
        load.watched === watched &&
        load.pltMs !== undefined &&
        alike.includes(load.session);
      return store.referenceLoads().some(isWhole);
    },
    find: (page, arm, watched) => store.referenceOf(page, arm, watched),
    add: (loads) => store.addReferenceLoads(session, loads),
  };
}

/** For each page and arm one load that is watched, and some that tell the machine's floor, over a link without limits. */
export function openReferences(
  plan: Plan,
  shelf: ReferenceShelf,
  /** Hears of each load that was watched as the counted ones are. */
  learn: (page: string, arm: string, capture: Capture) => void,
  stop: AbortSignal,
): References {
  const made = new Map<string, Reference>();
  /** By page and arm: resolves once its reference is made, or could not be made. */
  const underWay = new Map<string, Promise<void>>();
  const countedWatched = plan.har === 'full';
  const make = async (load: LoadReference, { condition, arm, name }: Wanted) => {
    const block = { condition: condition.id, index: 0, order: [] };
    const wanted = { ...loadFor(plan, { block }, arm), beside: undefined };
    const captures = await load(wanted, FLOOR_LOADS);
    const measured = captures.map((capture) => measurementOf({ condition: condition.id, block: 0, arm }, capture));
    const page = referencePageOf(condition);
    const loads = captures.map((capture, index): ReferenceLoad => {
      const own = measured[index]!;
      return { page, arm, watched: index === 0, capture, pltMs: own.status === 'ok' ? own.pltMs : undefined };
    });
    shelf.add(loads);
    for (const { watched, capture } of loads) if (watched === countedWatched) learn(page, arm, capture);
    const [watched] = measured;
    const flaw = watched?.status === 'failed' && watched.reason === 'object' ? watched : undefined;
    made.set(name, referenceFrom(captures[0], flaw));
  };
  /** Takes one from the shelf; false where it is not there, as where the watched load had a flaw, which only that one shows. */
  const take = ({ condition, arm, name }: Wanted): boolean => {
    const page = referencePageOf(condition);
    if (![true, countedWatched].every((watched) => shelf.has(page, arm, watched))) return false;
    const alikeLoad = shelf.find(page, arm, countedWatched);
    if (alikeLoad) learn(page, arm, alikeLoad);
    made.set(name, referenceFrom(shelf.find(page, arm, true)));
    return true;
  };
  const isMissing = ({ name }: Wanted) => !made.has(name);
  const isIdle = (each: Wanted) => isMissing(each) && !underWay.has(each.name);
  /** Makes some, and then others while the machine is at rest, until the study is to stop. */
  const makeBatch = async (wanted: readonly Wanted[], alone: Alone) => {
    const all = plan.conditions.flatMap((each) => wantedFor(plan, each));
    const unique = new Map([...wanted, ...all.filter(isIdle)].map((each) => [each.name, each]));
    const names = new Set(wanted.map(({ name }) => name));
    const batch = [...unique.values()].slice(0, Math.max(wanted.length, MOST_AT_ONCE)).filter((each) => !take(each));
    if (batch.length === 0) return;
    const ends = batch.map(({ name }) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      underWay.set(name, promise);
      return () => {
        underWay.delete(name);
        resolve();
      };
    });
    try {
      await alone(batch.length, async (load) => {
        for (const [place, each] of batch.entries()) {
          if (stop.aborted && !names.has(each.name)) return;
          await make(load, each);
          ends[place]!();
        }
      });
    } finally {
      for (const end of ends) end();
    }
  };
  return {
    async make(condition, alone) {
      for (;;) {
        const missing = wantedFor(plan, condition).filter(isMissing);
        if (missing.length === 0) return;
        const idle = missing.filter(isIdle);
        // Those that another lab makes may fail with it: then they are made here.
        if (idle.length > 0) await makeBatch(idle, alone);
        else await Promise.all(missing.map(({ name }) => underWay.get(name)));
      }
    },
    find: (condition, arm) => made.get(nameOf(condition, arm)),
  };
}

/** How many are made at once, of several pages: for each time the whole machine has to come to rest. */
const MOST_AT_ONCE = 12;

/** A page and an arm that a condition needs a reference of. */
interface Wanted {
  readonly condition: Condition;
  readonly arm: string;
  readonly name: string;
}

/** What a condition needs: nothing where it has no one page, and the control's would not be used. */
function wantedFor(plan: Plan, condition: Condition): readonly Wanted[] {
  if (condition.tabs !== undefined || condition.topology === 'crowd' || condition.id === plan.control.id) return [];
  return armsLoaded(plan, condition).map(({ name: arm }) => ({ condition, arm, name: nameOf(condition, arm) }));
}

function nameOf(condition: Condition, arm: string): string {
  return `${referencePageOf(condition)} ${arm}`;
}

function referenceFrom(capture?: Capture, flaw?: Flaw): Reference {
  return { details: readDetails(capture?.browser.events ?? []), flaw };
}

function versionsOf({ machine: { chromium, servers } }: Session): string {
  return JSON.stringify([chromium, servers]);
}

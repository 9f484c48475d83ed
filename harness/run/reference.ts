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
  readonly flaw?: Flaw;
}

/** Loads a page over a link without limits, once watched and a number of times unwatched. */
type LoadReference = Lab['loadReference'];

/** The reference loads of a study. */
export interface References {
  /** Makes those of a condition's page that are not there yet, or were made with other versions of browser and servers. */
  make(condition: Condition, load: LoadReference): Promise<void>;
  /** What the watched load of a condition's page by an arm tells; undefined where there is none. */
  find(condition: Condition, arm: string): Reference | undefined;
}

/** Where reference loads are kept. */
export interface ReferenceShelf {
  /** Whether there are whole loads of a page by an arm that were made with the same versions. */
  has(page: string, arm: string): boolean;
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
    has(page, arm) {
      const isWhole = (load: StoredReferenceLoad) =>
        load.page === page && load.arm === arm && load.pltMs !== undefined && alike.includes(load.session);
      return store.referenceLoads().some(isWhole);
    },
    find: (page, arm, watched) => store.referenceOf(page, arm, watched),
    add: (loads) => store.addReferenceLoads(session, loads),
  };
}

/**
 * For each page and arm one load that is watched, and some that tell the machine's floor, over a link without limits. A
 * crowd has no one page, and the control's would not be used.
 */
export function openReferences(
  plan: Plan,
  shelf: ReferenceShelf,
  /** Hears of each load that was watched as the counted ones are. */
  learn: (page: string, arm: string, capture: Capture) => void,
): References {
  const found = new Map<string, Promise<Reference>>();
  const made = new Map<string, Reference>();
  const countedWatched = plan.har === 'full';
  const nameOf = (condition: Condition, arm: string) => `${referencePageOf(condition)} ${arm}`;
  const make = async (load: LoadReference, condition: Condition, arm: string) => {
    const block = { condition: condition.id, index: 0, order: [] };
    const wanted = { ...loadFor(plan, { block }, arm), beside: undefined };
    const captures = await load(wanted, FLOOR_LOADS);
    const measured = captures.map((capture) => measurementOf({ condition: condition.id, block: 0, arm }, capture));
    const page = referencePageOf(condition);
    const loads = captures.map((capture, index): ReferenceLoad => {
      const own = measured[index]!;
      return { page, arm, watched: index === 0, capture, ...(own.status === 'ok' && { pltMs: own.pltMs }) };
    });
    shelf.add(loads);
    for (const { watched, capture } of loads) if (watched === countedWatched) learn(page, arm, capture);
    const [watched] = measured;
    const flaw = watched?.status === 'failed' && watched.reason === 'object' ? watched : undefined;
    return referenceFrom(captures[0], flaw);
  };
  const findOrMake = async (load: LoadReference, condition: Condition, arm: string) => {
    const page = referencePageOf(condition);
    const isThere = shelf.has(page, arm);
    const alikeLoad = isThere ? shelf.find(page, arm, countedWatched) : undefined;
    if (alikeLoad) learn(page, arm, alikeLoad);
    const reference = isThere ? referenceFrom(shelf.find(page, arm, true)) : await make(load, condition, arm);
    made.set(nameOf(condition, arm), reference);
    return reference;
  };
  return {
    async make(condition, load) {
      if (condition.tabs !== undefined || condition.topology === 'crowd' || condition.id === plan.control.id) return;
      for (const { name: arm } of armsLoaded(plan, condition)) {
        const name = nameOf(condition, arm);
        let own = found.get(name);
        if (!own) {
          own = findOrMake(load, condition, arm);
          found.set(name, own);
          // One that failed with its lab is made again by the next block.
          own.catch(() => found.delete(name));
        }
        await own;
      }
    },
    find: (condition, arm) => made.get(nameOf(condition, arm)),
  };
}

function referenceFrom(capture?: Capture, flaw?: Flaw): Reference {
  return { details: readDetails(capture?.browser.events ?? []), ...(flaw && { flaw }) };
}

function versionsOf({ machine: { chromium, servers } }: Session): string {
  return JSON.stringify([chromium, servers]);
}

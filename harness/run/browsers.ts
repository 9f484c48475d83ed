import { rmSync } from 'node:fs';
import type { BrowserKind } from '../browser/flags.ts';
import type { LaunchedBrowser } from '../browser/launch.ts';
import { SCRATCH } from '../system/enclosure.ts';

/** The browsers of one launch after the other, all of them new at once. */
export interface Browsers extends AsyncDisposable {
  /** Which launch it is; 0 before the first. */
  count(): number;
  /** Whether there are any, and none has died. */
  alive(): boolean;
  /** Puts new ones in place of those there are. */
  renew(): Promise<void>;
  /** Whether there is one of a kind. */
  has(kind: BrowserKind): boolean;
  /** The one of a kind; one that only some visits need is launched by the first of them. */
  find(kind: BrowserKind): Promise<LaunchedBrowser>;
}

/** Launches one browser, with a folder of its own. */
export type Launch = (kind: BrowserKind, profile: string) => Promise<LaunchedBrowser>;

const PROFILES = `${SCRATCH}/profiles`;

/** No browsers yet; whoever needs one renews them first. */
export function openBrowsers(launch: Launch): Browsers {
  let launched = new Map<BrowserKind, LaunchedBrowser>();
  let count = 0;
  const closeAll = async () => {
    const old = launched;
    launched = new Map();
    await Promise.all([...old.values()].map((each) => each[Symbol.asyncDispose]()));
  };
  const launchOne = async (kind: BrowserKind) => {
    const one = await launch(kind, `${PROFILES}/${count}-${kind}`);
    launched.set(kind, one);
    return one;
  };
  return {
    count: () => count,
    alive: () => launched.size > 0 && [...launched.values()].every(({ browser }) => browser.connected),
    async renew() {
      await closeAll();
      rmSync(PROFILES, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }); // The last of them may still write.
      count += 1;
      await Promise.all([launchOne('tcp'), launchOne('quic')]);
    },
    has: (kind) => launched.has(kind),
    find: async (kind) => launched.get(kind) ?? (await launchOne(kind)),
    [Symbol.asyncDispose]: closeAll,
  };
}

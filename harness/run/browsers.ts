import { rmSync } from 'node:fs';
import type { BrowserKind, FlagOptions, ResolvedName } from '../browser/flags.ts';
import type { LaunchedBrowser } from '../browser/launch.ts';
import type { Past } from '../browser/past.ts';
import type { ReplayServer } from './replay-servers.ts';

/** A browser as a load wants it: one of a kind, or one of that kind of its own. */
export interface BrowserWish {
  readonly kind: BrowserKind;
  /** The client that it is on, from 0; absent: the first. */
  readonly client?: number;
  readonly own?: OwnBrowser;
  /** The recorded site that it is led to, as one way of serving has it. */
  readonly route?: BrowserRoute;
}

/** What a browser must be told of a recorded site's servers, or of a page that exists already. */
export interface BrowserRoute extends Pick<ReplayServer, 'name' | 'spki'> {
  /** What a recorded page's scripts are given in place of the machine's clock and randomness. */
  readonly past?: Past;
  /** Arguments besides. */
  readonly more?: readonly string[];
  readonly mapped: readonly ResolvedName[];
  /** Origins where QUIC is forced, as the browser names them. */
  readonly quicOrigins: FlagOptions['quicOrigins'];
}

/** A browser that is apart from the one that all loads share. */
export interface OwnBrowser {
  readonly name: string;
  /** Arguments that only it has. */
  readonly flags: readonly string[];
}

/** The browsers of one launch after the other, all of them new at once. */
export interface Browsers extends AsyncDisposable {
  /** Which launch it is; 0 before the first. */
  count(): number;
  /** Whether there are any, and none has died. */
  alive(): boolean;
  /** Closes the browsers that are kept apart under this name. */
  closeOwn(name: string): Promise<void>;
  /** Puts new ones in place of those there are. */
  renew(): Promise<void>;
  /** What each of them calls itself; where there are none yet, one is launched to be asked. */
  versions(): Promise<Readonly<Record<string, string>>>;
  /** Whether there is one that fulfils a wish. */
  has(wish: BrowserWish): boolean;
  /** The one that fulfils a wish; one that only some loads need is launched by the first of them. */
  find(wish: BrowserWish): Promise<LaunchedBrowser>;
}

/** Launches one browser, with a folder of its own. */
export type Launch = (wish: BrowserWish, profile: string) => Promise<LaunchedBrowser>;

export interface BrowsersOptions {
  readonly launch: Launch;
  /** The folder of their profiles, which nothing else uses. */
  readonly profiles: string;
  /** Counts the launches of a study. */
  readonly nextLaunch: () => number;
}

/** No browsers yet; a load that needs one renews them first. */
export function openBrowsers({ launch, profiles, nextLaunch }: BrowsersOptions): Browsers {
  const launched = new Map<string, { readonly wish: BrowserWish; readonly one: LaunchedBrowser }>();
  let count = 0;
  const closeAll = async (which: (wish: BrowserWish) => boolean = () => true) => {
    const closed = [...launched].filter(([, { wish }]) => which(wish));
    for (const [name] of closed) launched.delete(name);
    await Promise.all(closed.map(([, { one }]) => one[Symbol.asyncDispose]()));
  };
  const launchOne = async (wish: BrowserWish) => {
    const one = await launch(wish, `${profiles}/${count}-${nameOfBrowser(wish)}`);
    launched.set(nameOfBrowser(wish), { wish, one });
    return one;
  };
  return {
    count: () => count,
    alive: () => launched.size > 0 && [...launched.values()].every(({ one }) => one.browser.connected),
    closeOwn: (name) => closeAll(({ own }) => own?.name === name),
    async renew() {
      await closeAll();
      rmSync(profiles, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }); // The last of them may still write.
      count = nextLaunch();
      // Both are waited for: one that comes up after the other has failed would never be closed.
      const ended = await Promise.allSettled([launchOne({ kind: 'tcp' }), launchOne({ kind: 'quic' })]);
      for (const each of ended) if (each.status === 'rejected') throw each.reason;
    },
    async versions() {
      if (launched.size > 0) return Object.fromEntries([...launched].map(([name, { one }]) => [name, one.version]));
      const wish = { kind: 'tcp' } as const;
      await using asked = await launch(wish, `${profiles}/asked`);
      return { [nameOfBrowser(wish)]: asked.version };
    },
    has: (wish) => launched.has(nameOfBrowser(wish)),
    find: async (wish) => launched.get(nameOfBrowser(wish))?.one ?? (await launchOne(wish)),
    [Symbol.asyncDispose]: () => closeAll(),
  };
}

/** What a browser is called among all of a testbed's. */
export function nameOfBrowser({ kind, client = 0, own, route }: BrowserWish): string {
  return [
    kind,
    ...(route ? [route.name] : []),
    ...(own ? [own.name] : []),
    ...(client === 0 ? [] : [`${client + 1}`]),
  ].join('-');
}

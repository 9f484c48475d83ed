import type { CDPSession } from 'puppeteer-core';
import { followTargets, prepareTarget, type TargetInfo } from './every-target.ts';
import { BUFFERS, type FollowChildren } from './load.ts';

/** The time that a page was recorded at, and the seed that its randomness came from. */
export interface Past {
  readonly seed: number;
  readonly atMs: number;
}

/** A browser whose pages are recorded ones. */
export interface PastPages {
  /** Has a page begin in the past, and without service workers. */
  prepare(session: CDPSession): Promise<unknown>;
  /** Hears of the targets that pages of a context have besides themselves. */
  childrenOf(contextId: string): FollowChildren;
}

/** Has every page, frame and worker of a browser live in the past. */
export function openPast(root: CDPSession, { seed, atMs }: Past): PastPages {
  const listeners = new Map<string, { watched: boolean; begin: (session: CDPSession) => void }>();
  const prepare = (session: CDPSession, target: TargetInfo) =>
    prepareTarget(session, target, { seed, aheadMs: Math.round(atMs - Date.now()), refusesSockets: true });
  followTargets(root, (session, target) => {
    const isPage = target.type === 'page';
    // Before anything of it is sent: it waits for its beginning.
    const listener = isPage ? undefined : listeners.get(target.browserContextId ?? '');
    listener?.begin(session);
    const commands = [
      ...prepare(session, target),
      ...(listener?.watched ? [session.send('Network.enable', BUFFERS)] : []),
    ];
    for (const command of commands) command.catch(() => {}); // It has gone, or cannot do that.
  });
  return {
    prepare: (session) => Promise.all(prepare(session, PAGE)),
    childrenOf: (contextId) => (watched, begin) => {
      listeners.set(contextId, { watched, begin });
      return () => void listeners.delete(contextId);
    },
  };
}

const PAGE = { type: 'page', url: '' } as TargetInfo;

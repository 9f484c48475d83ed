import type { CDPSession, Protocol } from 'puppeteer-core';

/** Whether what has been navigated to is a page itself, and not a frame in it or the empty page before. */
export function isPageItself({ parentId, url }: Pick<Protocol.Page.Frame, 'parentId' | 'url'>): boolean {
  return parentId === undefined && /^https?:/.test(url);
}

/**
 * Calls at the load event of what a page is navigated to, with the second of the browser's clock. The event of the empty page
 * before may still be due.
 */
export function onLoadEvent(session: CDPSession, hear: (timestampS: number) => void): void {
  let committed = false;
  session.on('Page.frameNavigated', ({ frame }) => {
    committed ||= isPageItself(frame);
  });
  session.on('Page.loadEventFired', ({ timestamp }) => {
    if (committed) hear(timestamp);
  });
}

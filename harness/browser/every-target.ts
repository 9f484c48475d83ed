import type { CDPSession, Protocol } from 'puppeteer-core';
import { KEEP_RECORD } from './page-record.ts';
import { renderSteadyScript, type Steadiness } from './steady-script.ts';

export type TargetInfo = Protocol.Target.TargetInfo;

/**
 * Calls for every page, frame and worker of a browser that begins from now on, before it does: Puppeteer has each wait,
 * and commands that are sent at once are sent before the one that lets it go on. The function that it returns ends it.
 */
export function followTargets(root: CDPSession, begin: (session: CDPSession, target: TargetInfo) => void): () => void {
  const connection = root.connection()!;
  const onSession = (session: CDPSession) => {
    session.on('Target.attachedToTarget', ({ sessionId, targetInfo }) => {
      begin(connection.session(sessionId)!, targetInfo);
    });
  };
  connection.on('sessionattached', onSession as never);
  return () => void connection.off('sessionattached', onSession as never);
}

/** Gives a page, a frame or a worker that is about to begin another clock and seeded randomness. */
export async function steadyTarget(
  session: CDPSession,
  { type, url }: TargetInfo,
  steadiness: Steadiness,
): Promise<void> {
  const inWorker = isWorker(type);
  const source = renderSteadyScript({ ...steadiness, workerUrl: inWorker ? url : undefined });
  // A frame that waits for its beginning does not evaluate anything; a worker has no other way.
  if (inWorker) await session.send('Runtime.evaluate', { expression: source });
  else await session.send('Page.addScriptToEvaluateOnNewDocument', { source });
}

/** Has a target that is about to begin be the same each time: another clock, seeded randomness, no service workers. */
export function prepareTarget(
  session: CDPSession,
  target: TargetInfo,
  steadiness: Steadiness,
): readonly Promise<unknown>[] {
  return [
    steadyTarget(session, target, steadiness),
    keepRecord(session, target),
    // Chromium 156 has a worker wait for ever that is asked to do without service workers.
    ...(isWorker(target.type) ? [] : [session.send('Network.setBypassServiceWorker', { bypass: true })]),
  ];
}

/** Has a target that is about to begin keep its record of all requests. */
async function keepRecord(session: CDPSession, { type }: TargetInfo): Promise<void> {
  if (isWorker(type)) await session.send('Runtime.evaluate', { expression: KEEP_RECORD });
  else await session.send('Page.addScriptToEvaluateOnNewDocument', { source: KEEP_RECORD });
}

/** Whether a target of a kind is a worker of any kind. */
function isWorker(type: string): boolean {
  return type.includes('worker');
}

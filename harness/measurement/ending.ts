import type { BrowserCapture, Capture } from '../model/capture.ts';
import type { FailureReason } from '../model/measurement.ts';
import type { Flaw } from './proofs/testimony.ts';

/** Errors of Chromium's network stack, as they begin. */
const REASONS: readonly (readonly [pattern: RegExp, reason: FailureReason])[] = [
  [/ERR_CONNECTION_REFUSED/, 'refused'],
  [/ERR_(CERT|SSL|TLS|ECH)_/, 'tls'],
];

/** Why a load failed, with what the server said meanwhile. */
export function withServerWords(flaw: Flaw, { serverSaid }: Pick<Capture, 'serverSaid'>): Flaw {
  if (serverSaid === undefined || flaw.status !== 'failed') return flaw;
  return { ...flaw, says: `${flaw.says}; the server said: ${serverSaid.join('; ')}` };
}

/** Why a load ended, where the arm's protocol has no part in it. */
export function reasonOf({ by, says }: NonNullable<BrowserCapture['ending']>): Flaw {
  if (by === 'abort') return { status: 'void', reason: 'harness', says };
  if (by !== 'network') return { status: 'failed', reason: by, says };
  const reason = REASONS.find(([pattern]) => pattern.test(says))?.[1] ?? 'network';
  return { status: 'failed', reason, says };
}

import type { BrowserCapture, Capture } from '../model/capture.ts';
import type { FailureReason } from '../model/measurement.ts';
import type { Flaw } from './proofs/testimony.ts';

/** Errors of Chromium's network stack, as they begin. */
const REASONS: readonly (readonly [pattern: RegExp, reason: FailureReason])[] = [
  [/ERR_CONNECTION_REFUSED/, 'refused'],
  [/ERR_(CERT|SSL|TLS|ECH)_/, 'tls'],
];

/**
 * Chromium sends a transport parameter with a random number, which servers are to ignore. nginx (1.30.6) looks at the last 16
 * bits of the number alone, and refuses one handshake in some 12,000 because they are those of a parameter that it knows.
 */
const MISREAD_PARAMETER = /quic failed to parse transport param id:0x[0-9a-f]{5,} data/;

/**
 * Why a load failed, with what the server said meanwhile. Where the server misread a random number the load is void: it
 * happens to hardly any visitor, and would decide a condition of three blocks.
 */
export function withServerWords(flaw: Flaw, { serverSaid }: Pick<Capture, 'serverSaid'>): Flaw {
  if (serverSaid === undefined || flaw.status !== 'failed') return flaw;
  const says = `${flaw.says}; the server said: ${serverSaid.join('; ')}`;
  if (serverSaid.some((words) => MISREAD_PARAMETER.test(words))) return { status: 'void', reason: 'server', says };
  return { ...flaw, says };
}

/** Why a load ended, where the arm's protocol has no part in it. */
export function reasonOf({ by, says }: NonNullable<BrowserCapture['ending']>): Flaw {
  if (by === 'abort') return { status: 'void', reason: 'harness', says };
  if (by !== 'network') return { status: 'failed', reason: by, says };
  const reason = REASONS.find(([pattern]) => pattern.test(says))?.[1] ?? 'network';
  return { status: 'failed', reason, says };
}

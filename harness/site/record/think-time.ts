import type { Exchange } from '../../model/recording.ts';

/** The round trip to each server and the time that each answer took besides. */
export interface Waits {
  /** By the server's address, or by the origin where nobody knows that. */
  readonly rttMs: ReadonlyMap<string, number>;
  readonly thinkMs: (exchange: Exchange) => number | undefined;
}

/**
 * Splits the time that answers took into way and thought. The way is the shortest that was seen of a server: of its
 * transport's handshakes, a round trip each, and of its answers, none of which can be quicker. What answers had to wait
 * for others on a busy link counts as thought, since nobody can tell it apart.
 */
export function splitWaits(exchanges: readonly Exchange[]): Waits {
  const rttMs = new Map<string, number>();
  for (const exchange of exchanges)
    for (const ms of [exchange.waitMs, exchange.connectMs])
      if (ms !== undefined) rttMs.set(serverOf(exchange), Math.min(ms, rttMs.get(serverOf(exchange)) ?? ms));
  return {
    rttMs,
    thinkMs: (exchange) => {
      if (exchange.waitMs === undefined) return undefined;
      return Math.max(0, Math.round(10 * (exchange.waitMs - (rttMs.get(serverOf(exchange)) ?? 0))) / 10);
    },
  };
}

/** What answers an exchange: two origins at one address are one way from here. */
export function serverOf({ address, url }: Pick<Exchange, 'address' | 'url'>): string {
  return address ?? new URL(url).origin;
}

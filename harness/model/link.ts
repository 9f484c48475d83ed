/**
 * What a link does to packets, per direction, in the order in which a packet meets it:
 *
 *   sender ─► loss, duplication ─► delay, jitter, reordering ─► rate with a bounded queue ─► receiver
 */
export interface Link {
  /** The name it was asked for by, or its canonical specification. */
  readonly name: string;
  /** Where the numbers come from, for a named link. */
  readonly source?: string;
  readonly down: LinkDirection;
  readonly up: LinkDirection;
}

/** One direction of a link. */
export interface LinkDirection {
  readonly rate: Rate;
  /** One way, in milliseconds. */
  readonly delayMs: number;
  /** Spread of the delay, never above it; packets stay in order. */
  readonly jitterMs: number;
  readonly jitterDistribution: JitterDistribution;
  readonly loss: Loss;
  /** Share of packets that overtake all that are under way. */
  readonly reorderPercent: number;
  readonly duplicatePercent: number;
  /** Packets that may wait behind the one that is being sent; of no meaning where the rate is unlimited. */
  readonly queuePackets: number;
}

/** How fast a direction is: a constant, no limit at all, or what a recorded trace delivers. */
export type Rate =
  | { readonly kind: 'unlimited' }
  | { readonly kind: 'constant'; readonly kbps: number }
  | { readonly kind: 'trace'; readonly trace: Trace };

/** A packet-delivery trace: one opportunity to send a packet of 1500 bytes at each of these milliseconds, over and over. */
export interface Trace {
  readonly name: string;
  /** Ascending; the last one is the length of the trace. */
  readonly deliveriesMs: readonly number[];
}

/** How packets are lost; `burst` is a Gilbert-Elliott chain that loses everything in its bad state. */
export type Loss =
  | { readonly kind: 'none' }
  | { readonly kind: 'random'; readonly percent: number }
  | { readonly kind: 'burst'; readonly percent: number; readonly meanBurstPackets: number };

export type JitterDistribution = 'uniform' | 'normal' | 'pareto' | 'paretonormal';

export type DirectionName = 'down' | 'up';

/** Bytes of a full Ethernet frame in the lab (MTU 1500), as netem counts it: without preamble and checksum. */
export const FRAME_BYTES = 1514;

/** The round-trip time of an empty link in milliseconds. */
export function rttMs(link: Link): number {
  return link.down.delayMs + link.up.delayMs;
}

/** The mean rate of a direction in kbit/s, or undefined where it is unlimited. */
export function meanRateKbps(rate: Rate): number | undefined {
  switch (rate.kind) {
    case 'unlimited':
      return undefined;
    case 'constant':
      return rate.kbps;
    case 'trace':
      return (rate.trace.deliveriesMs.length * 1500 * 8) / rate.trace.deliveriesMs.at(-1)!;
  }
}

/** The share of packets that a direction loses in the long run, in percent. */
export function meanLossPercent(loss: Loss): number {
  return loss.kind === 'none' ? 0 : loss.percent;
}

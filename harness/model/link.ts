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
  /** Whether it lets no datagrams through, as some firewalls do: they are dropped, and no sender hears of it. */
  readonly udp?: 'drop';
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

/** The length of the steps in which a trace is followed. */
export const TRACE_STEP_MS = 50;

/** How packets are lost; `burst` is a Gilbert-Elliott chain that loses everything in its bad state. */
export type Loss =
  | { readonly kind: 'none' }
  | { readonly kind: 'random'; readonly percent: number }
  | { readonly kind: 'burst'; readonly percent: number; readonly meanBurstPackets: number };

export type JitterDistribution = 'uniform' | 'normal' | 'pareto' | 'paretonormal';

export type DirectionName = 'down' | 'up';

/** Bytes of a full Ethernet frame in the lab (MTU 1500), as netem counts it: without preamble and checksum. */
export const FRAME_BYTES = 1514;

/** A link that neither holds anything back nor loses anything. */
export const UNLIMITED: Link = { name: 'rate=unlimited', down: unlimited(), up: unlimited() };

function unlimited(): LinkDirection {
  return {
    rate: { kind: 'unlimited' },
    delayMs: 0,
    jitterMs: 0,
    jitterDistribution: 'normal',
    loss: { kind: 'none' },
    reorderPercent: 0,
    duplicatePercent: 0,
    queuePackets: 10,
  };
}

/** Whether any packet may be lost on a link but by a full queue. */
export function loses({ down, up }: Link): boolean {
  return down.loss.kind !== 'none' || up.loss.kind !== 'none';
}

/** Whether the rate of a link is a trace's, which a program has to play all the time. */
export function followsTrace({ down, up }: Link): boolean {
  return down.rate.kind === 'trace' || up.rate.kind === 'trace';
}

/** A copy of the link on which nothing is lost. */
export function withoutLoss(link: Link): Link {
  const whole = (direction: LinkDirection): LinkDirection => ({ ...direction, loss: { kind: 'none' } });
  return { ...link, down: whole(link.down), up: whole(link.up) };
}

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

/** How long a number of bytes takes at a rate; a trace counts with its mean. */
export function serializationMs(rate: Rate, bytes: number): number {
  const kbps = meanRateKbps(rate);
  return kbps === undefined ? 0 : (bytes * 8) / kbps;
}

/** The longest time in which a direction delivers nothing; none but a trace has any. */
export function longestOutageMs(rate: Rate): number {
  if (rate.kind !== 'trace') return 0;
  let beforeMs = 0; // The last delivery of a round is the beginning of the next.
  return rate.trace.deliveriesMs.reduce((longest, ms) => {
    const gapMs = ms - beforeMs;
    beforeMs = ms;
    return Math.max(longest, gapMs);
  }, 0);
}

/** The share of packets that a direction loses in the long run, in percent. */
export function meanLossPercent(loss: Loss): number {
  return loss.kind === 'none' ? 0 : loss.percent;
}

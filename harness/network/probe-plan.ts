import type { Host } from '../model/lab.ts';
import {
  FRAME_BYTES,
  type Link,
  type LinkDirection,
  longestOutageMs,
  meanRateKbps,
  type Rate,
  serializationMs,
} from '../model/link.ts';
import type { SendDatagrams, SendStream } from './probe.ts';
import { MARK_BYTES } from './probe-mark.ts';

/*
 * What is sent over a link to see what it does: model/calibration.ts says what each phase is for; after them, TCP as
 * fast as it goes tells the rate that a transfer gets.
 */

/** UDP and IP headers of a datagram's frame, with Ethernet's. */
const DATAGRAM_HEADER_BYTES = 42;
const FULL_PAYLOAD_BYTES = FRAME_BYTES - DATAGRAM_HEADER_BYTES;
const SPARSE_BYTES = DATAGRAM_HEADER_BYTES + MARK_BYTES;
/** What a flood offers, as a multiple of what the link takes, and for how long. */
const OVERLOAD = 1.15;
const FLOOD_MS = 600;
const FLOOD_PACKETS_MIN = 24;
/** How much of a trace is enough to know it by, besides an outage, since in that nothing is seen of it. */
const TRACE_WATCH_MS = 5_000;
/** The share of the rate that sparse probes use at most, so that they meet no queue. */
const SPARSE_SHARE = 0.3;
const SPARSE_PER_SECOND_MAX = 4_000;
const ECHOES_PER_SECOND = 100;
/** Where no rate is set, a flood of this rate tells at least that the link passes it. */
const UNLIMITED_FLOOD_KBPS = 100_000;

/** Echoes so far apart that one that is late by the jitter does not hold up the next. */
export function planEchoes({ down, up }: Link, to: Host, count: number): SendDatagrams {
  const perSecond = Math.min(ECHOES_PER_SECOND, 1000 / (8 * Math.max(down.jitterMs, up.jitterMs)));
  return { ...planSparse(up, to, count), phase: 'echo', perSecond };
}

/** Small probes that the link takes with ease. */
export function planSparse(direction: LinkDirection, to: Host, count: number): SendDatagrams {
  const { rate, jitterMs, queuePackets } = direction;
  const kbps = meanRateKbps(rate) ?? UNLIMITED_FLOOD_KBPS;
  // A late one holds up those behind it, for a few times the jitter; let go together, they must not overflow the queue,
  // which counts packets; that of a trace, which holds up all that comes in an outage, counts bytes.
  const heldUpMs = 8 * jitterMs + longestOutageMs(rate);
  const room = rate.kind === 'trace' ? (queuePackets * FRAME_BYTES) / SPARSE_BYTES : queuePackets;
  const perSecond = Math.min(
    SPARSE_PER_SECOND_MAX,
    (SPARSE_SHARE * kbps * 1000) / (8 * SPARSE_BYTES),
    rate.kind === 'unlimited' ? Infinity : (1000 * room) / heldUpMs,
  );
  const payloadBytes = MARK_BYTES;
  return { kind: 'datagrams', to: to.address, phase: 'sparse', count, payloadBytes, perSecond, burst: 1, catchUp: 4 };
}

/** Full frames, more than the link takes at any time. */
export function planFlood({ rate, loss, queuePackets }: LinkDirection, to: Host): SendDatagrams {
  const arriving = 1 - (loss.kind === 'none' ? 0 : loss.percent / 100);
  const perSecond = (OVERLOAD * peakKbps(rate) * 1000) / (8 * FRAME_BYTES * Math.max(0.1, arriving));
  const burst = rate.kind === 'constant' ? queuePackets + FLOOD_PACKETS_MIN : 1;
  const count = burst + Math.max(FLOOD_PACKETS_MIN, Math.ceil((perSecond * floodMs(rate)) / 1000));
  const catchUp = count; // A flood must never let the queue run empty, whatever holds its sender up.
  const payloadBytes = FULL_PAYLOAD_BYTES;
  return { kind: 'datagrams', to: to.address, phase: 'flood', count, payloadBytes, perSecond, burst, catchUp };
}

/** Enough connections to fill the link within a few round trips. */
export function planStream({ queuePackets }: LinkDirection, to: Host, forMs: number): SendStream {
  const streams = Math.max(4, Math.min(32, Math.ceil(queuePackets / 25)));
  return { kind: 'stream', to: to.address, streams, forMs };
}

/** The time after which whatever was sent has arrived: a round trip, and the fuller queue emptied. */
export function settleMs({ down, up }: Link): number {
  const queueMs = ({ rate, queuePackets }: LinkDirection) =>
    rate.kind === 'unlimited' ? 0 : (queuePackets + 1) * serializationMs(rate, FRAME_BYTES) + longestOutageMs(rate);
  const wayMs = ({ delayMs, jitterMs }: LinkDirection) => delayMs + 4 * jitterMs;
  return 50 + wayMs(down) + wayMs(up) + Math.max(queueMs(down), queueMs(up));
}

function floodMs(rate: Rate): number {
  if (rate.kind !== 'trace') return FLOOD_MS;
  return FLOOD_MS + Math.min(rate.trace.deliveriesMs.at(-1)!, TRACE_WATCH_MS + longestOutageMs(rate));
}

const PEAK_WINDOW_MS = 100;

/** The most that is delivered at any time. */
function peakKbps(rate: Rate): number {
  if (rate.kind !== 'trace') return meanRateKbps(rate) ?? UNLIMITED_FLOOD_KBPS;
  const windows = new Map<number, number>();
  let most = 0;
  for (const ms of rate.trace.deliveriesMs) {
    const window = Math.floor(ms / PEAK_WINDOW_MS);
    const packets = (windows.get(window) ?? 0) + 1;
    windows.set(window, packets);
    most = Math.max(most, packets);
  }
  return (most * FRAME_BYTES * 8) / PEAK_WINDOW_MS;
}

import type {
  DirectionFigures,
  EndSightings,
  LinkFigures,
  LinkSightings,
  ProbePhase,
  ProbeSighting,
} from '../model/calibration.ts';
import { FRAME_BYTES, type Link, type LinkDirection, serializationMs } from '../model/link.ts';
import { meanOf, median, percentile } from '../stats/order.ts';
import { fitTrace } from './trace-fit.ts';

/** The number of windows of a flood that a rate is taken from. */
const FLOOD_WINDOWS = 40;
const STREAM_WINDOW_MS = 250;

/** What the sightings of a calibration say of the link between them. */
export function linkFigures(link: Link, { client, server, linkCores }: LinkSightings): LinkFigures {
  const rttsMs = roundTripsMs(link, client, server);
  return {
    rttMs: median(rttsMs),
    rttMeanMs: meanOf(rttsMs),
    rttP99Ms: percentile(rttsMs, 0.99),
    rttProbes: rttsMs.length,
    directions: { down: directionFigures(link.down, server, client), up: directionFigures(link.up, client, server) },
    longestFrameBytes: Math.max(client.longestFrameBytes, server.longestFrameBytes),
    linkCores,
  };
}

function directionFigures(direction: LinkDirection, from: EndSightings, to: EndSightings): DirectionFigures {
  const { rate } = direction;
  const flood = deliveries(from, to, 'flood');
  const sparse = deliveries(from, to, 'sparse');
  const arrivalsMs = flood.flatMap(({ arrivedMs }) => arrivedMs.slice(0, 1)).sort((a, b) => a - b);
  const pace = rate.kind === 'trace' ? fitTrace(rate.trace, arrivalsMs) : { udpKbps: floodKbps(arrivalsMs) };
  return definedOnly({
    ...lossFigures(sparse),
    ...pace,
    tcpKbps: streamKbps(to),
    queuePackets: queueBound(flood, direction, shortestWayMs(sparse, direction)),
  });
}

/** A probe, when its sender's end saw it, and when the other end did: never, once, or more often. */
interface Delivery {
  readonly sequence: number;
  readonly bytes: number;
  readonly sentMs: number;
  readonly arrivedMs: readonly number[];
}

/** The probes of a phase from one end to the other, in the order in which they were sent. */
function deliveries(from: EndSightings, to: EndSightings, phase: ProbePhase): Delivery[] {
  const ofPhase = (sightings: readonly ProbeSighting[]) => sightings.filter((each) => each.phase === phase);
  const arrived = Map.groupBy(ofPhase(to.received), ({ sequence }) => sequence);
  return ofPhase(from.sent).map(({ sequence, bytes, timeMs }) => ({
    sequence,
    bytes,
    sentMs: timeMs,
    arrivedMs: (arrived.get(sequence) ?? []).map((sighting) => sighting.timeMs),
  }));
}

/**
 * Round trips of the echoes: the way there and the way back, each by both ends, so that the time that the other end's
 * program took does not count; and without the time that the probe's own bits need at the link's rate.
 */
function roundTripsMs(link: Link, client: EndSightings, server: EndSightings): number[] {
  const back = new Map(deliveries(server, client, 'echo').map((delivery) => [delivery.sequence, delivery]));
  return deliveries(client, server, 'echo').flatMap((there) => {
    const answer = back.get(there.sequence);
    const wayMs = answer && oneWayMs(there, link.up);
    const wayBackMs = answer && oneWayMs(answer, link.down);
    return wayMs === undefined || wayBackMs === undefined ? [] : [wayMs + wayBackMs];
  });
}

/** From one end to the other, without the time of the probe's own bits; nothing where it was lost. */
function oneWayMs({ sentMs, arrivedMs, bytes }: Delivery, { rate }: LinkDirection): number | undefined {
  const at = arrivedMs[0];
  return at === undefined ? undefined : at - sentMs - serializationMs(rate, bytes);
}

function lossFigures(sent: readonly Delivery[]) {
  let bursts = 0;
  let lost = 0;
  let duplicated = 0;
  let reordered = 0;
  let latestMs = 0;
  let lostBefore = false;
  for (const { arrivedMs } of sent) {
    const at = arrivedMs[0];
    if (at === undefined) {
      lost += 1;
      if (!lostBefore) bursts += 1;
    } else {
      if (at < latestMs) reordered += 1;
      latestMs = Math.max(latestMs, at);
      if (arrivedMs.length > 1) duplicated += 1;
    }
    lostBefore = at === undefined;
  }
  const share = (count: number) => (sent.length === 0 ? 0 : (100 * count) / sent.length);
  return {
    lossPercent: share(lost),
    lossProbes: sent.length,
    lost,
    meanBurstPackets: bursts > 0 ? lost / bursts : undefined,
    reorderedPercent: share(reordered),
    duplicatedPercent: share(duplicated),
  };
}

/**
 * The rate at which a flood came out: the median of some forty windows, without the first and last tenth, so that a
 * sender that was held up, and left the queue empty for a moment, is not taken for the link.
 */
function floodKbps(arrivalsMs: readonly number[]): number | undefined {
  const edge = Math.floor(arrivalsMs.length / 10);
  const inside = arrivalsMs.slice(edge, arrivalsMs.length - edge);
  const length = Math.max(10, Math.floor(inside.length / FLOOD_WINDOWS));
  const rates: number[] = [];
  for (let from = 0; from + length < inside.length; from += length)
    rates.push((length * FRAME_BYTES * 8) / (inside[from + length]! - inside[from]!));
  return rates.length === 0 ? undefined : median(rates);
}

/**
 * How many packets wait behind the one being sent when the queue is full. A packet that is accepted right after one
 * was refused takes the last place: it needs the empty link's time, and that of N to N + 1 packets more. The median
 * tells N, since half a packet's time is the widest margin to both sides.
 */
function queueBound(flood: readonly Delivery[], direction: LinkDirection, wayMs: number): number | undefined {
  // With jitter the way itself varies by more than a packet, and what is lost on it was not refused.
  if (direction.rate.kind !== 'constant' || direction.jitterMs > 0 || direction.loss.kind !== 'none') return undefined;
  const packetMs = serializationMs(direction.rate, FRAME_BYTES);
  const waits = flood.flatMap(({ sentMs, arrivedMs }, index) => {
    const before = flood[index - 1];
    const takesLastPlace = before?.arrivedMs.length === 0 && sentMs - before.sentMs < packetMs;
    return takesLastPlace && arrivedMs[0] !== undefined ? [(arrivedMs[0] - sentMs - wayMs) / packetMs] : [];
  });
  return waits.length === 0 ? undefined : Math.floor(median(waits));
}

/** The shortest time of small probes from one end to the other, without that of their own bits. */
function shortestWayMs(sent: readonly Delivery[], direction: LinkDirection): number {
  return sent.reduce((least, delivery) => Math.min(least, oneWayMs(delivery, direction) ?? Infinity), Infinity);
}

/**
 * TCP payload towards an end in three quarters of all quarter seconds, or less: not the mean, since a transfer needs
 * its time to fill the link, and not the highest, since what is held up for a moment comes in a clump.
 */
function streamKbps({ segments }: EndSightings): number | undefined {
  const rates: number[] = [];
  let bytes = 0;
  let windowFrom = segments[0]?.timeMs ?? 0;
  for (const { timeMs, payloadBytes } of segments.slice(1)) {
    bytes += payloadBytes;
    const lastedMs = timeMs - windowFrom;
    if (lastedMs < STREAM_WINDOW_MS) continue;
    rates.push((bytes * 8) / lastedMs);
    bytes = 0;
    windowFrom = timeMs;
  }
  return rates.length === 0 ? undefined : percentile(rates, 0.75);
}

function definedOnly<T extends object>(record: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as never;
}

import { PROBE_PORT } from '../model/calibration.ts';
import type { HostCounts, Traffic, WireCapture } from '../model/capture.ts';
import { flowsTo, type Listener } from './proofs/listeners.ts';

/**
 * What a host sent on the flows of some servers. Its kernel handles several packets as one until they reach the interface (TCP's
 * segments always, QUIC's datagrams if the server hands them over so), so only the interface counts what the wire sees:
 * all of it, less whatever else was sent.
 */
export function sentBy(counts: HostCounts, side: Side, listeners: readonly Listener[]): Traffic {
  return trafficOf('sent', counts, side, listeners);
}

/** What a host received on the flows of some servers: what the link and its queues did not drop. */
export function receivedBy(counts: HostCounts, side: Side, listeners: readonly Listener[]): Traffic {
  return trafficOf('received', counts, side, listeners);
}

type Side = 'client' | 'server';

function trafficOf(way: 'sent' | 'received', counts: HostCounts, side: Side, listeners: readonly Listener[]): Traffic {
  const own = flowsTo(counts.flows, side, listeners);
  const foreign = counts.flows.filter((flow) => !own.includes(flow)).map((flow) => flow[way]);
  const others = sumOf([...foreign, counts.others[way]]);
  return { packets: counts[way].packets - others.packets, bytes: counts[way].bytes - others.bytes };
}

/**
 * Packets that were sent and did not come to the other end. A link that duplicates hides some: what came twice stands for what
 * was lost, and of a link that lost less than it doubled nothing is known.
 */
export function lostPackets(sent: Traffic, received: Traffic): number {
  return Math.max(0, sent.packets - received.packets);
}

/** Packets at the client that were not to or from those servers, nor the harness's own probes. */
export function strayPackets(wire: WireCapture, listeners: readonly Listener[]): number {
  const own = flowsTo(wire.client.flows, 'client', listeners);
  const strays = wire.client.flows.filter((flow) => !own.includes(flow) && flow.otherPort !== PROBE_PORT);
  return sumOf([wire.client.others, ...strays].flatMap(({ sent, received }) => [sent, received])).packets;
}

/** Traffic of several, as one. */
export function sumOf(parts: readonly Traffic[]): Traffic {
  return parts.reduce((all, { packets, bytes }) => ({ packets: all.packets + packets, bytes: all.bytes + bytes }), {
    packets: 0,
    bytes: 0,
  });
}

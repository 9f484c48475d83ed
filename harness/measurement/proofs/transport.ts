import type { Protocol } from '../../model/arm.ts';
import { PROBE_PORT } from '../../model/calibration.ts';
import type { Flow } from '../../model/capture.ts';
import { flowsTo, leadsTo, listenerName, listenersOf } from './listeners.ts';
import { discovers, type Flaw, strayReason, type Testimony } from './testimony.ts';

/** Proof 2: to each server's port went only the transport of its protocol. */
export function proveTransport({ page, wire }: Pick<Testimony, 'page' | 'wire'>): Flaw | undefined {
  const listeners = listenersOf(page);
  const elsewhere = wire.client.flows.find(
    (flow) =>
      flow.opened && flow.otherPort !== PROBE_PORT && !listeners.some((listener) => leadsTo(flow, 'client', listener)),
  );
  if (elsewhere) {
    const { address, otherPort } = elsewhere;
    const byPort = listeners.every((listener) => listener.address === undefined);
    const where = listenerName({ port: otherPort, address: byPort ? undefined : address });
    return { status: 'failed', reason: 'protocol', says: `a connection to ${where} was opened as well` };
  }
  for (const listener of listeners) {
    const spoken = page.origins.filter((origin) => listenerName(origin) === listenerName(listener));
    // A browser that is told of H3 tries both; several names may share an address and a port, of which not all speak it.
    if (spoken.some(discovers)) continue;
    const transports = spoken.map(({ protocol }) => transportOf(protocol));
    for (const side of ['client', 'server'] as const) {
      const flows = flowsTo(wire[side].flows, side, [listener]);
      const isLate = (flow: Flow) => isLateDatagram(flow) && (side === 'client' || page.unlogged);
      const isOther = (flow: Flow) => !transports.includes(flow.transport) && !isLate(flow);
      const wrong = flows.filter((flow) => isOther(flow) && !(page.recorded && isRefused(flow)));
      if (wrong.length === 0) continue;
      const packets = wrong.reduce((sum, { sent, received }) => sum + sent.packets + received.packets, 0);
      const says = `${packets} ${wrong[0]!.transport.toUpperCase()} packets at the ${side}, to ${listenerName(listener)}`;
      return { status: 'failed', reason: strayReason(spoken[0]!.protocol), says };
    }
  }
  return undefined;
}

function transportOf(protocol: Protocol): Flow['transport'] {
  return protocol === 'h3' ? 'udp' : 'tcp';
}

/** What an earlier QUIC connection still has to say: a server that exists already has all arms at one port. */
function isLateDatagram({ transport, opened }: Flow): boolean {
  return transport === 'udp' && !opened;
}

/** A frame of TCP with all its options and no content. */
const BARE_FRAME_BYTES = 80;

/** A connection that was refused: no frame of it has content. A recorded page's WebSocket tries TCP whatever the arm. */
export function isRefused({ transport, sent, received }: Flow): boolean {
  return transport === 'tcp' && [sent, received].every(({ packets, bytes }) => bytes <= BARE_FRAME_BYTES * packets);
}

import { flowsTo, listenersOf } from './listeners.ts';
import { type Flaw, networkRequests, type Testimony } from './testimony.ts';
import { isRefused } from './transport.ts';

/**
 * Proof 2 as well: the wire saw every connection that the browser used. It may have seen more: Chromium opens
 * connections that it finds no use for, since it gives a request to whichever connection is free first.
 */
export function proveConnections(testimony: Testimony): Flaw | undefined {
  const opened = openedConnections(testimony);
  const used = usedConnections(testimony);
  if (opened >= used) return undefined;
  const says = `the browser used ${used} connections, of which the wire saw ${opened} open`;
  return { status: 'void', reason: 'wire', says };
}

/**
 * Connections that the browser opened to the page's servers. Chromium also tries another port where QUIC gets nothing
 * through any more; nothing answers there, and it is no connection.
 */
export function openedConnections({ wire, page }: Pick<Testimony, 'wire' | 'page'>): number {
  return flowsTo(wire.client.flows, 'client', listenersOf(page)).filter(
    (flow) =>
      flow.opened && (flow.transport === 'tcp' || flow.received.packets > 0) && !(page.recorded && isRefused(flow)),
  ).length;
}

/** Connections that requests went over: one for h2 and h3, but where it broke and the rest came over another. */
export function usedConnections(testimony: Pick<Testimony, 'requests' | 'page'>): number {
  return new Set(networkRequests(testimony).flatMap(({ connection }) => connection ?? [])).size;
}

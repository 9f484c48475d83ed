import type { Origin } from '../../model/arm.ts';
import type { Flow } from '../../model/capture.ts';
import type { Page } from '../../model/page.ts';

/** Where a page's server listens: its port, and its address where others may have that port too. */
export type Listener = Pick<Origin, 'port' | 'address'>;

/** Where a page's servers listen, each once. */
export function listenersOf({ origins }: Pick<Page, 'origins'>): readonly Listener[] {
  return [...new Map(origins.map((origin) => [listenerName(origin), origin])).values()];
}

/** The ports that a page's servers listen at, each once. */
export function portsOf({ origins }: Pick<Page, 'origins'>): readonly number[] {
  return [...new Set(origins.map(({ port }) => port))];
}

/** How a listener is told from others, in words. */
export function listenerName({
  address,
  port,
}: {
  readonly port: number;
  readonly address?: string | undefined;
}): string {
  return address === undefined ? `port ${port}` : `${address}:${port}`;
}

/** Flows of a host to or from where some servers listen. */
export function flowsTo(
  flows: readonly Flow[],
  side: 'client' | 'server',
  listeners: readonly Listener[],
): readonly Flow[] {
  return flows.filter((flow) => listeners.some((listener) => leadsTo(flow, side, listener)));
}

/** Whether a flow of a host, the client or the server, is to or from there. */
export function leadsTo({ ownPort, otherPort, address }: Flow, side: 'client' | 'server', listener: Listener): boolean {
  const isThere = listener.address === undefined || listener.address === address;
  return isThere && listener.port === (side === 'client' ? otherPort : ownPort);
}

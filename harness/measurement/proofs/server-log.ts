import type { Origin } from '../../model/arm.ts';
import type { Page } from '../../model/page.ts';
import type { SeenRequest } from '../devtools-log.ts';
import { flowsTo, listenersOf, portsOf } from './listeners.ts';
import { discovers, type Flaw, strayReason, type Testimony, withOrigins } from './testimony.ts';

/** Proof 3: the server's log has every request, by its origin's protocol, over a connection that the wire saw open. */
export function proveServer(testimony: Testimony): Flaw | undefined {
  const { page, wire, server } = testimony;
  const ports = portsOf(page);
  const records = server.filter(({ port }) => ports.includes(port));
  const other = records.find(({ port, protocol }) => !spokenAt(page, port).includes(protocol));
  if (other) {
    const says = `the server answered ${other.request} over ${other.protocol}`;
    const { protocol } = page.origins.find(({ port }) => port === other.port)!;
    return { status: 'failed', reason: strayReason(protocol), says };
  }
  const logged = countBy(records, ({ port, method, request }) => `${port} ${method} ${request}`);
  const keyOf = ([{ method, url }, origin]: [SeenRequest, Origin]) =>
    `${origin.port} ${method} ${url.slice(origin.url.length)}`;
  const asked = withOrigins(testimony);
  const answered = countBy(
    asked.filter(([{ sentMs, status }]) => sentMs !== undefined && status !== undefined),
    keyOf,
  );
  const without = (key: string) => key.replace(/^\d+ /, '');
  const unknown = [...answered].find(([request, count]) => (logged.get(request) ?? 0) < count);
  if (unknown)
    return { status: 'void', reason: 'server-log', says: `the server's log does not know ${without(unknown[0])}` };
  // A browser may ask again for what a broken connection did not bring; it does not ask for what it does not know.
  const known = new Set(asked.map(keyOf));
  const foreign = [...logged.keys()].find((request) => !known.has(request));
  if (foreign && !page.recorded)
    return { status: 'void', reason: 'server-log', says: `the browser's log does not know ${without(foreign)}` };
  const opened = new Set(
    flowsTo(wire.client.flows, 'client', listenersOf(page))
      .filter((flow) => flow.opened)
      .map((flow) => flow.ownPort),
  );
  const unseen = records.find(({ clientPort }) => !opened.has(clientPort));
  if (unseen)
    return {
      status: 'void',
      reason: 'wire',
      says: `${unseen.request} came from port ${unseen.clientPort}, of which the wire saw no opening`,
    };
  return undefined;
}

/** What a server's log may call the protocols that are spoken at a port. */
function spokenAt({ origins }: Page, port: number): readonly string[] {
  return origins
    .filter((origin) => origin.port === port)
    .flatMap((origin) => [origin.protocol === 'h1c' ? 'h1' : origin.protocol, ...(discovers(origin) ? ['h2'] : [])]);
}

function countBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1);
  return counts;
}

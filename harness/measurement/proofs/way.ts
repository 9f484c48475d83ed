import { SEEN_AS } from '../devtools-log.ts';
import { flowsTo, listenerName, listenersOf } from './listeners.ts';
import { type Flaw, type Testimony, withOrigins } from './testimony.ts';

/**
 * Proof 3 without the servers' logs: each answer came from where its origin was found, over a connection of its
 * protocol's transport that passed the link, and the wire carried from there no less than the browser was given.
 */
export function proveWay(testimony: Testimony): Flaw | undefined {
  const { page, wire } = testimony;
  const isVoid = (says: string): Flaw => ({ status: 'void', reason: 'wire', says });
  const answered = withOrigins(testimony).filter(([{ status }]) => status !== undefined);
  const astray = answered.find(([{ address }, origin]) => address !== undefined && address !== origin.address);
  if (astray) return isVoid(`${astray[0].url} was answered by ${astray[0].address}, not ${astray[1].address}`);
  for (const listener of listenersOf(page)) {
    const where = listenerName(listener);
    const [near, beyond] = [
      flowsTo(wire.client.flows, 'client', [listener]),
      flowsTo(wire.server.flows, 'server', [listener]),
    ];
    const passed = new Set(beyond.map(({ transport, otherPort }) => `${transport} ${otherPort}`));
    const around = near.find(
      ({ transport, ownPort, opened, received }) =>
        opened && received.packets > 0 && !passed.has(`${transport} ${ownPort}`),
    );
    if (around) return isVoid(`what came from ${where} to port ${around.ownPort} did not come by way of the link`);
    const own = answered.filter(([, origin]) => listenerName(origin) === where).map(([request]) => request);
    for (const transport of ['tcp', 'udp'] as const) {
      const came = own.filter(({ protocol }) => (protocol === SEEN_AS.h3) === (transport === 'udp'));
      const told = came.reduce((sum, { encodedBytes = 0 }) => sum + encodedBytes, 0);
      const sides = {
        'the gateway': beyond.map(({ transport, sent }) => ({ transport, bytes: sent.bytes })),
        'the client': near.map(({ transport, received }) => ({ transport, bytes: received.bytes })),
      };
      for (const [side, traffics] of Object.entries(sides)) {
        const seen = traffics.filter((each) => each.transport === transport).reduce((sum, { bytes }) => sum + bytes, 0);
        if (came.length === 0 || (seen > 0 && seen >= told)) continue;
        const says = `the browser was given ${told} bytes over ${transport.toUpperCase()} by ${where}, of which ${side} saw ${seen}`;
        return isVoid(says);
      }
    }
  }
  return undefined;
}

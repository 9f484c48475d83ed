import type { Origin } from '../../model/arm.ts';
import type { HostCounts, WireCapture } from '../../model/capture.ts';
import { SEEN_AS, type SeenRequest } from '../devtools-log.ts';
import { flowsTo } from './listeners.ts';
import { discovers, type Flaw, type Testimony, withOrigins } from './testimony.ts';

/*
 * A visit on which a server tells of H3:
 *
 *     page by H2 ─► told ─► QUIC handshake ─► what is asked for from then on comes by H3
 *                     └─ meanwhile by H2 ─┘
 *
 * Three witnesses see the switch, none of which costs the page anything. The wire: a client has the connection's keys, and
 * sends with them, only once the handshake is done and the certificate accepted. The page's own record and the server's
 * log: each request's protocol. A browser that stays on H2 although nothing keeps it there has not made such a visit.
 */

/** Less than a handshake of QUIC's takes from the server; one that takes up a session shows no certificate. */
const ANSWER_BYTES = 200;

/** Whether the browser turned to H3 where it was told of it and asked for more, or knew of it beforehand. */
export function proveSwitch(testimony: Testimony): Flaw | undefined {
  const { page } = testimony;
  const [own] = page.origins;
  if (page.withoutUdp) return proveNone(testimony);
  for (const origin of page.origins.filter((each) => discovers(each) && each.protocol === 'h3')) {
    const requests = withOrigins(testimony)
      .filter(([, its]) => its === origin)
      .map(([request]) => request);
    const flaw = origin === own ? (proveHandshake(testimony, requests) ?? proveFirst(testimony, requests)) : undefined;
    const found = flaw ?? proveUse(requests);
    if (found) return found;
  }
  return undefined;
}

/** A link that lets no datagrams through has none of their answers. */
function proveNone(testimony: Testimony): Flaw | undefined {
  const came = withOrigins(testimony).find(([{ protocol }]) => protocol === SEEN_AS.h3);
  if (came === undefined) return undefined;
  return {
    status: 'void',
    reason: 'link',
    says: `${came[0].url} came over h3 by a link that lets no datagrams through`,
  };
}

/** Whether the browser knew of H3 before it asked for the page: from an earlier visit, or from DNS. */
function knewBefore({ reception, published }: Origin): boolean {
  return reception === 'remembering' || published === true;
}

/** The handshake was answered and ended well, unless a datagram was lost: it may come too late for a short page then. */
function proveHandshake({ page, wire }: Testimony, requests: readonly SeenRequest[]): Flaw | undefined {
  const [own] = page.origins;
  // A browser that asks a server for the page alone learns of H3 and has no use for it.
  if ((requests.length <= 1 && !knewBefore(own)) || hasLost(wire, own)) return undefined;
  const tried = flowsTo(wire.client.flows, 'client', [own]).filter(
    ({ transport, opened, received }) => transport === 'udp' && opened && received.bytes >= ANSWER_BYTES,
  );
  if (tried.length === 0) return fellBack('the browser was told of H3 and did not turn to it');
  if (tried.some(({ sentShort = 0 }) => sentShort > 0)) return undefined;
  return fellBack('the browser was told of H3, and its QUIC handshake did not complete');
}

/** What a browser that knew of H3 asks for first comes by it, unless a datagram was lost: TCP may win the race then. */
function proveFirst({ page, wire }: Testimony, requests: readonly SeenRequest[]): Flaw | undefined {
  const [own] = page.origins;
  const [first] = requests.filter(({ protocol }) => protocol !== undefined && protocol !== '');
  if (!knewBefore(own) || first === undefined || first.protocol === SEEN_AS.h3 || hasLost(wire, own)) return undefined;
  return fellBack(`${first.url} came over ${first.protocol}, although the browser knew of H3 before`);
}

/** Whether a datagram to or from an origin's server did not come to the other end. */
function hasLost({ client, server }: WireCapture, origin: Origin): boolean {
  const count = (side: 'client' | 'server', { flows }: HostCounts, way: 'sent' | 'received') =>
    flowsTo(flows, side, [origin])
      .filter(({ transport }) => transport === 'udp')
      .reduce((sum, flow) => sum + flow[way].packets, 0);
  return (
    count('client', client, 'sent') > count('server', server, 'received') ||
    count('server', server, 'sent') > count('client', client, 'received')
  );
}

/** Beyond four round trips: what a handshake takes on a busy machine, and one that loses a packet. */
const SWITCH_SLACK_MS = 500;

/** No request may take the way of before once H3 is there: after its first answer, or when a handshake must have ended. */
function proveUse(requests: readonly SeenRequest[]): Flaw | undefined {
  const answered = requests
    .filter(({ finishedMs, status }) => finishedMs !== undefined && status !== undefined)
    .toSorted((a, b) => a.finishedMs! - b.finishedMs!);
  const [first] = answered;
  if (first === undefined) return undefined;
  const overH3 = answered.find(({ protocol }) => protocol === SEEN_AS.h3);
  const switchedMs = overH3?.finishedMs ?? mustHaveSwitchedMs(first);
  // One that needs a connection of its own, as fonts do, has its own handshake first.
  const before = new Set(
    answered.flatMap(({ connection, wantedMs }) => (wantedMs < switchedMs ? (connection ?? []) : [])),
  );
  const stale = answered.find(
    ({ protocol, wantedMs, connection }) =>
      protocol !== SEEN_AS.h3 && wantedMs > switchedMs && connection !== undefined && before.has(connection),
  );
  if (stale === undefined) return undefined;
  return fellBack(
    `${stale.url} came over ${stale.protocol} after the browser had ${overH3 ? 'turned to' : 'time to turn to'} h3`,
  );
}

/** Before a first request is sent there are two round trips: TCP's and TLS's. */
function mustHaveSwitchedMs({ wantedMs, sentMs = wantedMs, finishedMs }: SeenRequest): number {
  return finishedMs! + 2 * (sentMs - wantedMs) + SWITCH_SLACK_MS;
}

function fellBack(says: string): Flaw {
  return { status: 'failed', reason: 'fallback', says };
}

/** The share of requests that came by H3, in percent; undefined where no origin of the page has it. */
export function h3SharePercent(testimony: Testimony): number | undefined {
  const answered = withOrigins(testimony).filter(([{ protocol }]) => protocol !== undefined && protocol !== '');
  const has = (origin: Origin) => origin.protocol === 'h3';
  if (!testimony.page.origins.some(has) || answered.length === 0) return undefined;
  return (100 * answered.filter(([{ protocol }]) => protocol === SEEN_AS.h3).length) / answered.length;
}

import type { Origin } from '../../model/arm.ts';
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

/** What a full handshake of QUIC's takes from the server, and more. */
const ANSWER_BYTES = 1_000;

/** Whether the browser turned to H3 where it was told of it and asked for more. */
export function proveSwitch(testimony: Testimony): Flaw | undefined {
  const [own] = testimony.page.origins;
  const told = testimony.page.origins.filter((origin) => discovers(origin) && origin.protocol === 'h3');
  for (const origin of told) {
    const requests = withOrigins(testimony).filter(([, its]) => its === origin);
    const flaw =
      (origin === own ? proveHandshake(testimony, requests.length) : undefined) ??
      proveUse(requests.map(([request]) => request));
    if (flaw) return flaw;
  }
  return undefined;
}

/** Nothing but the page itself is asked of its server: the browser is told of H3 and has no use for it. */
const PAGE_ALONE = 1;

function proveHandshake({ page, wire }: Testimony, requests: number): Flaw | undefined {
  if (requests <= PAGE_ALONE) return undefined;
  const tried = flowsTo(wire.client.flows, 'client', [page.origins[0]]).filter(
    ({ transport, opened, received }) => transport === 'udp' && opened && received.bytes >= ANSWER_BYTES,
  );
  if (tried.length === 0) return fellBack('the browser was told of H3 and did not turn to it');
  if (tried.some(({ sentShort = 0 }) => sentShort > 0)) return undefined;
  return fellBack('the browser was told of H3, and its QUIC handshake did not complete');
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

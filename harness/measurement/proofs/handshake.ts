import { portsOf } from './listeners.ts';
import type { Flaw, Testimony } from './testimony.ts';

/**
 * Proof 4: a cold visit did a full handshake and found nothing in a cache; only a repeat visit finds something there.
 * On a later visit the page itself came over a connection that took a session up: of further ones only as many do as
 * there are tickets, of which Chromium keeps two.
 */
export function proveHandshake(testimony: Testimony): Flaw | undefined {
  const { page, requests, server } = testimony;
  const { visit } = page;
  const ports = portsOf(page);
  const records = server.filter(({ port }) => ports.includes(port));
  const cached = requests.find(({ fromCache }) => fromCache);
  if (visit === 'cold' || visit === 'discovered' || visit === 'first') {
    const resumed = records.find((record) => record.resumed || record.earlyData);
    if (resumed) return { status: 'void', reason: 'not-cold', says: `${resumed.request} took up an earlier session` };
    if (cached && !requests.some(({ url, fromCache }) => url === cached.url && !fromCache))
      return { status: 'void', reason: 'not-cold', says: `${cached.url} came from a cache` };
    return undefined;
  }
  const flaw = page.unlogged ? undefined : proveResumption(testimony);
  if (flaw) return flaw;
  const revalidated = requests.some(({ status }) => status === 304);
  if (visit === 'repeat' && !cached && !revalidated)
    return { status: 'void', reason: 'not-warm', says: 'nothing came from the cache' };
  if (visit !== 'repeat' && cached)
    return { status: 'void', reason: 'not-cold', says: `${cached.url} came from a cache` };
  return undefined;
}

/**
 * Holds that the page's own connection took a session up, and brought a token if it was QUIC's. Without a server's log
 * nothing is known of that.
 */
function proveResumption({ page, server, wire }: Testimony): Flaw | undefined {
  const [own] = page.origins;
  const ports = portsOf(page);
  const records = server.filter(({ port }) => ports.includes(port));
  const ownRecords = records.filter(({ port }) => port === own.port);
  const first = ownRecords.find(({ request }) => request === page.url.slice(own.url.length)) ?? ownRecords[0];
  if (own.protocol !== 'h1c' && !first?.resumed)
    return { status: 'void', reason: 'not-warm', says: "the page's connection did not take up the earlier session" };
  // A visit that was offered H3 and came by H2 made no QUIC handshake in which to send early data.
  if (
    own.protocol === 'h3' &&
    first?.protocol !== 'h2' &&
    !ownRecords.some(({ earlyData }) => earlyData) &&
    !lostUp(wire)
  )
    return { status: 'void', reason: 'not-warm', says: 'nothing was asked before the handshake was done' };
  if (wire.server.retries > 0)
    return { status: 'void', reason: 'not-warm', says: 'the server had the address proven: there was no token' };
  return undefined;
}

/** Whether anything that the client sent did not arrive: what was to come before the handshake may have been sent again after it. */
function lostUp({ client, server }: Testimony['wire']): boolean {
  return client.sent.packets > server.received.packets;
}

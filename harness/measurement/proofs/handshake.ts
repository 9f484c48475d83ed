import { portsOf } from './listeners.ts';
import type { Flaw, Testimony } from './testimony.ts';

/**
 * Proof 4: a cold visit did a full handshake and found nothing in a cache; a later one did not, or did. The page itself came
 * over a connection that took a session up: of further ones only as many do as there are tickets, of which Chromium keeps two.
 */
export function proveHandshake({ page, requests, server, wire }: Testimony): Flaw | undefined {
  const { visit, origins } = page;
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
  const [own] = origins;
  const ownRecords = records.filter(({ port }) => port === own.port);
  const first = ownRecords.find(({ request }) => request === page.url.slice(own.url.length)) ?? ownRecords[0];
  if (own.protocol !== 'h1c' && !first?.resumed)
    return { status: 'void', reason: 'not-warm', says: "the page's connection did not take up the earlier session" };
  // Who was offered H3 and came by H2 had no handshake of QUIC's to be early for.
  if (
    own.protocol === 'h3' &&
    first?.protocol !== 'h2' &&
    !ownRecords.some(({ earlyData }) => earlyData) &&
    !lostUp(wire)
  )
    return { status: 'void', reason: 'not-warm', says: 'nothing was asked before the handshake was done' };
  if (wire.server.retries > 0)
    return { status: 'void', reason: 'not-warm', says: 'the server had the address proven: there was no token' };
  const revalidated = requests.some(({ status }) => status === 304);
  if (visit === 'repeat' && !cached && !revalidated)
    return { status: 'void', reason: 'not-warm', says: 'nothing came from the cache' };
  if (visit !== 'repeat' && cached)
    return { status: 'void', reason: 'not-cold', says: `${cached.url} came from a cache` };
  return undefined;
}

/** Whether anything that the client sent did not arrive: what was to come before the handshake may have been sent again after it. */
function lostUp({ client, server }: Testimony['wire']): boolean {
  return client.sent.packets > server.received.packets;
}

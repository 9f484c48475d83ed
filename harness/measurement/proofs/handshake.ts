import { portsOf } from './listeners.ts';
import type { Flaw, Testimony } from './testimony.ts';

/** Proof 4: a cold visit did a full handshake and found nothing in a cache; a later one did not, or did. */
export function proveHandshake({ page, requests, server, wire }: Testimony): Flaw | undefined {
  const { visit, origins } = page;
  const ports = portsOf(page);
  const records = server.filter(({ port }) => ports.includes(port));
  const cached = requests.find(({ fromCache }) => fromCache);
  if (visit === 'cold' || visit === 'discovered') {
    const resumed = records.find((record) => record.resumed || record.earlyData);
    if (resumed) return { status: 'void', reason: 'not-cold', says: `${resumed.request} took up an earlier session` };
    if (cached && !requests.some(({ url, fromCache }) => url === cached.url && !fromCache))
      return { status: 'void', reason: 'not-cold', says: `${cached.url} came from a cache` };
    return undefined;
  }
  const [own] = origins;
  if (own.protocol !== 'h1c' && !records.some(({ port, resumed }) => port === own.port && resumed))
    return { status: 'void', reason: 'not-warm', says: 'no connection took up the earlier session' };
  if (wire.server.retries > 0)
    return { status: 'void', reason: 'not-warm', says: 'the server had the address proven: there was no token' };
  const revalidated = requests.some(({ status }) => status === 304);
  if (visit === 'repeat' && !cached && !revalidated)
    return { status: 'void', reason: 'not-warm', says: 'nothing came from the cache' };
  if (visit === 'resumed' && cached)
    return { status: 'void', reason: 'not-cold', says: `${cached.url} came from a cache` };
  return undefined;
}

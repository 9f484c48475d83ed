import { hostInLab, recordName } from '../../model/arm.ts';
import type { Flaw, Testimony } from './testimony.ts';

/**
 * Proves by the name server's own word, which costs the page nothing, what a visitor looked up: a new one looks the
 * server's name up, and asks for the HTTPS record that there may be; one that was there before knows both. Servers
 * that have names of their own share one of the lab's: the record's name, which has the port in it, tells them apart.
 */
export function proveLookUp({ page, lookedUp }: Testimony): Flaw | undefined {
  const { visit, recorded, unlogged } = page;
  if (lookedUp === undefined) return undefined;
  const [own] = page.origins;
  const host = recorded || unlogged ? hostInLab(own) : own.host;
  const record = recordName(host, own.port);
  const asksForRecord = lookedUp.includes(`HTTPS ${record}`);
  if (visit !== 'first') {
    if (!asksForRecord) return undefined;
    return { status: 'void', reason: 'not-warm', says: `${record} was looked up, which a visitor who was there knows` };
  }
  if (!lookedUp.includes(`A ${host}`)) return { status: 'void', reason: 'not-cold', says: `${host} was not looked up` };
  if (!asksForRecord)
    return { status: 'void', reason: 'not-cold', says: `the HTTPS record of ${record} was not asked for` };
  return undefined;
}

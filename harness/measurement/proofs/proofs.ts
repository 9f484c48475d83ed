import { proveConnections } from './connections.ts';
import { proveHandshake } from './handshake.ts';
import { proveLookUp } from './look-up.ts';
import { proveContents, proveObjects } from './objects.ts';
import { proveProtocol } from './protocol.ts';
import { proveServer } from './server-log.ts';
import { proveSwitch } from './switch.ts';
import type { Flaw, Testimony } from './testimony.ts';
import { proveTransport } from './transport.ts';
import { proveWay } from './way.ts';

/*
 * A trial ran as it claims if five witnesses agree, which see it from different places:
 *
 *   1 the browser   every request of the page has the arm's protocol, and every object came, whole
 *   2 the wire      the kernels saw the arm's transport only, and no fewer connections than the browser used
 *   3 the server    its log knows every request, by that protocol, on a connection that the wire saw
 *   4 the handshake a cold visit took nothing up; a later one did, and was asked for nothing more
 *   5 the name server where an offer is made: a first visit looked the name up, a later one did not
 *
 * Where a page's servers exist already, their logs are missing. The wire stands in for the third: every answer's bytes
 * came from where its origin was found, by way of the link. Of the fourth only the browser's cache is left to see.
 *
 * What an arm can cause fails the trial; what only the harness can cause makes it void.
 */

/** What is wrong with a trial, what fails it first; nothing where all proofs hold. */
export function findFlaw(testimony: Testimony): Flaw | undefined {
  return (
    proveProtocol(testimony) ??
    proveTransport(testimony) ??
    proveSwitch(testimony) ??
    proveObjects(testimony) ??
    proveConnections(testimony) ??
    (testimony.page.unlogged ? proveWay(testimony) : proveServer(testimony)) ??
    proveHandshake(testimony) ??
    proveLookUp(testimony) ??
    proveContents(testimony)
  );
}

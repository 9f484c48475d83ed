import type { Origin, Visit } from '../model/arm.ts';
import { PROBE_PORT } from '../model/calibration.ts';
import { type Flow, KEPT_BYTES, type ServerRecord, type WireCapture } from '../model/capture.ts';
import type { FailureReason, VoidReason } from '../model/measurement.ts';
import { type Manifest, requiredObjects, type SiteObject } from '../model/site.ts';
import { SEEN_AS, type SeenRequest } from './devtools-log.ts';

/*
 * A trial ran as it claims if four witnesses agree, who see it from different places:
 *
 *   1 the browser   every request of the page has the arm's protocol, and every object came, whole
 *   2 the wire      the kernels saw the arm's transport only, and no fewer connections than the browser used
 *   3 the server    its log knows every request, by that protocol, on a connection that the wire saw
 *   4 the handshake a cold visit took nothing up; a later one did, and was asked for nothing more
 *
 * What an arm can cause fails the trial; what only the harness can cause makes it void.
 */

/** What was found wrong, and whose fault it is. */
export type Flaw =
  | { readonly status: 'failed'; readonly reason: FailureReason; readonly says: string }
  | { readonly status: 'void'; readonly reason: VoidReason; readonly says: string };

/** What a trial claims, and what its witnesses say. */
export interface Testimony {
  readonly origin: Origin;
  readonly visit: Visit;
  readonly manifest: Manifest;
  readonly requests: readonly SeenRequest[];
  readonly digests: Readonly<Record<string, string>>;
  readonly wire: WireCapture;
  readonly server: readonly ServerRecord[];
}

/** What is wrong with a trial, what fails it first; nothing where all four proofs hold. */
export function findFlaw(testimony: Testimony): Flaw | undefined {
  return (
    proveProtocol(testimony) ??
    proveTransport(testimony) ??
    proveObjects(testimony) ??
    proveConnections(testimony) ??
    proveServer(testimony) ??
    proveHandshake(testimony) ??
    proveContents(testimony)
  );
}

/** Requests that the origin under test answered over the network. */
export function networkRequests({ requests, origin }: Pick<Testimony, 'requests' | 'origin'>): readonly SeenRequest[] {
  return requests.filter(({ url, fromCache }) => !fromCache && url.startsWith(`${origin.url}/`));
}

/** Flows of a host to or from the origin's port. */
export function flowsOf(flows: readonly Flow[], side: 'client' | 'server', port: number): readonly Flow[] {
  return flows.filter((flow) => (side === 'client' ? flow.otherPort : flow.ownPort) === port);
}

/** Proof 1: every request of the page came over the arm's protocol. */
function proveProtocol(testimony: Testimony): Flaw | undefined {
  const { origin } = testimony;
  const asked = SEEN_AS[origin.protocol];
  const answered = networkRequests(testimony).filter(({ protocol }) => protocol !== undefined && protocol !== '');
  // Who discovers H3 begins on H2; what is asked for is the switch.
  const others = answered.filter(({ protocol }) => protocol !== asked && !(discovers(origin) && protocol === 'h2'));
  if (others.length > 0) {
    const { url, protocol } = others[0]!;
    const reason = asked === 'h3' ? 'fallback' : 'protocol';
    return { status: 'failed', reason, says: `${url} came over ${protocol}, not ${asked}${more(others)}` };
  }
  return undefined;
}

function more(all: readonly unknown[]): string {
  return all.length > 1 ? ` (and ${all.length - 1} more)` : '';
}

/** Proof 1 as well: every object that a load must bring came, whole. */
function proveObjects(testimony: Testimony): Flaw | undefined {
  const { manifest, digests } = testimony;
  const find = requestFinder(testimony);
  const wrong = manifest.objects.flatMap((object) => {
    const request = find(object);
    if (!isWhole(request) && object.arrives === 'on-scroll') return [];
    const fault = faultOf(object, request, request && digests[request.id]);
    return fault === undefined ? [] : [`${object.path} ${fault}`];
  });
  if (wrong.length === 0) return undefined;
  return { status: 'failed', reason: 'object', says: `${wrong[0]}${more(wrong)}` };
}

/** Finds the request that brought an object. */
function requestFinder({ origin, requests }: Testimony): (object: SiteObject) => SeenRequest | undefined {
  const byUrl = new Map<string, SeenRequest>();
  // Where a thing was asked for more than once, what counts is the time that went well.
  for (const request of requests) if (!isWhole(byUrl.get(request.url))) byUrl.set(request.url, request);
  return ({ path }) => byUrl.get(`${origin.url}${path}`);
}

function isWhole(request: SeenRequest | undefined): boolean {
  return request?.finishedMs !== undefined && request.error === undefined;
}

function faultOf(object: SiteObject, request: SeenRequest | undefined, digest: string | undefined): string | undefined {
  if (!request) return 'is missing';
  if (request.error !== undefined) return `did not arrive: ${request.error}`;
  if (request.finishedMs === undefined) return 'did not arrive in full';
  if (request.status !== 200 && request.status !== 304) return `came with status ${request.status}`;
  if (digest !== undefined)
    return digest === object.sha256
      ? undefined
      : `was altered: ${request.bytes} bytes of ${object.bytes}, SHA-256 ${digest}`;
  // Content that the browser does not keep is known by its length; from a cache it says none.
  if (!request.fromCache && request.status === 200 && request.bytes !== object.bytes)
    return `has ${request.bytes} bytes instead of ${object.bytes}`;
  return undefined;
}

/**
 * Proof 1 as well: what the browser keeps was looked into. Where it did not hand it out, the harness did not look; no arm
 * can cause that, and a trial whose objects are only known by their lengths proves less than the others.
 */
function proveContents(testimony: Testimony): Flaw | undefined {
  const unseen = undigestedObjects(testimony).filter(({ bytes }) => 2 * bytes <= KEPT_BYTES);
  if (unseen.length === 0) return undefined;
  return { status: 'void', reason: 'harness', says: `nobody looked into ${unseen[0]!.path}${more(unseen)}` };
}

/** Required objects that came, of which nobody knows more than the length. */
export function undigestedObjects(testimony: Testimony): readonly SiteObject[] {
  const find = requestFinder(testimony);
  return requiredObjects(testimony.manifest).filter((object) => {
    const request = find(object);
    return request !== undefined && isWhole(request) && testimony.digests[request.id] === undefined;
  });
}

/** Proof 2: only the arm's transport went to the server's port. */
export function proveTransport({ origin, wire }: Pick<Testimony, 'origin' | 'wire'>): Flaw | undefined {
  const quic = origin.protocol === 'h3';
  if (discovers(origin)) return proveSwitch(wire, origin.port);
  const elsewhere = wire.client.flows.find(
    ({ opened, otherPort }) => opened && otherPort !== origin.port && otherPort !== PROBE_PORT,
  );
  if (elsewhere)
    return {
      status: 'failed',
      reason: 'protocol',
      says: `a connection to port ${elsewhere.otherPort} was opened as well`,
    };
  for (const side of ['client', 'server'] as const) {
    const wrong = flowsOf(wire[side].flows, side, origin.port).filter(
      ({ transport }) => (transport === 'udp') !== quic,
    );
    if (wrong.length === 0) continue;
    const packets = wrong.reduce((sum, { sent, received }) => sum + sent.packets + received.packets, 0);
    const says = `${packets} ${wrong[0]!.transport.toUpperCase()} packets at the ${side}, to port ${origin.port}`;
    return { status: 'failed', reason: quic ? 'fallback' : 'protocol', says };
  }
  return undefined;
}

/** Who discovers H3 begins on H2. */
function discovers({ reception }: Origin): boolean {
  return reception === 'discovering';
}

/** What a full handshake of QUIC's takes from the server, and more. */
const ANSWER_BYTES = 1_000;

/**
 * Whoever is told of H3 goes to see, and is let in; what is asked for meanwhile still comes over the connection that is
 * there.
 */
function proveSwitch({ client }: WireCapture, port: number): Flaw | undefined {
  if (
    flowsOf(client.flows, 'client', port).some(
      ({ transport, opened, received }) => transport === 'udp' && opened && received.bytes >= ANSWER_BYTES,
    )
  )
    return undefined;
  return { status: 'failed', reason: 'protocol', says: 'the browser was told of H3 and did not turn to it' };
}

/**
 * Proof 2 as well: the wire saw every connection that the browser used. It may have seen more: Chromium opens
 * connections that it finds no use for, since it gives a request to whichever connection is free first.
 */
function proveConnections(testimony: Testimony): Flaw | undefined {
  const opened = openedConnections(testimony);
  const used = usedConnections(testimony);
  if (opened >= used) return undefined;
  const says = `the browser used ${used} connections, of which the wire saw ${opened} open`;
  return { status: 'void', reason: 'wire', says };
}

/**
 * Connections that the browser opened to the origin under test. Chromium also tries another port where QUIC gets nothing
 * through any more; nobody answers there, and it is no connection.
 */
export function openedConnections({ wire, origin }: Pick<Testimony, 'wire' | 'origin'>): number {
  return flowsOf(wire.client.flows, 'client', origin.port).filter(
    ({ transport, opened, received }) => opened && (transport === 'tcp' || received.packets > 0),
  ).length;
}

/** Connections that requests went over: one for h2 and h3, but where it broke and the rest came over another. */
export function usedConnections(testimony: Pick<Testimony, 'requests' | 'origin'>): number {
  return new Set(networkRequests(testimony).flatMap(({ connection }) => connection ?? [])).size;
}

/** Proof 3: the server's log has every request, by the arm's protocol, over a connection that the wire saw open. */
function proveServer(testimony: Testimony): Flaw | undefined {
  const { origin, wire, server } = testimony;
  const protocol = origin.protocol === 'h1c' ? 'h1' : origin.protocol;
  const records = server.filter(({ port }) => port === origin.port);
  const other = records.find(
    (record) => record.protocol !== protocol && !(discovers(origin) && record.protocol === 'h2'),
  );
  if (other) {
    const says = `the server answered ${other.request} over ${other.protocol}`;
    return { status: 'failed', reason: origin.protocol === 'h3' ? 'fallback' : 'protocol', says };
  }
  const logged = countBy(records, ({ method, request }) => `${method} ${request}`);
  const sent = countBy(sentRequests(testimony), ({ method, url }) => `${method} ${url.slice(origin.url.length)}`);
  const unknown = [...sent].find(([request, count]) => (logged.get(request) ?? 0) < count);
  if (unknown) return { status: 'void', reason: 'server-log', says: `the server's log does not know ${unknown[0]}` };
  // A browser may ask again for what a broken connection did not bring; it does not ask for what it knows nothing of.
  const foreign = [...logged.keys()].find((request) => !sent.has(request));
  if (foreign) return { status: 'void', reason: 'server-log', says: `the browser's log does not know ${foreign}` };
  const opened = new Set(
    flowsOf(wire.client.flows, 'client', origin.port)
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

function sentRequests(testimony: Testimony): readonly SeenRequest[] {
  return networkRequests(testimony).filter(({ sentMs }) => sentMs !== undefined);
}

function countBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1);
  return counts;
}

/** Proof 4: a cold visit did a full handshake and found nothing in a cache; a later one did not, or did. */
function proveHandshake({ visit, origin, requests, server, wire }: Testimony): Flaw | undefined {
  const records = server.filter(({ port }) => port === origin.port);
  const cached = requests.find(({ fromCache }) => fromCache);
  if (visit === 'cold' || visit === 'discovered') {
    const resumed = records.find((record) => record.resumed || record.earlyData);
    if (resumed) return { status: 'void', reason: 'not-cold', says: `${resumed.request} took up an earlier session` };
    if (cached && !requests.some(({ url, fromCache }) => url === cached.url && !fromCache))
      return { status: 'void', reason: 'not-cold', says: `${cached.url} came from a cache` };
    return undefined;
  }
  if (origin.protocol !== 'h1c' && !records.some((record) => record.resumed))
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

/** The objects whose arrival ends a trial. */
export function awaitedUrls(manifest: Manifest, origin: Origin): readonly string[] {
  return requiredObjects(manifest).map(({ path }) => `${origin.url}${path}`);
}

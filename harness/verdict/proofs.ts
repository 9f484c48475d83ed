import type { Origin, Protocol } from '../model/arm.ts';
import { PROBE_PORT } from '../model/calibration.ts';
import { type Flow, KEPT_BYTES, type ServerRecord, type WireCapture } from '../model/capture.ts';
import type { FailureReason, VoidReason } from '../model/measurement.ts';
import { originOf, type Page, type PageObject } from '../model/page.ts';
import { SEEN_AS, type SeenRequest } from './devtools-log.ts';

/*
 * A trial ran as it claims if four witnesses agree, who see it from different places:
 *
 *   1 the browser   every request of the page has the arm's protocol, and every object came, whole
 *   2 the wire      the kernels saw the arm's transport only, and no fewer connections than the browser used
 *   3 the server    its log knows every request, by that protocol, on a connection that the wire saw
 *   4 the handshake a cold visit took nothing up; a later one did, and was asked for nothing more
 *
 * Where a page's servers exist already, nobody has their logs. The wire stands in for the third: every answer's bytes came
 * from where its origin was found, by way of the link. Of the fourth only the browser's cache is left to see.
 *
 * What an arm can cause fails the trial; what only the harness can cause makes it void.
 */

/** What was found wrong, and whose fault it is. */
export type Flaw =
  | { readonly status: 'failed'; readonly reason: FailureReason; readonly says: string }
  | { readonly status: 'void'; readonly reason: VoidReason; readonly says: string };

/** What a trial claims, and what its witnesses say. */
export interface Testimony {
  readonly page: Page;
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
    (testimony.page.unlogged ? proveWay(testimony) : proveServer(testimony)) ??
    proveHandshake(testimony) ??
    proveContents(testimony)
  );
}

/** Requests that the page's origins were to answer, over the network. */
export function networkRequests(testimony: Pick<Testimony, 'requests' | 'page'>): readonly SeenRequest[] {
  return withOrigins(testimony).map(([request]) => request);
}

function withOrigins({ requests, page }: Pick<Testimony, 'requests' | 'page'>): readonly [SeenRequest, Origin][] {
  return requests.flatMap((request): [SeenRequest, Origin][] => {
    const origin = request.fromCache ? undefined : originOf(page, request.url);
    return origin ? [[request, origin]] : [];
  });
}

/** The ports that a page's servers listen at, each once. */
export function portsOf({ origins }: Pick<Page, 'origins'>): readonly number[] {
  return [...new Set(origins.map(({ port }) => port))];
}

/** Whether anything of a page comes by QUIC, of which a kernel knows nothing but datagrams. */
export function usesQuic({ origins }: Pick<Page, 'origins'>): boolean {
  return origins.some(({ protocol }) => protocol === 'h3');
}

/** Where a page's server listens: its port, and its address where others may have that port too. */
export type Listener = Pick<Origin, 'port' | 'address'>;

/** Where a page's servers listen, each once. */
export function listenersOf({ origins }: Pick<Page, 'origins'>): readonly Listener[] {
  return [...new Map(origins.map((origin) => [nameOf(origin), origin])).values()];
}

function nameOf({ address, port }: { readonly port: number; readonly address?: string | undefined }): string {
  return address === undefined ? `port ${port}` : `${address}:${port}`;
}

/** Flows of a host to or from where some servers listen. */
export function flowsTo(
  flows: readonly Flow[],
  side: 'client' | 'server',
  listeners: readonly Listener[],
): readonly Flow[] {
  return flows.filter((flow) => listeners.some((listener) => leadsTo(flow, side, listener)));
}

function leadsTo({ ownPort, otherPort, address }: Flow, side: 'client' | 'server', listener: Listener): boolean {
  const isThere = listener.address === undefined || listener.address === address;
  return isThere && listener.port === (side === 'client' ? otherPort : ownPort);
}

/** Proof 1: every request of the page came over its origin's protocol. */
function proveProtocol(testimony: Testimony): Flaw | undefined {
  const answered = withOrigins(testimony).filter(([{ protocol }]) => protocol !== undefined && protocol !== '');
  // Who discovers H3 begins on H2; what is asked for is the switch.
  const others = answered.filter(
    ([{ protocol }, origin]) => protocol !== SEEN_AS[origin.protocol] && !(discovers(origin) && protocol === 'h2'),
  );
  if (others.length === 0) return undefined;
  const [{ url, protocol }, origin] = others[0]!;
  const says = `${url} came over ${protocol}, not ${SEEN_AS[origin.protocol]}${more(others)}`;
  return { status: 'failed', reason: strayReason(origin.protocol), says };
}

/** What it is called where something else was spoken than was to be. */
function strayReason(asked: Protocol): 'fallback' | 'protocol' {
  return asked === 'h3' ? 'fallback' : 'protocol';
}

function more(all: readonly unknown[]): string {
  return all.length > 1 ? ` (and ${all.length - 1} more)` : '';
}

/** Proof 1 as well: every object that a load must bring came, whole. */
function proveObjects(testimony: Testimony): Flaw | undefined {
  const { page, digests } = testimony;
  const find = requestFinder(testimony);
  const wrong = page.objects.flatMap((object) => {
    const request = find(object);
    // What need not come is looked into where it came as a whole: a player asks for parts, and a worker's script is
    // answered to somebody else.
    if (!object.required && !(isWhole(request) && WHOLE.includes(request!.status!))) return [];
    const fault = faultOf(object, request, request && digests[request.id]);
    return fault === undefined ? [] : [`${shortUrl(page, object)} ${fault}`];
  });
  if (wrong.length === 0) return undefined;
  return { status: 'failed', reason: 'object', says: `${wrong[0]}${more(wrong)}` };
}

/** What is of the page's own origin is known by its path. */
function shortUrl({ origins }: Page, { url }: PageObject): string {
  return url.startsWith(`${origins[0].url}/`) ? url.slice(origins[0].url.length) : url;
}

/** Finds the request that brought an object. */
function requestFinder({ requests }: Testimony): (object: PageObject) => SeenRequest | undefined {
  const byUrl = new Map<string, SeenRequest>();
  // Where a thing was asked for more than once, what counts is the time that went well.
  for (const request of requests) if (!isWhole(byUrl.get(request.url))) byUrl.set(request.url, request);
  return ({ url }) => byUrl.get(url);
}

function isWhole(request: SeenRequest | undefined): boolean {
  return request?.finishedMs !== undefined && request.error === undefined;
}

const WHOLE: readonly number[] = [200, 304];

function faultOf(object: PageObject, request: SeenRequest | undefined, digest: string | undefined): string | undefined {
  if (!request) return 'is missing';
  if (request.error !== undefined) return `did not arrive: ${request.error}`;
  if (request.finishedMs === undefined) return 'did not arrive in full';
  if (!WHOLE.includes(request.status!)) return `came with status ${request.status}`;
  if (digest !== undefined && object.sha256 !== undefined)
    return digest === object.sha256
      ? undefined
      : `was altered: ${request.bytes} bytes of ${object.bytes}, SHA-256 ${digest}`;
  // Content that the browser does not keep is known by its length; from a cache it says none.
  if (object.bytes === undefined) return undefined;
  if (!request.fromCache && request.status === 200 && request.bytes !== object.bytes)
    return `has ${request.bytes} bytes instead of ${object.bytes}`;
  return undefined;
}

/**
 * Proof 1 as well: what the browser keeps was looked into. Where it did not hand it out, the harness did not look; no arm
 * can cause that, and a trial whose objects are only known by their lengths proves less than the others.
 */
function proveContents(testimony: Testimony): Flaw | undefined {
  const unseen = undigestedObjects(testimony).filter(
    ({ bytes, unkept }) => !unkept && bytes !== undefined && 2 * bytes <= KEPT_BYTES,
  );
  if (unseen.length === 0) return undefined;
  return {
    status: 'void',
    reason: 'harness',
    says: `nobody looked into ${shortUrl(testimony.page, unseen[0]!)}${more(unseen)}`,
  };
}

/** Required objects that came, of which nobody knows more than the length, or not even what that should be. */
export function undigestedObjects(testimony: Testimony): readonly PageObject[] {
  const find = requestFinder(testimony);
  return testimony.page.objects.filter((object) => {
    const request = object.required ? find(object) : undefined;
    const known = object.sha256 !== undefined && request !== undefined && testimony.digests[request.id] !== undefined;
    return isWhole(request) && !known;
  });
}

/** Proof 2: to each server's port went only the transport of its protocol. */
export function proveTransport({ page, wire }: Pick<Testimony, 'page' | 'wire'>): Flaw | undefined {
  const [own] = page.origins;
  if (discovers(own)) {
    const flaw = proveSwitch(wire, own);
    if (flaw) return flaw;
  }
  const listeners = listenersOf(page);
  const elsewhere = wire.client.flows.find(
    (flow) =>
      flow.opened && flow.otherPort !== PROBE_PORT && !listeners.some((listener) => leadsTo(flow, 'client', listener)),
  );
  if (elsewhere) {
    const { address, otherPort } = elsewhere;
    const byPort = listeners.every((listener) => listener.address === undefined);
    const where = nameOf({ port: otherPort, address: byPort ? undefined : address });
    return { status: 'failed', reason: 'protocol', says: `a connection to ${where} was opened as well` };
  }
  for (const listener of listeners) {
    const spoken = page.origins.filter((origin) => nameOf(origin) === nameOf(listener));
    // Who is told of H3 tries both; several names may share an address and a port, of which not all speak it.
    if (spoken.some(discovers)) continue;
    const transports = spoken.map(({ protocol }) => transportOf(protocol));
    for (const side of ['client', 'server'] as const) {
      const flows = flowsTo(wire[side].flows, side, [listener]);
      const wrong = flows.filter((flow) => !transports.includes(flow.transport) && !(page.recorded && isRefused(flow)));
      if (wrong.length === 0) continue;
      const packets = wrong.reduce((sum, { sent, received }) => sum + sent.packets + received.packets, 0);
      const says = `${packets} ${wrong[0]!.transport.toUpperCase()} packets at the ${side}, to ${nameOf(listener)}`;
      return { status: 'failed', reason: strayReason(spoken[0]!.protocol), says };
    }
  }
  return undefined;
}

function transportOf(protocol: Protocol): Flow['transport'] {
  return protocol === 'h3' ? 'udp' : 'tcp';
}

/** A frame of TCP with all its options and no content. */
const BARE_FRAME_BYTES = 80;

/** A connection that was refused: no frame of it has content. A recorded page's WebSocket tries TCP whatever the arm. */
export function isRefused({ transport, sent, received }: Flow): boolean {
  return transport === 'tcp' && [sent, received].every(({ packets, bytes }) => bytes <= BARE_FRAME_BYTES * packets);
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
function proveSwitch({ client }: WireCapture, listener: Listener): Flaw | undefined {
  if (
    flowsTo(client.flows, 'client', [listener]).some(
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
 * Connections that the browser opened to the page's servers. Chromium also tries another port where QUIC gets nothing
 * through any more; nobody answers there, and it is no connection.
 */
export function openedConnections({ wire, page }: Pick<Testimony, 'wire' | 'page'>): number {
  return flowsTo(wire.client.flows, 'client', listenersOf(page)).filter(
    (flow) =>
      flow.opened && (flow.transport === 'tcp' || flow.received.packets > 0) && !(page.recorded && isRefused(flow)),
  ).length;
}

/** Connections that requests went over: one for h2 and h3, but where it broke and the rest came over another. */
export function usedConnections(testimony: Pick<Testimony, 'requests' | 'page'>): number {
  return new Set(networkRequests(testimony).flatMap(({ connection }) => connection ?? [])).size;
}

/** Proof 3: the server's log has every request, by its origin's protocol, over a connection that the wire saw open. */
function proveServer(testimony: Testimony): Flaw | undefined {
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
  // A browser may ask again for what a broken connection did not bring; it does not ask for what it knows nothing of.
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

/**
 * Proof 3 where nobody has the servers' logs: each answer came from where its origin was found, over a connection of its
 * protocol's transport that passed the link, and the wire carried from there no less than the browser was given.
 */
function proveWay(testimony: Testimony): Flaw | undefined {
  const { page, wire } = testimony;
  const isVoid = (says: string): Flaw => ({ status: 'void', reason: 'wire', says });
  const answered = withOrigins(testimony).filter(([{ status }]) => status !== undefined);
  const astray = answered.find(([{ address }, origin]) => address !== undefined && address !== origin.address);
  if (astray) return isVoid(`${astray[0].url} was answered by ${astray[0].address}, not ${astray[1].address}`);
  for (const listener of listenersOf(page)) {
    const where = nameOf(listener);
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
    const own = answered.filter(([, origin]) => nameOf(origin) === where).map(([request]) => request);
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

/** Proof 4: a cold visit did a full handshake and found nothing in a cache; a later one did not, or did. */
function proveHandshake({ page, requests, server, wire }: Testimony): Flaw | undefined {
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

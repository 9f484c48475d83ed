import { OFFER_TITLES, type Offer, type OfferVisit, protocolOffered } from './offer.ts';

/** The protocols that can be compared; `h1c` is HTTP/1.1 in the clear. */
export const PROTOCOLS = ['h1', 'h2', 'h3', 'h1c'] as const;

export type Protocol = (typeof PROTOCOLS)[number];

const PROTOCOL_TITLES: Readonly<Record<Protocol, string>> = {
  h1: 'HTTP/1.1',
  h2: 'HTTP/2',
  h3: 'HTTP/3',
  h1c: 'HTTP/1.1 without TLS',
};

interface TitledArm {
  readonly name: string;
  readonly protocol: Protocol;
  readonly congestion?: string | undefined;
}

/** What people call an arm: its protocol, also with its congestion control, or the name that a study gave it. */
export function titleOfArm({ name, protocol, congestion }: TitledArm): string {
  if (name === protocol) return PROTOCOL_TITLES[protocol];
  if (congestion !== undefined && name === `${protocol}-${congestion}`)
    return `${PROTOCOL_TITLES[protocol]} with ${congestion.toUpperCase()}`;
  return Object.hasOwn(OFFER_TITLES, name) ? OFFER_TITLES[name as Offer] : name;
}

/** The visits that a study names. Visits of different kinds are never compared. */
export const VISITS = ['cold', 'resumed', 'repeat', 'discovered'] as const;

/**
 * What is carried over into a visit:
 *
 *     cold        nothing
 *     resumed     TLS tickets and QUIC tokens, no cache
 *     repeat      the HTTP cache and the rest, on new connections
 *     discovered  nothing; H3 is not forced: the browser learns of it from Alt-Svc
 *
 * Visits to a server that makes an offer are in `offer.ts`.
 */
export type Visit = (typeof VISITS)[number] | OfferVisit;

/**
 * How a server receives: `first` gives out no tickets, `returning` does and takes early data. Two tell of H3 over TCP as
 * well: `discovering` is otherwise like `first`, `remembering` like `returning`.
 */
export type Reception = 'first' | 'returning' | 'discovering' | 'remembering';

/** Whether a server that has H3 tells of it over TCP. */
export function tells({ reception }: Pick<Origin, 'reception'>): boolean {
  return reception === 'discovering' || reception === 'remembering';
}

/** What the names of all the lab's own servers end with. */
export const LAB_DOMAIN = 'photofinish.test';

/** How one arm of a comparison is reached in a lab: a name and a port of its own. */
export interface Origin {
  readonly protocol: Protocol;
  readonly reception: Reception;
  readonly host: string;
  readonly port: number;
  /** Where its server is, of those that may share a port; absent: the lab's server, which has its ports for itself. */
  readonly address?: string | undefined;
  /** Scheme, host and port. */
  readonly url: string;
  /** Whether an HTTPS record in DNS tells of its H3. */
  readonly published?: true | undefined;
}

/**
 * Every origin that the server in this slot has: the ports of each slot lie a hundred above those of the one before. Names are
 * equally long, and so are ports: no arm has a byte more to send.
 */
export function originsAt(slot: number): readonly Origin[] {
  return [
    ...PROTOCOLS.map((protocol) => makeOrigin(protocol, 'first', slot)),
    ...PROTOCOLS.map((protocol) => makeOrigin(protocol, 'returning', slot)),
    makeOrigin('h3', 'discovering', slot),
    makeOrigin('h3', 'remembering', slot),
  ];
}

/** The host name for which DNS tells that its servers have H3. */
const PUBLISHED_HOST = hostNamed('hr');

/**
 * The name under which a browser that looks names up finds a server which has a name of its own: a recorded site's, or one
 * that exists already and has an address.
 */
export function hostInLab({ published, address }: Pick<Origin, 'published' | 'address'>): string {
  if (address !== undefined) return hostNamed(`${published ? 'hr' : 'at'}-${address.replaceAll('.', '-')}`);
  return published ? PUBLISHED_HOST : hostNamed('h3');
}

/** Every name of the lab's own servers. */
export const LAB_HOSTS: readonly string[] = [...new Set(originsAt(0).map(({ host }) => host)), PUBLISHED_HOST];

/** The origin that serves a protocol to visitors of a kind; of the first server where none is named. */
export function originFor(protocol: Protocol, visit: Visit, slot = 0): Origin {
  return makeOrigin(protocol, receptionOf(protocol, visit), slot);
}

/** The origin that makes an offer to visitors of a kind. */
export function originOffering(offer: Offer, visit: Visit, slot = 0): Origin {
  const protocol = protocolOffered(offer);
  const origin = makeOrigin(protocol, receptionOffering(protocol, visit), slot);
  return offer === 'h3-record' ? published(origin) : origin;
}

/** The origins of a server for which DNS tells of H3. */
export function publishedAt(slot: number): readonly Origin[] {
  return originsAt(slot)
    .filter((origin) => tells(origin))
    .map(published);
}

/** The origin's server under the name for which DNS announces H3. */
function published({ port, ...origin }: Origin): Origin {
  return { ...origin, port, host: PUBLISHED_HOST, url: `https://${PUBLISHED_HOST}:${port}`, published: true };
}

/** A port that nothing listens at (discard; Chromium sends nothing there). */
const UNUSED_PORT = 9;

/**
 * Where QUIC is forced so that a browser may speak it to an origin. Chromium accepts a certificate whose root it does not
 * know over QUIC for the hosts of this list alone, whatever their port: a host that is to tell of H3 itself is on it with
 * a port that nothing uses, which forces nothing.
 */
export function forcedAt(origin: Origin): Pick<Origin, 'host' | 'port'> {
  return { host: origin.host, port: tells(origin) ? UNUSED_PORT : origin.port };
}

/** The port that an address names, or that its scheme has. */
export function portOf(url: string): number {
  const { port, protocol } = new URL(url);
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
}

/** What an HTTPS record is asked for by: a port that is not the scheme's is part of the name. */
export function recordName(host: string, port: number): string {
  return port === 443 ? host : `_${port}._https.${host}`;
}

/** How a server receives visitors of a kind. */
export function receptionOf(protocol: Protocol, visit: Visit): Reception {
  if (visit === 'resumed' || visit === 'repeat' || visit === 'returning') return 'returning';
  return visit === 'discovered' && protocol === 'h3' ? 'discovering' : 'first';
}

/** How a server that offers a protocol receives this kind of visitor. */
export function receptionOffering(protocol: 'h2' | 'h3', visit: Visit): Reception {
  if (visit === 'first') return protocol === 'h3' ? 'discovering' : 'first';
  return protocol === 'h3' ? 'remembering' : 'returning';
}

function hostNamed(name: string): string {
  return `${name}.${LAB_DOMAIN}`;
}

function makeOrigin(protocol: Protocol, reception: Reception, slot: number): Origin {
  const host = hostNamed(protocol.slice(0, 2));
  const port =
    { first: 4430, returning: 4440, discovering: 4450, remembering: 4460 }[reception] +
    (protocol === 'h1c' ? 0 : Number(protocol[1])) +
    100 * slot;
  return { protocol, reception, host, port, url: `${protocol === 'h1c' ? 'http' : 'https'}://${host}:${port}` };
}

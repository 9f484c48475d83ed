/** The protocols that can be compared; `h1c` is HTTP/1.1 in the clear. */
export const PROTOCOLS = ['h1', 'h2', 'h3', 'h1c'] as const;

export type Protocol = (typeof PROTOCOLS)[number];

const PROTOCOL_TITLES: Readonly<Record<Protocol, string>> = {
  h1: 'HTTP/1.1',
  h2: 'HTTP/2',
  h3: 'HTTP/3',
  h1c: 'HTTP/1.1 without TLS',
};

/** What people call an arm: its protocol, or the name that a study gave it. */
export function titleOfArm({ name, protocol }: { readonly name: string; readonly protocol: Protocol }): string {
  return name === protocol ? PROTOCOL_TITLES[protocol] : name;
}

/** What a visitor's browser still knows from an earlier visit. Visits of different kinds are never compared. */
export const VISITS = ['cold', 'resumed', 'repeat', 'discovered'] as const;

/**
 * What is carried over into a visit:
 *
 *     cold        nothing
 *     resumed     TLS tickets and QUIC tokens, no cache
 *     repeat      the HTTP cache and the rest, on new connections
 *     discovered  nothing; H3 is not forced: the browser learns of it from Alt-Svc
 */
export type Visit = (typeof VISITS)[number];

/** How a server receives: `first` gives out no tickets, `returning` does and takes early data, `discovering` tells of H3. */
export type Reception = 'first' | 'returning' | 'discovering';

/** How one arm of a comparison is reached in a lab: a name and a port of its own. */
export interface Origin {
  readonly protocol: Protocol;
  readonly reception: Reception;
  readonly host: string;
  readonly port: number;
  /** Where its server is, of those that may share a port; absent: the lab's server, which has its ports for itself. */
  readonly address?: string;
  /** Scheme, host and port. */
  readonly url: string;
}

/** How many servers a host has room for: the ports of each lie a hundred above those of the one before. */
export const SLOTS = 50;

/** Every origin that a server has. Names are equally long, and so are ports: no arm has a byte more to send. */
export function originsAt(slot: number): readonly Origin[] {
  return [
    ...PROTOCOLS.map((protocol) => makeOrigin(protocol, 'first', slot)),
    ...PROTOCOLS.map((protocol) => makeOrigin(protocol, 'returning', slot)),
    makeOrigin('h3', 'discovering', slot),
  ];
}

/** The origin that serves a protocol to visitors of a kind; of the first server where none is named. */
export function originFor(protocol: Protocol, visit: Visit, slot = 0): Origin {
  return makeOrigin(protocol, receptionOf(protocol, visit), slot);
}

/** A port that nothing listens at (discard; Chromium asks nobody there). */
const UNUSED_PORT = 9;

/**
 * Where QUIC is forced so that a browser may speak it to an origin. Chromium accepts a certificate whose root it does not
 * know over QUIC for the hosts of this list alone, whatever their port: a host that is to tell of H3 itself is on it with
 * a port that nothing uses, which forces nothing.
 */
export function forcedAt({ host, port, reception }: Origin): Pick<Origin, 'host' | 'port'> {
  return { host, port: reception === 'discovering' ? UNUSED_PORT : port };
}

/** The port that an address names, or that its scheme has. */
export function portOf(url: string): number {
  const { port, protocol } = new URL(url);
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
}

/** How a server receives visitors of a kind. */
export function receptionOf(protocol: Protocol, visit: Visit): Reception {
  if (visit === 'resumed' || visit === 'repeat') return 'returning';
  return visit === 'discovered' && protocol === 'h3' ? 'discovering' : 'first';
}

function makeOrigin(protocol: Protocol, reception: Reception, slot: number): Origin {
  const host = `${protocol.slice(0, 2)}.photofinish.test`;
  const port =
    { first: 4430, returning: 4440, discovering: 4450 }[reception] +
    (protocol === 'h1c' ? 0 : Number(protocol[1])) +
    100 * slot;
  return { protocol, reception, host, port, url: `${protocol === 'h1c' ? 'http' : 'https'}://${host}:${port}` };
}

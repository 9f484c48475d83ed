/** The protocols that can be compared; `h1c` is HTTP/1.1 in the clear. */
export const PROTOCOLS = ['h1', 'h2', 'h3', 'h1c'] as const;

export type Protocol = (typeof PROTOCOLS)[number];

/** How one arm of a comparison is reached in a lab: a name and a port of its own. */
export interface Origin {
  readonly protocol: Protocol;
  readonly host: string;
  readonly port: number;
  /** Scheme, host and port. */
  readonly url: string;
}

/** Every protocol's origin. The names are equally long, and so are the ports: no arm has a byte more to send. */
export const ORIGINS: Readonly<Record<Protocol, Origin>> = {
  h1: origin('h1', 'https', 4431),
  h2: origin('h2', 'https', 4432),
  h3: origin('h3', 'https', 4433),
  h1c: origin('h1c', 'http', 4430),
};

function origin(protocol: Protocol, scheme: string, port: number): Origin {
  const host = `${protocol.slice(0, 2)}.photofinish.test`;
  return { protocol, host, port, url: `${scheme}://${host}:${port}` };
}

import { type Origin, type Protocol, receptionOf, receptionOffering, type Visit } from '../../model/arm.ts';
import type { Offer } from '../../model/offer.ts';
import type { PageObject } from '../../model/page.ts';
import type { RecordedManifest, RecordedResponse, ReplayOrigin } from '../../model/recording.ts';
import { findServers, ownOrigin } from './addresses.ts';

/** How a recorded site should be served. */
export interface ServingWish {
  readonly protocol: Protocol;
  readonly visit: Visit;
  readonly offer?: Offer | undefined;
  /** Whether the arm's protocol is that of all origins, and not of the page's own server alone. */
  readonly allOrigins: boolean;
  /** The first port of the lab's that is free; as many as are needed follow it. */
  readonly firstPort: number;
}

/**
 * The origins of a recorded site as a lab serves them, the page's own first. The browser asks for their own addresses and
 * is led to one address with as many ports as the site had servers: a browser shares a connection between names that
 * lead to the same address and port, and so shares here what it shared there.
 */
export function servedOrigins(manifest: RecordedManifest, wish: ServingWish): readonly [Origin, ...Origin[]] {
  const ports = new Map<string, number>();
  const portFor = (key: string) => {
    const port = ports.get(key) ?? wish.firstPort + ports.size;
    ports.set(key, port);
    return port;
  };
  const originFor = (place: number, { origin, host, port, ...own }: ReplayOrigin): Origin => {
    const protocol = protocolFor(own, wish);
    // Others tell of nothing that a visitor would have to discover.
    const isArms = own.firstParty || wish.allOrigins;
    const visit = wish.visit === 'discovered' && !isArms ? 'cold' : wish.visit;
    const isOffered = wish.offer !== undefined && isArms && (protocol === 'h2' || protocol === 'h3');
    const reception = isOffered ? receptionOffering(protocol, visit) : receptionOf(protocol, visit);
    return {
      protocol,
      reception,
      host,
      url: origin,
      // TCP and QUIC may share a number; two servers are told apart by theirs.
      port: portFor(`${place} ${port} ${protocol === 'h3'}`),
    };
  };
  const origins = findServers(manifest).flatMap(({ place, origins }) => origins.map((each) => originFor(place, each)));
  const own = ownOrigin(manifest);
  return [origins.find(({ url }) => url === own)!, ...origins.filter(({ url }) => url !== own)];
}

/** What needs no TLS has none in any arm: H2 and H3 are spoken over TLS alone. */
function protocolFor(
  { secure, firstParty, protocol }: Pick<ReplayOrigin, 'secure' | 'firstParty' | 'protocol'>,
  wish: ServingWish,
): Protocol {
  if (!secure) return 'h1c';
  // An arm in the clear holds only for origins in the clear; others keep their own protocol.
  if (wish.protocol === 'h1c') return protocol;
  return firstParty || wish.allOrigins ? wish.protocol : protocol;
}

/** Addresses that came each time before the load event, and whether the browser handed their contents out each time. */
export type DryRun = ReadonlyMap<string, boolean>;

/**
 * The objects of a recorded site that a load can be held to: what was recorded once for an address, and so is the same
 * whenever it comes. `required` says which of them every load has brought so far.
 */
export function servedObjects({ responses }: RecordedManifest, required: DryRun): readonly PageObject[] {
  const byUrl = Map.groupBy(responses.filter(isContent), ({ url }) => url);
  return [...byUrl].flatMap(([url, [response, ...others]]): PageObject[] => {
    const { bytes, sha256 } = response!.content!;
    return others.some(({ content }) => content!.sha256 !== sha256)
      ? []
      : [{ url, bytes, sha256, required: required.has(url), unkept: required.get(url) === false ? true : undefined }];
  });
}

function isContent({ method, status, content }: RecordedResponse): boolean {
  return method === 'GET' && status === 200 && content !== undefined;
}

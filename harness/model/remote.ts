import { forcedAt, hostInLab, type Origin, PROTOCOLS, type Protocol, type Visit } from './arm.ts';
import { UsageError } from './errors.ts';
import type { Offer } from './offer.ts';
import type { Page, PageObject } from './page.ts';
import { normalUrl } from './recording.ts';
import type { ServerAbilities } from './server.ts';
import type { SiteFacts } from './site.ts';

/** What a server is called that exists already, and is only loaded from. */
export const REMOTE = 'remote';

/**
 * What can be asked of any server that exists already. Whether a connection to it resumes an earlier one cannot be
 * told, so that only visitors with offers come back to it: they are known by what they make of H3. Its congestion
 * control cannot be chosen.
 */
export const REMOTE_ABILITIES: ServerAbilities = {
  protocols: ['h1', 'h2', 'h3', 'h1c'],
  visits: ['cold', 'discovered'],
  offersAnyway: true,
  congestions: [],
};

/** The address that a text is, as it is asked for; undefined where it is the name of something. */
export function parseAddress(text: string): string | undefined {
  if (!isAddress(text)) return undefined;
  // Conditions are called after their sites, with bars between their parts.
  return normalUrl(text)?.replaceAll('|', '%7C');
}

/** Why an address is refused before anything is asked of it; undefined where it is not. */
export function whyRefused(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const { username, password } = new URL(address);
  return username === '' && password === ''
    ? undefined
    : 'it has a name or a password in it, which no browser sends along with what a page loads';
}

/** Whether a text is meant as an address, and not as a name. */
export function isAddress(text: string): boolean {
  return /^https?:\/\//i.test(text);
}

/** Where a server is. */
export interface ServerPlace {
  readonly address: string;
  readonly port: number;
}

/** A site that exists already: its name is the address that was asked for. */
export interface FoundSite {
  readonly manifest: RemoteSite & { readonly site: string };
}

/** A page that exists already, as it was found before anything of it was measured. */
export interface RemoteSite {
  /** The address as the user wrote it, before redirects. */
  readonly asked: string;
  /** The page itself, where redirects end. */
  readonly url: string;
  readonly atMs: number;
  /** What saw it: `Chrome/156.0.8078.79`. */
  readonly by: string;
  /** Its origins, the page's own first. */
  readonly origins: readonly [RemoteOrigin, ...RemoteOrigin[]];
  /** What came each time that the page was looked at, whole. */
  readonly objects: readonly PageObject[];
  /** The bytes that came in the first look in all, as they were sent. */
  readonly bytes: number;
  /**
   * SHA-256 of public keys, in base64, that are accepted without a trusted signature; none where certificates must be
   * valid.
   */
  readonly trusted: readonly string[];
  /** Sentences on what was found. */
  readonly notes: readonly string[];
}

/** An origin that a page loads from, and what it can do. */
export interface RemoteOrigin extends ServerPlace {
  /** Scheme, host and port, as in `https://example.com`. */
  readonly origin: string;
  readonly host: string;
  /** What it speaks over TCP where H2 is allowed. */
  readonly tcp: 'h1' | 'h2' | 'h1c';
  /**
   * Whether it told of H3 at its own host and port, and answered over it; `mute` where its answers over H3 do not tell of H3:
   * a browser that is made to use H3 from the first request on would take it for a server without priorities, and hold all
   * but six requests back.
   */
  readonly h3: 'answers' | 'untold' | 'silent' | 'mute';
  /** The round trip to it from this machine, in milliseconds, as near as its handshakes tell. */
  readonly rttMs?: number | undefined;
}

/** Every place that a page loads from, each once: what an uplink leads to. */
export function serverPlacesOf(sites: readonly Pick<RemoteSite, 'origins'>[]): readonly ServerPlace[] {
  const places = sites.flatMap(({ origins }) => origins.map(({ address, port }): ServerPlace => ({ address, port })));
  return [...new Map(places.map((place) => [`${place.address}:${place.port}`, place])).values()];
}

/** What a browser is told so that a page comes by an arm's protocol from where it was found. */
export interface RemoteBrowser {
  readonly kind: 'tcp' | 'quic' | 'discovering' | 'offered';
  /** Names with their ports, and where they lead: to an address, or to a name of the lab's that is looked up. */
  readonly mapped: readonly { readonly host: string; readonly port: number; readonly address: string }[];
  /** Digests of the keys to accept, as the browser's argument has them; empty where certificates must be valid. */
  readonly spki: string;
  readonly quicOrigins: readonly Pick<Origin, 'host' | 'port'>[];
  readonly more: readonly string[];
}

/**
 * The page as an arm loads it. HTTP/1.1 and HTTP/2 are the browser's choice, which makes it for all origins at once; QUIC
 * is forced on all that answer over it.
 */
export function remotePage(site: RemoteSite, protocol: Protocol, visit: Visit, offer?: Offer): Page {
  assertOffered(site, protocol);
  const [own, ...others] = site.origins.map((each, place) =>
    offer === undefined ? originFor(each, protocol, visit) : originOffering(each, offer, place === 0 ? visit : 'first'),
  );
  return { url: site.url, visit, origins: [own!, ...others], objects: site.objects, unlogged: true };
}

/**
 * Has every WebSocket fail at once, in every arm: sockets alone go by a proxy whose name leads nowhere. Chromium opens them over TCP,
 * also to a server that it must use QUIC with, which would be a fallback.
 */
const WITHOUT_SOCKETS = '--proxy-server=http=direct://;https=direct://;socks=socks5://nowhere.invalid:1';

/** The browser that loads a page in this way. */
export function remoteBrowser(site: RemoteSite, protocol: Protocol, visit: Visit, offer?: Offer): RemoteBrowser {
  const { origins } = remotePage(site, protocol, visit, offer);
  const quicOrigins = origins.filter((origin) => origin.protocol === 'h3').map(forcedAt);
  const spki = site.trusted.join(',');
  if (offer !== undefined)
    return {
      kind: 'offered',
      mapped: origins.map((origin) => ({ host: origin.host, port: origin.port, address: hostInLab(origin) })),
      spki,
      quicOrigins,
      // The server tells of H3 whatever is compared: a browser without QUIC takes it for a server without H3.
      more: [WITHOUT_SOCKETS, ...(offer === 'h2' ? ['--disable-quic'] : [])],
    };
  return {
    kind: protocol !== 'h3' ? 'tcp' : visit === 'discovered' ? 'discovering' : 'quic',
    mapped: site.origins.map(({ host, port, address }) => ({ host, port, address })),
    spki,
    quicOrigins,
    more: [WITHOUT_SOCKETS, ...(protocol === 'h1' ? ['--disable-http2'] : [])],
  };
}

/** Throws where a page's own server does not speak a protocol, with what it does. */
export function assertOffered(site: Pick<RemoteSite, 'origins' | 'url'>, protocol: Protocol): void {
  const lacks = lacksOf(site);
  if (lacks[protocol] !== undefined) throw new UsageError(`--arms: ${lacks[protocol]}. Expected: ${offered(lacks)}`);
}

/** The protocols that a page's own server does not speak, each in a sentence that says how that is known. */
export type Lacks = { readonly [protocol in Protocol]?: string | undefined };

/** What a page's own server does not speak. */
export function lacksOf({ origins, url }: Pick<RemoteSite, 'origins' | 'url'>): Lacks {
  const [{ origin, tcp, h3 }] = origins;
  const untold = `${origin} does not offer HTTP/3 (no Alt-Svc with h3 for its own host and port)`;
  const without = {
    untold,
    silent: `${origin} tells of HTTP/3, but did not answer over it`,
    mute: `${origin} tells of HTTP/3 over TCP alone (no Alt-Svc in its answers over HTTP/3), and Chromium would hold all but six requests back`,
  };
  if (tcp === 'h1c')
    return {
      h1: `${url} is in the clear: HTTP/1.1 over TLS is another address's`,
      h2: `${url} is in the clear, where browsers do not speak HTTP/2`,
      h3: untold,
    };
  return {
    h1c: `${url} is not in the clear`,
    h2: tcp === 'h1' ? `${origin} does not offer HTTP/2` : undefined,
    h3: h3 !== 'answers' ? without[h3] : undefined,
  };
}

/** The protocols that are left, for a message. */
export function offered(lacks: Lacks): string {
  return PROTOCOLS.filter((protocol) => lacks[protocol] === undefined).join(', ');
}

/** What a plan must know of the page; a page is another where it comes from elsewhere, or speaks something else. */
export function remoteFacts(site: RemoteSite): SiteFacts {
  const { asked, objects, bytes, origins } = site;
  return {
    objects: objects.length,
    bytes,
    remote: lacksOf(site),
    addresses: Object.fromEntries(origins.map(({ origin, address }) => [origin, address])),
    digest: JSON.stringify([asked, ...origins.map(({ origin, address, tcp, h3 }) => [origin, address, tcp, h3])]),
  };
}

function originFor({ origin, host, port, address, tcp, h3 }: RemoteOrigin, protocol: Protocol, visit: Visit): Origin {
  const overQuic = protocol === 'h3' && h3 === 'answers';
  const overTcp = protocol === 'h1' && tcp === 'h2' ? 'h1' : tcp;
  // A browser that speaks H3 tries an origin that tells of it, whether it answers or not.
  const isTried = protocol === 'h3' && (h3 === 'silent' || (h3 === 'answers' && visit === 'discovered'));
  return {
    protocol: overQuic ? 'h3' : overTcp,
    reception: isTried ? 'discovering' : 'first',
    host,
    port,
    address,
    url: origin,
  };
}

/** An origin as an offer has it. Of others than the page's own nothing is known from an earlier visit. */
function originOffering(origin: RemoteOrigin, offer: Offer, visit: Visit): Origin {
  const own = originFor(origin, offer === 'h2' ? 'h2' : 'h3', 'discovered');
  if (own.protocol !== 'h3') return own;
  return {
    ...own,
    reception: visit === 'returning' ? 'remembering' : own.reception,
    published: offer === 'h3-record' ? true : undefined,
  };
}

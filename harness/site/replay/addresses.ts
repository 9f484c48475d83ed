import { portOf } from '../../model/arm.ts';
import type { RecordedManifest, RecordedOrigin, ReplayOrigin, ReplayServer } from '../../model/recording.ts';
import { followRedirects } from '../record/redirects.ts';

/**
 * The servers that a recorded site had. Origins share one where they had one address and a certificate that covers both,
 * since then a browser asks for both over one connection; where the address was the same and no certificate covered both,
 * as at a host of many sites, it did not, and in a lab, whose certificate covers all, only another address prevents it.
 */
export function findServers(manifest: RecordedManifest): readonly ReplayServer[] {
  const groups: PlacedOrigin[][] = [];
  const all = allOrigins(manifest).map(placed);
  // Origins without TLS come last: each joins the server of its own name, and draws no other origin to it.
  for (const origin of [...all.filter(({ secure }) => secure), ...all.filter(({ secure }) => !secure)]) {
    // One name is one address.
    const own = groups.find((others) => others.some(({ host }) => host === origin.host));
    const group = own ?? groups.find((others) => others.some((other) => sharesConnection(origin, other)));
    if (group) group.push(origin);
    else groups.push([origin]);
  }
  const own = ownOrigin(manifest);
  return groups.map((members, place) => {
    const firstParty = members.some(({ recorded }) => recorded.origin === own);
    return { place, origins: members.map(({ recorded }) => toReplay(recorded, firstParty)) };
  });
}

/** An origin with what decides which others share its server. */
interface PlacedOrigin {
  readonly recorded: RecordedOrigin;
  readonly host: string;
  readonly secure: boolean;
  /** The name in its certificate, in small letters. */
  readonly names: ReadonlySet<string>;
}

function placed(recorded: RecordedOrigin): PlacedOrigin {
  const { origin, certificateNames } = recorded;
  return {
    recorded,
    host: hostOf(recorded),
    secure: origin.startsWith('https:'),
    names: new Set(certificateNames.map((name) => name.toLowerCase())),
  };
}

/** The names that the lab's certificate must have: those of all origins. */
export function certificateNames(manifest: RecordedManifest): readonly string[] {
  return [...new Set(allOrigins(manifest).map(hostOf))].toSorted();
}

/** The origins of a recording; what a manifest from elsewhere does not say of them, its responses do. */
export function allOrigins({ origins, responses }: RecordedManifest): readonly RecordedOrigin[] {
  const known = new Set(origins.map(({ origin }) => origin));
  const others = [...new Set(responses.map(({ url }) => new URL(url).origin))].filter((origin) => !known.has(origin));
  return [...origins, ...others.map((origin) => ({ origin, offersH3: false, certificateNames: [] }))];
}

/** The origin of the page itself. */
export function ownOrigin(manifest: RecordedManifest): string {
  return new URL(pageUrl(manifest)).origin;
}

/** The page that redirects end at. */
export function pageUrl({ url, responses }: RecordedManifest): string {
  return followRedirects(url, responses).url;
}

function sharesConnection(a: PlacedOrigin, b: PlacedOrigin): boolean {
  if (a.recorded.address === undefined || a.recorded.address !== b.recorded.address) return false;
  // Without TLS there is no sharing; where the certificates are not known, an address is all there is to go by.
  if (!a.secure || !b.secure) return false;
  if (a.names.size === 0 || b.names.size === 0) return true;
  return covers(a.names, b.host) || covers(b.names, a.host);
}

function hostOf({ origin }: RecordedOrigin): string {
  return new URL(origin).hostname;
}

/** Whether one of a certificate's names is a host's; a star stands for one label. */
function covers(names: ReadonlySet<string>, host: string): boolean {
  return names.has(host) || names.has(host.replace(/^[^.]+/, '*'));
}

function toReplay({ origin, protocol }: RecordedOrigin, firstParty: boolean): ReplayOrigin {
  const { hostname, protocol: scheme } = new URL(origin);
  const secure = scheme === 'https:';
  return {
    origin,
    host: hostname,
    port: portOf(origin),
    secure,
    protocol: secure ? (protocol === undefined || protocol === 'h1c' ? 'h2' : protocol) : 'h1c',
    firstParty,
  };
}

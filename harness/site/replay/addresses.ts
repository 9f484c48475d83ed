import { portOf } from '../../model/arm.ts';
import type { RecordedManifest, RecordedOrigin, ReplayOrigin, ReplayServer } from '../../model/recording.ts';
import { followRedirects } from '../record/redirects.ts';

/**
 * The servers that a recorded site had. Origins share one where they had one address and a certificate that covers both,
 * since then a browser asks for both over one connection; where the address was the same and no certificate covered both,
 * as at a host of many sites, it did not, and in a lab, whose certificate covers all, only another address prevents it.
 */
export function findServers(manifest: RecordedManifest): readonly ReplayServer[] {
  const groups: RecordedOrigin[][] = [];
  const all = allOrigins(manifest);
  const isSecure = ({ origin }: RecordedOrigin) => origin.startsWith('https:');
  // What has no TLS goes where its name is, and brings nobody else there.
  for (const origin of [...all.filter(isSecure), ...all.filter((each) => !isSecure(each))]) {
    // One name is one address.
    const own = groups.find((others) => others.some((other) => hostOf(other) === hostOf(origin)));
    const group = own ?? groups.find((others) => others.some((other) => sharesConnection(origin, other)));
    if (group) group.push(origin);
    else groups.push([origin]);
  }
  const own = ownOrigin(manifest);
  return groups.map((origins, place) => {
    const firstParty = origins.some(({ origin }) => origin === own);
    return { place, origins: origins.map((each) => toReplay(each, firstParty)) };
  });
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

function sharesConnection(a: RecordedOrigin, b: RecordedOrigin): boolean {
  if (a.address === undefined || a.address !== b.address) return false;
  // Without TLS there is no sharing; where nobody knows the certificates an address is all there is to go by.
  if (!a.origin.startsWith('https:') || !b.origin.startsWith('https:')) return false;
  if (a.certificateNames.length === 0 || b.certificateNames.length === 0) return true;
  return covers(a.certificateNames, hostOf(b)) || covers(b.certificateNames, hostOf(a));
}

function hostOf({ origin }: RecordedOrigin): string {
  return new URL(origin).hostname;
}

/** Whether one of a certificate's names is a host's; a star stands for one label. */
function covers(names: readonly string[], host: string): boolean {
  const parent = host.replace(/^[^.]+/, '*');
  return names.some((name) => name.toLowerCase() === host || name.toLowerCase() === parent);
}

function toReplay({ origin, protocol }: RecordedOrigin, firstParty: boolean): ReplayOrigin {
  const { hostname, protocol: scheme } = new URL(origin);
  const secure = scheme === 'https:';
  return {
    ...{ origin, host: hostname, port: portOf(origin), secure },
    protocol: secure ? (protocol === undefined || protocol === 'h1c' ? 'h2' : protocol) : 'h1c',
    firstParty,
  };
}

import type { RecordedManifest } from '../../model/recording.ts';
import { allOrigins } from './addresses.ts';

/** What a recording's origins are called where all of it goes over TLS. */
export interface OriginNames {
  /** Hosts that get another name: no certificate is for them, or QUIC cannot be had there. */
  readonly hosts: ReadonlyMap<string, string>;
  /** The new origin of each recorded one. */
  readonly origins: ReadonlyMap<string, string>;
}

/** Whether a host is one that a browser treats unlike any site's: this machine, or an address. */
export function isNameless(host: string): boolean {
  return /(^|\.)localhost$/.test(host) || isAddress(host);
}

/** Finds a name for every origin: the same but for the scheme, if it can be; no two hosts become one. */
export function nameOrigins(manifest: RecordedManifest): OriginNames {
  const urls = allOrigins(manifest).map(({ origin }) => new URL(origin));
  const taken = new Set(urls.map(({ hostname }) => hostname));
  const hosts = new Map<string, string>();
  for (const host of new Set(urls.map(({ hostname }) => hostname)))
    if (isNameless(host)) {
      const name = nameFor(host, taken);
      taken.add(name);
      hosts.set(host, name);
    }
  const origins = urls.map((url) => [url.origin, secureOrigin(url, hosts)] as const);
  return { hosts, origins: new Map(origins) };
}

function isAddress(host: string): boolean {
  return /^\d+(\.\d+){3}$/.test(host);
}

/** A name has 253 characters at most, a label of it 63. */
const MOST_CHARACTERS = 200;

function nameFor(host: string, taken: ReadonlySet<string>): string {
  const plain = isAddress(host) ? host.replaceAll('.', '-') : host.slice(-MOST_CHARACTERS).replace(/^[^a-z0-9]+/, '');
  const name = `${plain}.photofinish.test`;
  if (!taken.has(name)) return name;
  // Many hosts that end alike do not make this slow: each begins to count where there may be room.
  for (let at = taken.size; ; at += 1) if (!taken.has(`${at}.${name}`)) return `${at}.${name}`;
}

function secureOrigin({ hostname, port }: URL, hosts: ReadonlyMap<string, string>): string {
  // What was at its scheme's own port is at the other's; `port` is empty then.
  return new URL(`https://${hosts.get(hostname) ?? hostname}${port === '' ? '' : `:${port}`}`).origin;
}

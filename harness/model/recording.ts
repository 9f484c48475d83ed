import type { Protocol } from './arm.ts';
import type { DeviceName } from './device.ts';

/** A header's name and value; each character of a value stands for a byte. */
export type Header = readonly [name: string, value: string];

/** A stretch of time. */
export type Span = readonly [fromMs: number, untilMs: number];

/** One request and what came back, as they went over the wire; from a browser that was watched, or from a HAR. */
export interface Exchange {
  readonly method: string;
  /** Absolute, without a fragment. */
  readonly url: string;
  readonly requestHeaders: readonly Header[];
  /** Absent where there was none, or it was not kept. */
  readonly requestBody?: Buffer | undefined;
  readonly status: number;
  readonly headers: readonly Header[];
  /** Empty where there was none. */
  readonly body: Buffer;
  /** Whether the body is what its `Content-Encoding` says, or was decoded by the program that kept it. */
  readonly bodyIs: 'encoded' | 'decoded';
  /** How long the body was on the wire, where only that is known of its encoded form. */
  readonly wireBytes?: number | undefined;
  /** Why the body is not all there; absent where it is whole. */
  readonly broken?: string | undefined;
  readonly protocol?: Protocol | undefined;
  /** The server's address, without a port. */
  readonly address?: string | undefined;
  /** Names that the server's certificate is for. */
  readonly certificateNames?: readonly string[] | undefined;
  /** What the browser wanted it for: `Document`, `Image`, … */
  readonly kind: string;
  /** Whether all of it came to the page itself, and not to a frame or a worker that tells so; absent where not known. */
  readonly cameToPage?: boolean | undefined;
  /** When it was wanted, since navigation began. */
  readonly wantedMs: number;
  /** When its request had been sent, since navigation began. */
  readonly askedMs?: number | undefined;
  /** From the last byte of the request to the first of the answer. */
  readonly waitMs?: number | undefined;
  /** The spans in which something of the answer came, since navigation began, in order; absent where not known. */
  readonly came?: readonly Span[] | undefined;
  /** What it took to open a transport to its server, where that was seen. */
  readonly connectMs?: number | undefined;
}

/** How long one answer took, and how much of that was the network. */
export type Waited = Pick<
  Exchange,
  'method' | 'url' | 'protocol' | 'address' | 'askedMs' | 'waitMs' | 'came' | 'connectMs'
>;

/** What was seen of a page while it was recorded, before anything is left out of it. */
export interface SeenPage {
  /** The address as the user wrote it, before redirects. */
  readonly url: string;
  readonly atMs: number;
  /** The seed of the random numbers that the page's scripts were given; absent where they had their own. */
  readonly seed?: number;
  readonly device: DeviceName;
  /** What saw it: `Chrome/156.0.8078.79`. */
  readonly by: string;
  readonly exchanges: readonly Exchange[];
  readonly leftOut: readonly LeftOut[];
  readonly live?: LiveLoad | undefined;
  /** Further loads of the page, by browsers that were not slowed down by recording; each load by itself. */
  readonly again?: readonly (readonly Waited[])[];
  /** Sentences about the recording as a whole. */
  readonly notes: readonly string[];
}

/** The page load that was recorded, as its visitor had it. */
export interface LiveLoad {
  readonly pltMs: number;
  /** The loads by a warm browser of which that was the median; absent: it is of the one load that was recorded. */
  readonly loads?: number | undefined;
  /** The rate of the link, as far as the page filled it; absent where it was too small for that. */
  readonly downKbps?: number | undefined;
}

/** What is not in a recording, and what is done about it. */
export interface LeftOut {
  /** A request, or one header of a response. */
  readonly what: string;
  readonly why: string;
  /** Whether the page had an answer that its replay has not. */
  readonly came?: true | undefined;
}

export const RECORDING_SCHEMA = 1;

/** A recorded site's `manifest.json`. */
export interface RecordedManifest {
  readonly schema: typeof RECORDING_SCHEMA;
  readonly site: string;
  /** The page itself. */
  readonly url: string;
  readonly recordedAtMs: number;
  /** What the randomness of the page's scripts is to come from. */
  readonly seed: number;
  readonly device: DeviceName;
  readonly by: string;
  readonly secrets: 'removed' | 'kept';
  readonly live?: LiveLoad | undefined;
  readonly origins: readonly RecordedOrigin[];
  /** In the order in which they were wanted. */
  readonly responses: readonly RecordedResponse[];
  readonly leftOut: readonly LeftOut[];
  readonly notes: readonly string[];
}

/** Scheme, host and port that a page loaded something from. */
export interface RecordedOrigin {
  /** Scheme, host and port: `https://example.com` or `http://example.com:8080`. */
  readonly origin: string;
  /** The protocol that most of its requests went over; absent where it is not known. */
  readonly protocol?: Protocol | undefined;
  /** Whether it told of HTTP/3. */
  readonly offersH3: boolean;
  readonly address?: string | undefined;
  readonly certificateNames: readonly string[];
  /** The round trip to it, as near as its answers and handshakes tell. */
  readonly rttMs?: number | undefined;
}

/** A response that can be served again, and the request that it is for. */
export interface RecordedResponse {
  readonly method: string;
  readonly url: string;
  /** Only the headers that say which answer was wanted; in lower case. */
  readonly requestHeaders: readonly Header[];
  /** SHA-256 of the request's body. */
  readonly requestBody?: string | undefined;
  readonly status: number;
  readonly headers: readonly Header[];
  /** SHA-256 of the body as it is sent, which names its file; absent where it is empty. */
  readonly body?: string | undefined;
  readonly bytes: number;
  /** Whether the body's bytes are those that were recorded, or were encoded again from what they decode to. */
  readonly encoded: 'as-received' | 'again';
  /** What the browser makes of the body; absent where it cannot be decoded here. */
  readonly content?: { readonly bytes: number; readonly sha256: string } | undefined;
  /** How long the server took until it answered; absent where it is not known. */
  readonly thinkMs?: number | undefined;
  readonly kind: string;
  readonly wantedMs: number;
}

/** A recorded site on this disk. */
export interface RecordedSite {
  readonly manifest: RecordedManifest;
  /** Its folder. */
  readonly root: string;
}

/** Where a response's body is, below its site's folder; nothing but its digest names it. */
export function bodyFile(sha256: string): string {
  return `bodies/${sha256.slice(0, 2)}/${sha256}`;
}

/** The value of a header, the first where there are several; its name in any case. */
export function headerOf(headers: readonly Header[], name: string): string | undefined {
  return headers.find(([each]) => each.toLowerCase() === name)?.[1];
}

/**
 * How near a recorded request is to the one that was asked:
 *
 *     exact   the same
 *     body    the same but for what was sent along
 *     near    the same path; keys of the query differ that are new in each load
 */
export type Nearness = 'exact' | 'body' | 'near';

/** A request that was not recorded as it was asked. */
export interface ReplayNote {
  readonly method: string;
  readonly url: string;
  readonly answer: Exclude<Nearness, 'exact'> | 'none';
  /** What it was answered with. */
  readonly recorded?: string | undefined;
}

/** One server of a recorded site in a lab: ports of its own, and the origins that it answers as. */
export interface ReplayServer {
  /** From 0: which of the site's servers it is. */
  readonly place: number;
  readonly origins: readonly ReplayOrigin[];
}

/** An origin as a lab serves it. */
export interface ReplayOrigin {
  readonly origin: string;
  readonly host: string;
  readonly port: number;
  readonly secure: boolean;
  /** The protocol that it spoke; HTTP/2, as most do, where that is not known. */
  readonly protocol: Protocol;
  /** Whether it is of the page's own server: what the arms of a study change, unless they change all. */
  readonly firstParty: boolean;
}

/** The longest address, and the most bytes of headers, that a recording holds: what servers accept by default. */
export const LONGEST_URL = 30_000;
export const MOST_HEADER_BYTES = 128_000;

/**
 * An address as a browser would ask for it, without credentials and fragment; undefined where it is none that a lab can
 * serve: another scheme, an IPv6 address in place of a name, too long, or a path that servers refuse.
 */
export function normalUrl(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, hostname, origin, pathname, search } = new URL(text);
  if (!/^https?:$/.test(protocol) || !/^[a-z0-9]([a-z0-9._-]{0,251}[a-z0-9])?$/.test(hostname)) return undefined;
  const url = `${origin}${pathname}${search}`;
  return url.length > LONGEST_URL || !isServedPath(pathname) ? undefined : url;
}

/** Servers refuse half an escape, a NUL, and a path that leads out of its root once its escapes are read. */
function isServedPath(path: string): boolean {
  if (/%(?![0-9a-f]{2})|%00/i.test(path)) return false;
  let depth = 0;
  for (const part of path.replaceAll(/%2f/gi, '/').replaceAll(/%2e/gi, '.').split('/')) {
    if (part === '..') depth -= 1;
    else if (part !== '' && part !== '.') depth += 1;
    if (depth < 0) return false;
  }
  return true;
}

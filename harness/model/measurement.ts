import type { TrialKey } from './study.ts';

/** What a trial came to. A failed one is an outcome; a void one is the harness's fault, and its block is run again. */
export type Measurement = TrialKey &
  (
    | ({ readonly status: 'ok' } & LoadFigures)
    | { readonly status: 'failed'; readonly reason: FailureReason; readonly says: string; readonly launch: number }
    | { readonly status: 'void'; readonly reason: VoidReason; readonly says: string; readonly launch: number }
  );

/**
 * What an arm can cause:
 *
 *     timeout        it took longer than it may
 *     page-crash     the renderer died
 *     browser-crash  the browser died
 *     refused        nobody answered at the server's port
 *     tls            the handshake or the certificate
 *     fallback       QUIC was asked for or told of, and the browser turned to TCP or stayed on it
 *     protocol       something came over another protocol than the arm's
 *     network        any other error of the network: a reset, a broken stream
 *     object         an object is missing, short or altered
 */
export type FailureReason =
  | 'timeout'
  | 'page-crash'
  | 'browser-crash'
  | 'refused'
  | 'tls'
  | 'fallback'
  | 'protocol'
  | 'network'
  | 'object';

/**
 * What no arm can cause:
 *
 *     server       the server's process ended
 *     link         the link's kernel ended, or the link did not become quiet
 *     harness      the harness broke down
 *     clock        the page's clock and the harness's disagree
 *     wire         the kernels counted less than the browser did
 *     server-log   the server knows nothing of a request
 *     not-cold     a cold visit took up an earlier session, or was answered from a cache
 *     not-warm     a later visit found nothing of the earlier one
 */
export type VoidReason = 'server' | 'link' | 'harness' | 'clock' | 'wire' | 'server-log' | 'not-cold' | 'not-warm';

/** The figures of one load; times in milliseconds since navigation began. */
export interface LoadFigures {
  /** To the end of the load event. */
  readonly pltMs: number;
  /** Of a crowd absent, as all that only one page has. */
  readonly ttfbMs?: number;
  readonly domContentLoadedMs?: number;
  readonly fcpMs?: number;
  readonly lcpMs?: number;
  readonly cls?: number;
  /** To the last byte of the last object. */
  readonly lastByteMs?: number;
  /** To the last byte before the network was quiet for half a second. */
  readonly quietMs?: number;
  readonly doneMs?: number;
  /** From the click to the last byte of the answer, where a file was sent. */
  readonly uploadMs?: number;
  /** The median round trip of probes while it was sent. */
  readonly loadedRttMs?: number;
  /** Of a crowd: the tabs of all clients; the page load time is that of the last of them. */
  readonly tabs?: number;
  /** Of a crowd: Jain's index of how quickly each client had all of its tabs. */
  readonly evenness?: number;
  /** Of two transfers at once: what each got while it ran, and Jain's index of what they got while both did. */
  readonly ownKbps?: number;
  readonly besideKbps?: number;
  readonly fairness?: number;
  readonly requests: number;
  /** Connections that the browser opened, whether it used them or not; one of QUIC's that moved to another port counts twice. */
  readonly connections: number;
  /** Those that a request went over; of a crowd, that the server answered over. */
  readonly usedConnections?: number;
  readonly peakInFlight?: number;
  /** The share of requests that came by H3, in percent, of a page of which anything may; absent where it was not counted yet. */
  readonly h3SharePercent?: number;
  readonly resumedConnections: number;
  readonly earlyRequests: number;
  /** Frames as the sender's interface let them go. */
  readonly packetsDown: number;
  readonly packetsUp: number;
  readonly bytesDown: number;
  readonly bytesUp: number;
  /** Those down that came to the browser's interface; absent where that was not counted yet. */
  readonly bytesReceived?: number;
  /** Frames that did not come to the other host: lost on the link, or dropped by its full queue; absent likewise. */
  readonly lostDown?: number;
  readonly lostUp?: number;
  /** Content of all responses, as the server sent it. */
  readonly payloadBytes: number;
  /** Bytes on the wire, both ways, beyond the payload, of the payload; absent where there is no payload. */
  readonly overheadPercent?: number;
  /** Payload over the time to the last byte. */
  readonly throughputKbps: number;
  /** Of a load that was watched: required objects that are known by their length alone, since the browser does not keep what is so long. */
  readonly undigestedObjects?: number;
  /** Of TCP's arms. */
  readonly retransmittedSegments?: number;
  /** Packets that were not the page's. */
  readonly strayPackets: number;
  /** Datagrams that a host of the lab lost, not the link: any at all is a load that the machine had a part in; absent likewise. */
  readonly hostDrops?: number;
  /** The share of the busiest core, or of the browser's busiest thread, and whether a core was saturated; a load too short to tell is not said to be. */
  readonly coreBusyShare: number;
  readonly cpuBound: boolean;
  /** How long the browser's threads waited for a core, all together; absent where that was not counted yet. */
  readonly coreWaitMs?: number;
  /** By how much slower than this machine a telephone computed, as its page was seen to; absent of other devices. */
  readonly cpuSlowdown?: number;
  /** Of all cores' time: what the machine that this one is part of gave to others; absent where that was not counted yet. */
  readonly stolenShare?: number;
  readonly launch: number;
  /** What the trial took beyond the page load. */
  readonly overheadMs: number;
}

import type { TrialKey } from './study.ts';

/** What a trial came to. A failed one is an outcome; a void one is the harness's fault, and its block is run again. */
export type Measurement = TrialKey & {
  /** The machine that it was measured on, by its worker's name; absent where the study's own machine did. */
  readonly machine?: string | undefined;
} & (
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
 *     refused        nothing answered at the server's port
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
  /** Time to first byte; absent for a crowd, as is everything that only a single page has. */
  readonly ttfbMs?: number;
  readonly domContentLoadedMs?: number;
  readonly fcpMs?: number | undefined;
  readonly lcpMs?: number | undefined;
  readonly cls?: number;
  /** To the last byte of the last object. */
  readonly lastByteMs?: number;
  /** To the last byte before the network was quiet for half a second. */
  readonly quietMs?: number;
  readonly doneMs?: number | undefined;
  /** From the click to the last byte of the answer, where a file was sent. */
  readonly uploadMs?: number | undefined;
  /** The median round trip of probes while it was sent. */
  readonly loadedRttMs?: number | undefined;
  /** How many tabs all clients of a crowd opened together; the page load time is that of the last of them. */
  readonly tabs?: number | undefined;
  /** Jain's index of how quickly each client of a crowd had all of its tabs. */
  readonly evenness?: number;
  /** Two transfers at once: the rate of each while it ran, and Jain's index of their rates while both ran. */
  readonly ownKbps?: number;
  readonly besideKbps?: number;
  readonly fairness?: number | undefined;
  readonly requests: number;
  /** Connections that the browser opened, whether it used them or not; one of QUIC's that moved to another port counts twice. */
  readonly connections: number;
  /** Connections that a request went over; of a crowd, those that the server answered over. */
  readonly usedConnections?: number;
  readonly peakInFlight?: number;
  /** The share of requests that came by H3, in percent; absent where none could, or it was not counted yet. */
  readonly h3SharePercent?: number | undefined;
  readonly resumedConnections: number;
  readonly earlyRequests: number;
  /** Frames as the sender's interface let them go. */
  readonly packetsDown: number;
  readonly packetsUp: number;
  readonly bytesDown: number;
  readonly bytesUp: number;
  /** Bytes down that came to the browser's interface; absent where that was not counted yet. */
  readonly bytesReceived?: number;
  /**
   * Frames that did not reach the other host: lost on the link, or by its full queue; absent where not yet counted. Of a link
   * that duplicates they are too few.
   */
  readonly lostDown?: number;
  readonly lostUp?: number;
  /** Content of all responses, as the server sent it. */
  readonly payloadBytes: number;
  /** Bytes on the wire, both ways, beyond the payload, in percent of it; absent where there is no payload. */
  readonly overheadPercent?: number | undefined;
  /** Payload over the time to the last byte. */
  readonly throughputKbps: number;
  /**
   * Required objects of a watched load that are known by their length alone, since the browser does not keep objects of
   * that size.
   */
  readonly undigestedObjects?: number | undefined;
  /** Segments that TCP sent again; absent for arms over QUIC. */
  readonly retransmittedSegments?: number | undefined;
  /**
   * How many packets TCP's windows held together when rising delay had ended the slow start of all connections in use (HyStart);
   * absent where it had not, for arms over QUIC, and where it was not counted yet.
   */
  readonly slowStartPackets?: number | undefined;
  /** Packets that were not the page's. */
  readonly strayPackets: number;
  /** Datagrams that a lab host lost, not the link: any means the machine had a part; absent where not yet counted. */
  readonly hostDrops?: number;
  /** The share of the busiest core, or of the browser's busiest thread, and whether a core was saturated; a load too short to tell is not said to be. */
  readonly coreBusyShare: number;
  readonly cpuBound: boolean;
  /** How long the browser's threads waited for a core, all together; absent where that was not counted yet. */
  readonly coreWaitMs?: number | undefined;
  /** How many times slower than this machine an emulated phone computed, seen in its page; absent for other devices. */
  readonly cpuSlowdown?: number | undefined;
  /**
   * The share of all cores' time that the virtual machine's host gave to others; absent where it was not counted yet.
   */
  readonly stolenShare?: number | undefined;
  readonly launch: number;
  /** What the trial took beyond the page load. */
  readonly overheadMs: number;
}

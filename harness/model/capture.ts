import type { Page } from './page.ts';
import type { ReplayNote } from './recording.ts';

/** What was seen of one page load, unjudged: whatever is said of it later can be computed from this alone. */
export interface Capture {
  /** What was to be loaded. */
  readonly page: Page;
  readonly browser: BrowserCapture;
  /** What the two ends' kernels counted; absent where the trial ended before they could be asked. */
  readonly wire?: WireCapture | undefined;
  /** The lines of the server's log that the load wrote, in order. */
  readonly server: readonly ServerRecord[];
  /** The last lines in which the server said that something went wrong, or might have; absent where it said nothing. */
  readonly serverSaid?: readonly string[];
  /** What a name server was asked for, as in `A www.example`; absent where no names are looked up. */
  readonly lookedUp?: readonly string[] | undefined;
  /** What a recorded page asked for otherwise than it was recorded. */
  readonly unrecorded?: readonly ReplayNote[] | undefined;
  readonly host: HostLoad;
  /** What else went over the link at the same time, each from a client of its own. */
  readonly beside?: readonly PartyCapture[] | undefined;
  /** What of the harness was found dead or astray after the load: the trial is void. */
  readonly broken?: { readonly part: 'server' | 'link' | 'harness'; readonly says: string } | undefined;
  /** Which launch of the browser it was, from 1 on in its study. */
  readonly launch: number;
  /** From the first call for this trial to the last, in milliseconds. */
  readonly wallMs: number;
}

/** What was seen of one of several clients that loaded at once. */
export type PartyCapture = Pick<
  Capture,
  'page' | 'browser' | 'wire' | 'server' | 'serverSaid' | 'lookedUp' | 'unrecorded'
>;

/** One event of the browser's DevTools protocol, as it came. */
export interface DevToolsEvent {
  readonly method: string;
  readonly params: unknown;
}

/** Content up to this size is kept by the browser until its digest is taken; of text each character counts twice. */
export const KEPT_BYTES = 4_000_000;

/** What the browser said of a load. */
export interface BrowserCapture {
  /** The whole DevTools log of a watched load, in order; empty for an unwatched one. */
  readonly events: readonly DevToolsEvent[];
  /** The page's own record, read after the load; absent for a page that did not come to its end. */
  readonly record?: PageRecord | undefined;
  /** Absent where the page's load event never came. */
  readonly timings?: PageTimings | undefined;
  /** What became of each object's content, by the log's request number; long ones are not kept by the browser. */
  readonly digests: Readonly<Record<string, string>>;
  /** How many times slower than it could the page computed, where a slow device was emulated. */
  readonly cpuSlowdown?: number | undefined;
  /** What the page said of the file that it sent, where it was to send one and came to an end with it. */
  readonly upload?: UploadReport | undefined;
  /** The round trips of probes while the file was sent, in milliseconds. */
  readonly roundTripsMs?: readonly number[] | undefined;
  /** How much of its file had come at which times, where the page keeps count. */
  readonly progress?: TransferProgress | undefined;
  /** Each tab, where several were opened at once; there is no log then. */
  readonly tabs?: readonly TabCapture[] | undefined;
  /** What ended the load, where it did not end by itself. */
  readonly ending?: { readonly by: LoadEnding; readonly says: string } | undefined;
}

/** What a page's own record says of its load: Navigation and Resource Timing. */
export interface PageRecord {
  /** In the order in which they were wanted, the page itself first. */
  readonly requests: readonly TimedRequest[];
  /** From the moment at which the browser began with the page to its load event, by the machine's clock. */
  readonly loadEventSeenMs: number;
}

/** One request as its page's record has it, times in milliseconds since navigation began; what is absent was not reached. */
export interface TimedRequest {
  readonly url: string;
  /** What asked for it, as Resource Timing calls it: `img`, `script`, `fetch`. */
  readonly initiator: string;
  readonly startMs: number;
  readonly fetchMs: number;
  /** Absent where a connection was there already. */
  readonly connectMs?: number | undefined;
  readonly secureMs?: number | undefined;
  readonly connectedMs?: number | undefined;
  readonly sentMs?: number | undefined;
  readonly answeredMs?: number | undefined;
  readonly finishedMs: number;
  /** 0 where no answer came. */
  readonly status: number;
  /** The browser's name for the protocol: `http/1.1`, `h2`, `h3`; empty where no answer came. */
  readonly protocol: string;
  /** Over the network, headers included as the browser reckons them; 0 from a cache. */
  readonly transferredBytes: number;
  readonly encodedBytes: number;
  /** Content, decoded. */
  readonly bytes: number;
  /** Whether nothing went over the network for it. */
  readonly fromCache: boolean;
}

/** What the upload page says: the seconds are from the click to the last byte of the answer. */
export interface UploadReport {
  readonly seconds: number;
  readonly status?: number;
  readonly bytes?: number;
  readonly sha256?: string;
  readonly error?: string | undefined;
}

/** A transfer as the page saw it. */
export interface TransferProgress {
  /** When its clock began, in milliseconds since 1970. */
  readonly originMs: number;
  /** Milliseconds of its clock, and bytes that had come by then. */
  readonly points: readonly (readonly [atMs: number, bytes: number])[];
}

/** One of many tabs. */
export interface TabCapture {
  /** From the moment in which all were told to begin to the load event; absent where it never came. */
  readonly doneMs?: number | undefined;
  /** All that the page loaded, itself first, as its own record has it. */
  readonly objects: readonly TabObject[];
}

/** Path, bytes of content, bytes that came over the network (0 from the cache), and protocol. */
export type TabObject = readonly [path: string, bytes: number, transferred: number, protocol: string];

/** What can end a load before its time; `abort` is the harness's doing. */
export type LoadEnding = 'timeout' | 'page-crash' | 'browser-crash' | 'network' | 'abort';

/** The page's own clock, in milliseconds since navigation began. */
export interface PageTimings {
  /** When navigation began, in milliseconds since 1970; absent in what was captured before it was kept. */
  readonly originMs?: number;
  readonly ttfbMs: number;
  readonly domContentLoadedMs: number;
  readonly loadEventEndMs: number;
  /** First contentful paint; absent where nothing was painted. */
  readonly fcpMs?: number | undefined;
  /** The largest contentful paint up to the end of the capture. */
  readonly lcpMs?: number | undefined;
  /** Cumulative layout shift: the worst session window, without unit. */
  readonly cls: number;
  /** When the page's script said that it was done (the mark `photofinish:done`), where it says so. */
  readonly doneMs?: number | undefined;
}

/** What both ends of the link counted while a page was loaded, and until the link was quiet again. */
export interface WireCapture {
  readonly client: HostCounts;
  readonly server: HostCounts;
}

/** What a host's kernel counted since it was last told to begin. */
export interface HostCounts {
  readonly flows: readonly Flow[];
  /** Packets that were neither TCP nor UDP: what hosts tell each other by ICMP, and the like. */
  readonly others: { readonly sent: Traffic; readonly received: Traffic };
  /** Frames of its interface, as the wire sees them. */
  readonly sent: Traffic;
  readonly received: Traffic;
  readonly retransmittedSegments: number;
  /** Absent in captures from before it was counted. */
  readonly slowStartsEnded?: SlowStartsEnded;
  /** Datagrams that came and found no room, or that there was no room to send: the host's doing, not the link's. */
  readonly droppedDatagrams: number;
  /** Packets in which a QUIC server wants an address proven before it goes on. */
  readonly retries: number;
}

/**
 * How often rising delay ended a TCP connection's slow start, since Linux takes it for a full queue (HyStart), and how many
 * packets all of these connections together might have under way by then.
 */
export interface SlowStartsEnded {
  readonly times: number;
  readonly windowPackets: number;
}

/** All packets between two ports. A kernel handles several as one until they reach the interface: what is sent counts so. */
export interface Flow {
  readonly transport: 'tcp' | 'udp';
  readonly ownPort: number;
  readonly otherPort: number;
  /**
   * The address of the other end. At a gateway it is that of the host behind it, whose port the gateway has taken for
   * its own. Absent in captures from before it was counted.
   */
  readonly address?: string | undefined;
  readonly sent: Traffic;
  readonly received: Traffic;
  /**
   * QUIC datagrams that this host sent under the keys of the connection (those with a short header). A client has them
   * once the handshake is done and the server's certificate accepted. Absent where there were none, or none counted.
   */
  readonly sentShort?: number;
  /** Whether this host opened it since it was told to begin; a flow from before may still have packets under way. */
  readonly opened: boolean;
}

/** Bytes are those of whole frames, without preamble and checksum. */
export interface Traffic {
  readonly packets: number;
  readonly bytes: number;
}

/** One line of a server's access log. */
export interface ServerRecord {
  /** The server's clock when the request had ended. */
  readonly timeMs: number;
  readonly port: number;
  readonly clientPort: number;
  readonly protocol: 'h1' | 'h2' | 'h3' | 'unknown';
  readonly tls: string;
  /** Whether the handshake took up an earlier session. */
  readonly resumed: boolean;
  /** Whether the request came before the handshake was done. */
  readonly earlyData: boolean;
  readonly method: string;
  /** Path and query. */
  readonly request: string;
  readonly status: number;
  readonly bodyBytes: number;
  readonly seconds: number;
}

/** What this machine was doing from navigation to the load event. */
export interface HostLoad {
  /** The share of that time in which each core was busy. */
  readonly cores: readonly number[];
  /**
   * The share of that time in which the busiest of the browser's threads had something to do, on whichever cores;
   * `ranMs` is how long all of them ran, and `coreWaitMs` how long they waited for a core. Absent in captures from before they
   * were read.
   */
  readonly busiestThreadShare?: number | undefined;
  readonly ranMs?: number | undefined;
  readonly coreWaitMs?: number | undefined;
  /** The share of that time in which something had to wait for a core; absent where the kernel does not say. */
  readonly stalledShare?: number | undefined;
  /** The share of the cores' time that the machine which this one is part of gave to others. */
  readonly stolenShare?: number | undefined;
}

/** What Lighthouse said of a page. */
export interface LighthouseCapture {
  readonly page: Page;
  readonly version: string;
  /** The score of the category "performance", from 0 to 1; absent where Lighthouse gave none. */
  readonly score?: number | undefined;
  readonly error?: string | undefined;
  readonly metrics: Readonly<Record<string, number>>;
  readonly requests: readonly { readonly url: string; readonly protocol: string }[];
  /** All that it said, as JSON. */
  readonly report: string;
}

import type { DirectionName } from './link.ts';

/** The port that probes go to: nothing that is measured uses it. */
export const PROBE_PORT = 40_000;

/** What the kernels at a link's two ends saw of its calibration, by one clock: unjudged. */
export interface LinkSightings {
  readonly client: EndSightings;
  readonly server: EndSightings;
  /** Cores that the link itself was using, on average, while it was under load; absent where it cannot be told. */
  readonly linkCores?: number | undefined;
}

export interface EndSightings {
  readonly sent: readonly ProbeSighting[];
  readonly received: readonly ProbeSighting[];
  /** TCP segments with payload that arrived. */
  readonly segments: readonly { readonly timeMs: number; readonly payloadBytes: number }[];
  /** The longest frame of all. */
  readonly longestFrameBytes: number;
}

/** One of a calibration's datagrams at one end. */
export interface ProbeSighting {
  readonly phase: ProbePhase;
  readonly sequence: number;
  readonly timeMs: number;
  /** The length of its frame. */
  readonly bytes: number;
}

/**
 * What a probe is for:
 *
 *   echo    small ones there and back on the empty link              RTT
 *   sparse  small ones at a fraction of the rate, each way           loss, bursts, reordering, duplication
 *   flood   a burst, then more than the link takes, full frames      rate, bound of the queue, following of a trace
 */
export type ProbePhase = 'echo' | 'sparse' | 'flood';

/** What a link was seen to do. */
export interface LinkFigures {
  /** Median round-trip time of small probes on the empty link, without the time their own bits take. */
  readonly rttMs: number;
  readonly rttMeanMs: number;
  readonly rttP99Ms: number;
  readonly rttProbes: number;
  readonly directions: Readonly<Record<DirectionName, DirectionFigures>>;
  /** The longest frame seen by either end; above 1514 an offload was on. */
  readonly longestFrameBytes: number;
  /** Cores that the link itself was using, on average, while it was under load; undefined where it cannot be told. */
  readonly linkCores?: number | undefined;
}

export interface DirectionFigures {
  /** Frames delivered under more load than the link takes. */
  readonly udpKbps?: number;
  /** What its trace has for the time in which they were delivered; absent where the direction follows none. */
  readonly trace?: TraceFigures;
  /** TCP payload delivered: what three quarters of all quarter seconds do not exceed. */
  readonly tcpKbps?: number;
  readonly lossPercent: number;
  /** Probes that the loss was counted on, and how many of them were lost. */
  readonly lossProbes: number;
  readonly lost: number;
  /** Mean number of probes lost in a row. */
  readonly meanBurstPackets?: number;
  /** Packets that waited behind the one being sent when the queue was full. */
  readonly queuePackets?: number;
  readonly reorderedPercent: number;
  readonly duplicatedPercent: number;
}

/** A stretch of a trace, the one that what was delivered resembles most. */
export interface TraceFigures {
  /** Frames that the trace delivers in it. */
  readonly kbps: number;
  /** Frames that came in another window than the trace's, or not at all, as a share of those it delivers. */
  readonly strayPercent: number;
}

/** One figure of a link against what was asked for. */
export interface LinkCheck {
  /** For example `rtt` or `down loss`. */
  readonly figure: string;
  readonly unit: 'ms' | 'kbit/s' | '%' | 'packets' | 'bytes';
  readonly asked: number;
  readonly measured: number;
  /** What the measured figure must lie within to pass; absent where it is shown but not judged. */
  readonly within?: readonly [low: number, high: number];
  /** Why it is judged less than others, or not at all. */
  readonly why?: string;
  readonly ok: boolean;
}

/** A link's figures and how they stand to what was asked. */
export interface Calibration {
  readonly figures: LinkFigures;
  readonly checks: readonly LinkCheck[];
  readonly ok: boolean;
  /** How often it was measured until it held, or was given up. */
  readonly attempts: number;
  /** The share of this machine's processor that the machine it is part of gave to others meanwhile. */
  readonly stolenShare?: number | undefined;
}

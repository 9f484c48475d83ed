import type { DirectionName } from './link.ts';

/** What a link was seen to do. */
export interface LinkFigures {
  /** Median round-trip time of small probes on the empty link, without the time their own bits take. */
  readonly rttMs: number;
  readonly rttP99Ms: number;
  readonly rttProbes: number;
  readonly directions: Readonly<Record<DirectionName, DirectionFigures>>;
  /** The longest frame seen by either end; above 1514 an offload was on. */
  readonly longestFrameBytes: number;
  /** Cores that the link itself was using, on average, while it was under load; undefined where it cannot be told. */
  readonly linkCores?: number;
}

export interface DirectionFigures {
  /** Frames delivered under more load than the link takes. */
  readonly udpKbps?: number;
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

import type { DirectionFigures, LinkFigures } from '../model/calibration.ts';
import {
  type DirectionName,
  FRAME_BYTES,
  type Link,
  type LinkDirection,
  meanLossPercent,
  meanRateKbps,
  rttMs,
} from '../model/link.ts';
import { binomialInterval } from '../stats/binomial.ts';

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

const CONFIDENCE = 0.999;
/** Standard normal quantile of the same confidence, two-sided. */
const NORMAL_999 = 3.2905;
const RATE_TOLERANCE = 0.01;
/** A trace is followed in steps, and a bucket that is empty at the end of one is filled at the next one's rate. */
const TRACE_TOLERANCE = 0.03;
const RTT_TOLERANCE = 0.01;
const RTT_TOLERANCE_MS = 0.5;
/** TCP payload of a full frame, with timestamps. */
const TCP_PAYLOAD_BYTES = 1448;

/** Holds what a link was seen to do against what it was asked to do. */
export function judgeLink(link: Link, figures: LinkFigures): readonly LinkCheck[] {
  return [
    judgeRtt(link, figures),
    { figure: 'rtt p99', unit: 'ms', asked: rttMs(link), measured: figures.rttP99Ms, ok: true, why: 'for information' },
    ...(['down', 'up'] as const).flatMap((name) => judgeDirection(link, name, figures.directions[name])),
    within('longest frame', 'bytes', FRAME_BYTES, figures.longestFrameBytes, [0, FRAME_BYTES]),
  ];
}

/** Whether every figure of a link that is judged is within its tolerance. */
export function linkHolds(checks: readonly LinkCheck[]): boolean {
  return checks.every((check) => check.ok);
}

function judgeRtt(link: Link, figures: LinkFigures): LinkCheck {
  const asked = rttMs(link);
  const spreadMs = Math.hypot(link.down.jitterMs, link.up.jitterMs);
  // The median of n draws of a jittered delay varies by about 1.25 times its spread over the root of n.
  const samplingMs = (NORMAL_999 * 1.2533 * spreadMs) / Math.sqrt(Math.max(1, figures.rttProbes));
  const margin = Math.max(RTT_TOLERANCE_MS, RTT_TOLERANCE * asked) + samplingMs;
  if (link.down.rate.kind === 'trace' || link.up.rate.kind === 'trace')
    return {
      ...within('rtt', 'ms', asked, figures.rttMs, [asked - margin, Infinity]),
      why: 'a trace holds packets back',
    };
  return within('rtt', 'ms', asked, figures.rttMs, [asked - margin, asked + margin]);
}

function judgeDirection(link: Link, name: DirectionName, figures: DirectionFigures): LinkCheck[] {
  const direction = link[name];
  const checks: LinkCheck[] = [];
  if (direction.rate.kind === 'constant') {
    const { kbps } = direction.rate;
    checks.push(withinShare(`${name} udp`, 'kbit/s', kbps, figures.udpKbps ?? Number.NaN, RATE_TOLERANCE));
    checks.push(judgeTcp(name, direction, kbps, figures.tcpKbps ?? Number.NaN));
    checks.push(judgeQueue(name, direction, figures.queuePackets ?? Number.NaN));
  }
  if (direction.rate.kind === 'trace') checks.push(judgeTrace(name, direction, figures));
  checks.push(judgeLoss(name, direction, figures));
  if (direction.loss.kind === 'burst' && figures.meanBurstPackets !== undefined)
    checks.push(judgeBurst(name, direction.loss.meanBurstPackets, figures));
  return checks;
}

/** A trace delivers whole packets of 1500 bytes, 1514 on the wire; a period can hold one more or less at either end. */
function judgeTrace(name: DirectionName, { rate }: LinkDirection, { udpKbps }: DirectionFigures): LinkCheck {
  const asked = (meanRateKbps(rate)! * FRAME_BYTES) / 1500;
  const named = { figure: `${name} udp`, unit: 'kbit/s' as const, asked };
  const why = 'its trace is too long to be followed to the end';
  if (udpKbps === undefined) return { ...named, measured: Number.NaN, ok: true, why };
  return withinShare(named.figure, named.unit, asked, udpKbps, TRACE_TOLERANCE);
}

function judgeTcp(name: DirectionName, direction: LinkDirection, kbps: number, measured: number): LinkCheck {
  const asked = (kbps * TCP_PAYLOAD_BYTES) / FRAME_BYTES;
  const steady = direction.loss.kind === 'none' && direction.jitterMs === 0 && direction.reorderPercent === 0;
  if (steady) return withinShare(`${name} tcp`, 'kbit/s', asked, measured, RATE_TOLERANCE);
  const most = within(`${name} tcp`, 'kbit/s', asked, measured, [0, asked * (1 + RATE_TOLERANCE)]);
  return { ...most, why: 'TCP does not fill a link that loses or reorders' };
}

function judgeQueue(name: DirectionName, direction: LinkDirection, measured: number): LinkCheck {
  const asked = direction.queuePackets;
  const figure = `${name} queue`;
  const why = 'what loss or jitter does to a packet cannot be told from a full queue';
  if (direction.loss.kind !== 'none' || direction.jitterMs > 0)
    return { figure, unit: 'packets', asked, measured, ok: true, why };
  return within(figure, 'packets', asked, measured, [asked - 1, asked + 1]);
}

function judgeLoss(name: DirectionName, direction: LinkDirection, figures: DirectionFigures): LinkCheck {
  const asked = meanLossPercent(direction.loss);
  const counts =
    direction.loss.kind === 'burst'
      ? burstLossInterval(direction.loss.percent / 100, direction.loss.meanBurstPackets, figures.lossProbes)
      : binomialInterval(figures.lossProbes, asked / 100, CONFIDENCE);
  const percent = (count: number) => (100 * count) / Math.max(1, figures.lossProbes);
  return within(`${name} loss`, '%', asked, figures.lossPercent, [percent(counts[0]), percent(counts[1])]);
}

/**
 * Losses of a two-state chain stick together, which widens the spread of their number by (1 + λ) / (1 − λ), λ being
 * what the chain remembers from one packet to the next.
 */
function burstLossInterval(share: number, meanBurst: number, probes: number): readonly [number, number] {
  const leaveBad = 1 / meanBurst;
  const enterBad = (leaveBad * share) / (1 - share);
  const memory = 1 - leaveBad - enterBad;
  const spread = Math.sqrt(probes * share * (1 - share) * ((1 + memory) / (1 - memory)));
  return [Math.max(0, probes * share - NORMAL_999 * spread), probes * share + NORMAL_999 * spread];
}

function judgeBurst(name: DirectionName, asked: number, figures: DirectionFigures): LinkCheck {
  const measured = figures.meanBurstPackets!;
  const bursts = figures.lost / measured;
  // Lengths are geometric: their spread is the root of L (L - 1). A burst that the end cut short adds a little.
  const margin = (NORMAL_999 * Math.sqrt(asked * Math.max(1, asked - 1))) / Math.sqrt(Math.max(1, bursts));
  return within(`${name} burst`, 'packets', asked, measured, [Math.max(1, asked - margin), asked + margin]);
}

function withinShare(
  figure: string,
  unit: LinkCheck['unit'],
  asked: number,
  measured: number,
  tolerance: number,
): LinkCheck {
  return within(figure, unit, asked, measured, [asked * (1 - tolerance), asked * (1 + tolerance)]);
}

function within(
  figure: string,
  unit: LinkCheck['unit'],
  asked: number,
  measured: number,
  range: readonly [low: number, high: number],
): LinkCheck {
  // A figure that could not be had (not a number) has failed.
  return { figure, unit, asked, measured, within: range, ok: measured >= range[0] && measured <= range[1] };
}

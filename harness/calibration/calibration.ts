import type { DirectionFigures, LinkCheck, LinkFigures } from '../model/calibration.ts';
import {
  type DirectionName,
  FRAME_BYTES,
  followsTrace,
  type JitterDistribution,
  type Link,
  type LinkDirection,
  meanLossPercent,
  rttMs,
} from '../model/link.ts';
import { binomialInterval } from '../stats/binomial.ts';

const CONFIDENCE = 0.999;
/** Standard normal quantile of the same confidence, two-sided. */
const NORMAL_999 = 3.2905;
const RATE_TOLERANCE = 0.01;
/** A trace is followed in steps, and a bucket that is empty at the end of one is filled at the next one's rate. */
const TRACE_TOLERANCE = 0.03;
/** Frames may come a little before or after the end of a window, by those steps and a machine that has more to do. */
const STRAY_PERCENT = 4;
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

/**
 * What netem's tables of delays are, in units of the jitter: the median of the skewed ones lies far below their mean,
 * and that of a sum of two of them somewhere between, so those are judged by the mean, which adds up. That of the tables
 * as they are, cut off at four units, is a little below zero. Of the others the median is judged, on which a machine
 * that has something else to do for a moment leaves no trace.
 */
const JITTER: Readonly<Record<JitterDistribution, { readonly skewed: boolean; readonly mean: number }>> = {
  uniform: { skewed: false, mean: 0 },
  normal: { skewed: false, mean: 0 },
  pareto: { skewed: true, mean: -0.0335 },
  paretonormal: { skewed: true, mean: -0.0253 },
};
/** The median of n draws of a normal variable varies by this many times its spread over the root of n. */
const MEDIAN_SPREAD = 1.2533;

function judgeRtt(link: Link, figures: LinkFigures): LinkCheck {
  const jittered = [link.down, link.up].filter(({ jitterMs }) => jitterMs > 0);
  const skewed = jittered.some(({ jitterDistribution }) => JITTER[jitterDistribution].skewed);
  const shiftMs = jittered.reduce(
    (sum, { jitterMs, jitterDistribution }) => sum + jitterMs * JITTER[jitterDistribution].mean,
    0,
  );
  const asked = rttMs(link);
  const expected = asked + (skewed ? shiftMs : 0);
  const measured = skewed ? figures.rttMeanMs : figures.rttMs;
  const spreadMs = (skewed ? 1 : MEDIAN_SPREAD) * Math.hypot(link.down.jitterMs, link.up.jitterMs);
  const samplingMs = (NORMAL_999 * spreadMs) / Math.sqrt(Math.max(1, figures.rttProbes));
  const margin = Math.max(RTT_TOLERANCE_MS, RTT_TOLERANCE * asked) + samplingMs;
  if (followsTrace(link))
    return {
      ...within('rtt', 'ms', asked, measured, [expected - margin, Infinity]),
      why: 'a trace holds packets back',
    };
  const check = within('rtt', 'ms', asked, measured, [expected - margin, expected + margin]);
  return skewed ? { ...check, why: 'the mean: the median of a skewed jitter lies below what was asked' } : check;
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
  if (direction.rate.kind === 'trace') checks.push(...judgeTrace(name, figures));
  checks.push(judgeLoss(name, direction, figures));
  if (direction.loss.kind === 'burst' && figures.meanBurstPackets !== undefined)
    checks.push(judgeBurst(name, direction.loss.meanBurstPackets, figures));
  return checks;
}

/** Checks that frames came at the rate and at the times of the part of the trace that fits best. */
function judgeTrace(name: DirectionName, { udpKbps, trace }: DirectionFigures): LinkCheck[] {
  const nothing = { kbps: Number.NaN, strayPercent: Number.NaN };
  const { kbps, strayPercent } = trace ?? nothing;
  return [
    withinShare(`${name} udp`, 'kbit/s', kbps, udpKbps ?? Number.NaN, TRACE_TOLERANCE),
    within(`${name} stray`, '%', 0, strayPercent, [0, STRAY_PERCENT]),
  ];
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

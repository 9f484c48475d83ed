import type { Visit } from '../model/arm.ts';
import { DEVICES } from '../model/device.ts';
import { TOPOLOGIES } from '../model/lab.ts';
import { type LinkDirection, type Loss, meanLossPercent, meanRateKbps, rttMs } from '../model/link.ts';
import type { SiteFacts } from '../model/site.ts';
import type { Arm, Condition } from '../model/study.ts';

/*
 * What a load is likely to take, reckoned from the link and the site alone: handshakes, a wave of requests, slow start,
 * bytes at the rate that is left where packets are lost, and what a browser of today takes for the objects. It tells
 * how long a study will be, no more: nothing is decided by it.
 */

/** Without a limit it is the two cores of a common machine that hold a load back. */
const UNLIMITED_KBPS = 100_000;
/** How much longer bytes are with the headers of frames and packets; and the headers of an answer. */
const WIRE_SHARE = 1.06;
const HEADER_BYTES = 100;
const INITIAL_WINDOW_BYTES = 14_600;
const SEGMENT_BYTES = 1_448;
const H1_CONNECTIONS = 6;
/** What a browser takes until the page is parsed and painted, and for each object: measured on two cores. */
const PAGE_MS = 60;
const OBJECT_MS = 1.2;
/** The shortest time that Linux waits for an acknowledgement. */
const LEAST_TIMEOUT_MS = 200;

/** What one load of a condition takes in an arm, its upload included; no longer than it may. */
export function likelyLoadMs(condition: Condition, arm: Arm, facts: SiteFacts): number {
  const { objects, bytes, uploadBytes, thinkMs = 0 } = facts;
  const { link, topology = 'direct', tabs, device, timeoutMs } = condition;
  const visitors = tabs === undefined ? (arm.beside ? 2 : 1) : TOPOLOGIES[topology].clients;
  const own = arm.protocol === 'h1' || arm.protocol === 'h1c' ? Math.min(H1_CONNECTIONS, objects) : 1;
  const way = { tripMs: rttMs(link), connections: own * visitors, lossless: arm.congestion === 'bbr' };
  const handshakes = { h1c: 1, h1: 2, h2: 2, h3: 1 }[arm.protocol];
  const downBytes = sentShare(arm.visit ?? condition.visit) * visitors * (bytes * WIRE_SHARE + objects * HEADER_BYTES);
  const bytesMs = transferMs(link.down, downBytes, way);
  // Connections beside the first have handshakes of their own, and each asks for one thing after the other.
  const waves = own === 1 ? Math.sign(objects - 1) : handshakes + Math.ceil((objects - 1) / own);
  const [longer, shorter] = [waves * way.tripMs, bytesMs].toSorted((a, b) => b - a);
  const waitMs = own === 1 ? longer! + shorter! : longer! + shorter! / 2;
  // A crowd's tabs have the two cores between them.
  const pages = tabs === undefined ? 1 : visitors * tabs;
  const browserMs = pages * (PAGE_MS + objects * OBJECT_MS) * DEVICES[device].cpuSlowdown;
  const loadMs = Math.min(timeoutMs, (handshakes + 1) * way.tripMs + waitMs + browserMs + thinkMs);
  if (uploadBytes === undefined) return loadMs;
  const sendMs = transferMs(link.up, uploadBytes * WIRE_SHARE * visitors, { ...way, connections: visitors });
  return loadMs + Math.min(timeoutMs, way.tripMs + sendMs);
}

/** The share of what a first visitor is sent that this kind of visitor is sent. */
function sentShare(visit: Visit): number {
  return visit === 'repeat' ? 0.1 : 1;
}

interface Way {
  readonly tripMs: number;
  readonly connections: number;
  /** Whether a loss slows nothing down. */
  readonly lossless: boolean;
}

/** Slow start, as long as it holds the bytes back; then the rate, or what is left of it once packets are lost. */
function transferMs({ rate, loss }: LinkDirection, bytes: number, { tripMs, connections, lossless }: Way): number {
  const kbps = (meanRateKbps(rate) ?? UNLIMITED_KBPS) * (1 - meanLossPercent(loss) / 100);
  const events = lossless ? 0 : lossEvents(loss);
  const lossyKbps = events === 0 ? kbps : Math.min(kbps, connections * kbpsWithLoss(tripMs, events));
  const wholeBytes = events === 0 ? bytes : Math.min(bytes, (connections * SEGMENT_BYTES) / events);
  let [left, window, ms] = [wholeBytes, connections * INITIAL_WINDOW_BYTES, 0];
  while (left > window && window * 8 < kbps * tripMs) {
    left -= window;
    window *= 2;
    ms += tripMs;
  }
  return ms + (left * 8) / kbps + ((bytes - wholeBytes) * 8) / lossyKbps;
}

/** How often a sender hears of a loss, for each packet; of losses in a row it hears once. */
function lossEvents(loss: Loss): number {
  return meanLossPercent(loss) / 100 / (loss.kind === 'burst' ? loss.meanBurstPackets : 1);
}

/** The rate of a connection with this many losses for each packet (Padhye, Firoiu, Towsley, Kurose 1998). */
function kbpsWithLoss(tripMs: number, events: number): number {
  const wayMs = Math.max(1, tripMs);
  const timeoutMs = Math.max(LEAST_TIMEOUT_MS, 2 * wayMs);
  const waitMs = timeoutMs * Math.min(1, 3 * Math.sqrt((3 * events) / 8)) * events * (1 + 32 * events ** 2);
  return (8 * SEGMENT_BYTES) / (wayMs * Math.sqrt((2 * events) / 3) + waitMs);
}

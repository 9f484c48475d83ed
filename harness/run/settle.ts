import type { Capture } from '../model/capture.ts';
import { FRAME_BYTES, type Link, longestOutageMs, loses, meanRateKbps, rttMs } from '../model/link.ts';
import type { Counters } from '../network/counters.ts';
import { sumOf } from '../stats/order.ts';

/** What may still have something on its way. */
export interface Wire {
  /** The counters of every host. */
  readonly counters: readonly Counters[];
  /** The link that is set: how long the wire may be silent with something on its way. */
  readonly link: Link;
  /** The round trip beyond the link, to servers that exist already. */
  readonly beyondMs: number;
}

/** Slack for this machine's own delays. */
const SETTLE_MS = 10;
const SETTLE_MAX_MS = 30_000;
/** The silences that a wait has room for: an outage that has just begun, what comes after it, and the one asked for. */
const SETTLE_MAX_SILENCES = 3;
const POLL_MS = 3;

/**
 * Waits until nothing has passed any host for as long as something may be on its way in between: what a load leaves
 * behind must not meet the next one. A connection that was closed unheard may still say something now and then.
 */
export async function settle({ counters, link, beyondMs }: Wire, limitMs?: number): Promise<Capture['broken']> {
  const silenceMs = silenceOf(link) + beyondMs;
  const maxMs = limitMs ?? Math.max(SETTLE_MAX_MS, SETTLE_MAX_SILENCES * silenceMs);
  const untilMs = performance.now() + maxMs;
  const countFrames = () => sumOf(counters.map((each) => each.frames()));
  let frames = countFrames();
  let silentMs = 0;
  for (let lookedMs = performance.now(); silentMs < silenceMs; ) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    const [now, nowMs] = [countFrames(), performance.now()];
    // Where this machine was held up the link was, too.
    silentMs = now === frames ? silentMs + Math.min(nowMs - lookedMs, 2 * POLL_MS) : 0;
    frames = now;
    lookedMs = nowMs;
    if (nowMs > untilMs) return { part: 'link', says: `not quiet ${Math.round(maxMs / 1000)} s after the load` };
  }
  return undefined;
}

/** The least time after which TCP sends again what was lost. */
const RETRANSMISSION_MS = 200;

/**
 * How long something may be on its way: a round trip with all its jitter, and the time of two full packets or of the
 * longest outage; where packets are lost also that until one is sent again.
 */
function silenceOf(link: Link): number {
  const gapsMs = ([link.down, link.up] as const).map(({ rate }) => {
    if (rate.kind === 'trace') return longestOutageMs(rate);
    const kbps = meanRateKbps(rate);
    return kbps === undefined ? 0 : (2 * FRAME_BYTES * 8) / kbps;
  });
  const lostMs = loses(link) ? RETRANSMISSION_MS : 0;
  return SETTLE_MS + rttMs(link) + 4 * (link.down.jitterMs + link.up.jitterMs) + Math.max(...gapsMs) + lostMs;
}

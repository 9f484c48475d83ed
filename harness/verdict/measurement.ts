import { originFor, type Protocol } from '../model/arm.ts';
import type { BrowserCapture, Capture, HostCounts, Traffic, WireCapture } from '../model/capture.ts';
import type { FailureReason, LoadFigures, Measurement } from '../model/measurement.ts';
import type { Manifest } from '../model/site.ts';
import type { TrialKey } from '../model/study.ts';
import { peakInFlight, quietSinceMs, readLog, type SeenLoad } from './devtools-log.ts';
import {
  type Flaw,
  findFlaw,
  flowsOf,
  networkRequests,
  openedConnections,
  type Testimony,
  undigestedObjects,
  usedConnections,
} from './proofs.ts';

/** What the trial was to be. */
export interface Claim {
  readonly key: TrialKey;
  readonly protocol: Protocol;
  readonly manifest: Manifest;
}

/** A core that is as busy as this decides by itself how long a load takes. */
const SATURATED_SHARE = 0.95;
/** The kernel's clock of what a core does ticks every 10 ms: in less than twenty ticks one of them is 5 %. */
const TELLING_MS = 200;
/** The page's clock and the browser's log agree to within this, or one of them is wrong. */
const CLOCK_TOLERANCE = 0.02;
const CLOCK_TOLERANCE_MS = 20;

/** Judges a capture: the figures of the load, or why it does not count. */
export function measurementOf({ key, protocol, manifest }: Claim, capture: Capture): Measurement {
  const { browser, broken, wire, server, visit, launch } = capture;
  const flawed = (flaw: Flaw): Measurement => ({ ...key, ...flaw, launch });
  if (broken) return flawed({ status: 'void', reason: broken.part, says: broken.says });
  if (!wire) return flawed({ status: 'void', reason: 'harness', says: 'the wire was not asked' });
  const seen = readLog(browser.events);
  const origin = originFor(protocol, visit);
  const testimony: Testimony = {
    ...{ origin, visit, manifest, wire, server },
    requests: seen.requests,
    digests: browser.digests,
  };
  if (browser.ending) return flawed(endingOf(browser.ending, testimony));
  if (!browser.timings) return flawed({ status: 'failed', reason: 'page-crash', says: 'the page no longer answered' });
  const flaw = findFlaw(testimony) ?? compareClocks(browser, seen);
  return flaw ? flawed(flaw) : { ...key, status: 'ok', ...figuresOf(testimony, capture, browser.timings) };
}

/** Errors of Chromium's network stack, as they begin. */
const REASONS: readonly (readonly [pattern: RegExp, reason: FailureReason])[] = [
  [/ERR_CONNECTION_REFUSED/, 'refused'],
  [/ERR_(CERT|SSL|TLS|ECH)_/, 'tls'],
];

/** A load that something ended; in the h3 arm any attempt by TCP is what is to be told. */
function endingOf({ by, says }: NonNullable<BrowserCapture['ending']>, { origin, visit, wire }: Testimony): Flaw {
  const tcp = flowsOf(wire.client.flows, 'client', origin.port).some(
    ({ transport, opened }) => transport === 'tcp' && opened,
  );
  if (origin.protocol === 'h3' && visit !== 'discovered' && tcp && by !== 'page-crash' && by !== 'browser-crash')
    return { status: 'failed', reason: 'fallback', says: `the browser turned to TCP: ${says}` };
  if (by === 'abort') return { status: 'void', reason: 'harness', says };
  if (by !== 'network') return { status: 'failed', reason: by, says };
  const reason = REASONS.find(([pattern]) => pattern.test(says))?.[1] ?? 'network';
  return { status: 'failed', reason, says };
}

function compareClocks({ timings }: BrowserCapture, { loadEventMs }: SeenLoad): Flaw | undefined {
  const pageMs = timings!.loadEventEndMs;
  const apartMs = Math.abs(pageMs - (loadEventMs ?? 0));
  if (apartMs <= Math.max(CLOCK_TOLERANCE_MS, CLOCK_TOLERANCE * pageMs)) return undefined;
  const says = `the page says that it took ${pageMs.toFixed(0)} ms, the browser's log ${loadEventMs?.toFixed(0)} ms`;
  return { status: 'void', reason: 'clock', says };
}

function figuresOf(
  testimony: Testimony,
  capture: Capture,
  timings: NonNullable<BrowserCapture['timings']>,
): LoadFigures {
  const { origin, wire } = testimony;
  const requests = networkRequests(testimony);
  const records = testimony.server.filter(({ port }) => port === origin.port);
  const lastByteMs = Math.max(0, ...testimony.requests.map(({ finishedMs }) => finishedMs ?? 0));
  const payloadBytes = records.reduce((sum, { bodyBytes }) => sum + bodyBytes, 0);
  const traffic = { down: sentBy(wire.server, 'server', origin.port), up: sentBy(wire.client, 'client', origin.port) };
  const coreBusyShare = Math.max(0, ...capture.host.cores);
  return {
    pltMs: timings.loadEventEndMs,
    ttfbMs: timings.ttfbMs,
    domContentLoadedMs: timings.domContentLoadedMs,
    ...(timings.fcpMs !== undefined && { fcpMs: timings.fcpMs }),
    ...(timings.lcpMs !== undefined && { lcpMs: timings.lcpMs }),
    cls: timings.cls,
    lastByteMs,
    quietMs: quietSinceMs(testimony.requests),
    ...(timings.doneMs !== undefined && { doneMs: timings.doneMs }),
    requests: requests.length,
    connections: openedConnections(testimony),
    usedConnections: usedConnections(testimony),
    peakInFlight: peakInFlight(requests),
    resumedConnections: new Set(records.filter(({ resumed }) => resumed).map(({ clientPort }) => clientPort)).size,
    earlyRequests: records.filter(({ earlyData }) => earlyData).length,
    packetsDown: traffic.down.packets,
    packetsUp: traffic.up.packets,
    bytesDown: traffic.down.bytes,
    bytesUp: traffic.up.bytes,
    payloadBytes,
    overheadPercent: payloadBytes > 0 ? 100 * ((traffic.down.bytes + traffic.up.bytes) / payloadBytes - 1) : 0,
    throughputKbps: lastByteMs > 0 ? (payloadBytes * 8) / lastByteMs : 0,
    undigestedObjects: undigestedObjects(testimony).length,
    // A kernel knows nothing of what QUIC sends again.
    ...(origin.protocol !== 'h3' && {
      retransmittedSegments: wire.server.retransmittedSegments + wire.client.retransmittedSegments,
    }),
    strayPackets: strayPackets(wire, origin.port),
    hostDrops: wire.client.droppedDatagrams + wire.server.droppedDatagrams,
    coreBusyShare,
    cpuBound: coreBusyShare >= SATURATED_SHARE && timings.loadEventEndMs >= TELLING_MS,
    launch: capture.launch,
    overheadMs: capture.wallMs - timings.loadEventEndMs,
  };
}

/**
 * What a host sent on the port's flows. Its kernel handles several packets as one until they reach the interface (TCP's
 * segments always, QUIC's datagrams if the server hands them over so), so only the interface counts what the wire sees:
 * all of it, less whatever else was sent.
 */
function sentBy(counts: HostCounts, side: 'client' | 'server', port: number): Traffic {
  const own = flowsOf(counts.flows, side, port);
  const others = sum(counts.flows.filter((flow) => !own.includes(flow)).map(({ sent }) => sent));
  return { packets: counts.sent.packets - others.packets, bytes: counts.sent.bytes - others.bytes };
}

/** Packets at the client that were not to or from the port. */
function strayPackets(wire: WireCapture, port: number): number {
  const strays = wire.client.flows.filter(({ otherPort }) => otherPort !== port);
  return (
    wire.client.otherPackets + strays.reduce((all, { sent, received }) => all + sent.packets + received.packets, 0)
  );
}

function sum(parts: readonly Traffic[]): Traffic {
  return parts.reduce((all, { packets, bytes }) => ({ packets: all.packets + packets, bytes: all.bytes + bytes }), {
    packets: 0,
    bytes: 0,
  });
}

import type { BrowserCapture, Capture } from '../model/capture.ts';
import type { FailureReason, LoadFigures, Measurement } from '../model/measurement.ts';
import type { TrialKey } from '../model/study.ts';
import { median } from '../stats/order.ts';
import { peakInFlight, quietSinceMs, readLog } from './devtools-log.ts';
import { reasonOf, withServerWords } from './ending.ts';
import { openedConnections, usedConnections } from './proofs/connections.ts';
import { flowsTo, listenersOf, portsOf } from './proofs/listeners.ts';
import { undigestedObjects } from './proofs/objects.ts';
import { findFlaw } from './proofs/proofs.ts';
import { h3SharePercent } from './proofs/switch.ts';
import { discovers, type Flaw, networkRequests, type Testimony, usesQuic } from './proofs/testimony.ts';
import { isRefused } from './proofs/transport.ts';
import { busiestShare, isSaturated } from './saturation.ts';
import { isWatched, logOf } from './timed-log.ts';
import { lostPackets, receivedBy, sentBy, strayPackets } from './wire-figures.ts';

/** What is sent by the page's form came to the server as it is. */
function proveUpload({ page, requests }: Testimony, { upload }: BrowserCapture): Flaw | undefined {
  const { upload: file } = page;
  if (!file) return undefined;
  const failed = (reason: FailureReason, says: string): Flaw => ({ status: 'failed', reason, says });
  if (!upload) return { status: 'void', reason: 'harness', says: 'nothing was sent' };
  const { error, status, bytes, sha256 } = upload;
  if (error !== undefined) return failed('network', [error, requests.at(-1)?.error].filter(Boolean).join(': '));
  if (status !== 200) return failed('object', `what was sent was answered with status ${status}`);
  if (bytes === file.bytes && sha256 === file.sha256) return undefined;
  return failed('object', `of ${file.bytes} bytes that were sent ${bytes} arrived, SHA-256 ${sha256}`);
}

/** Judges what was seen of one page that one visitor loaded. */
export function measureLoad(key: TrialKey, capture: Capture): Measurement {
  const { page, browser, broken, wire, server, launch } = capture;
  const flawed = (flaw: Flaw): Measurement => ({ ...key, ...withServerWords(flaw, capture), launch });
  if (broken) return flawed({ status: 'void', reason: broken.part, says: broken.says });
  if (!wire) return flawed({ status: 'void', reason: 'harness', says: 'the wire was not asked' });
  const { requests } = readLog(logOf(capture));
  const watched = isWatched(capture);
  const testimony: Testimony = {
    page,
    wire,
    server,
    requests,
    digests: watched ? browser.digests : undefined,
    lookedUp: capture.lookedUp,
  };
  if (browser.ending) return flawed(endingOf(browser.ending, testimony));
  if (!browser.timings) return flawed({ status: 'failed', reason: 'page-crash', says: 'the page no longer answered' });
  const flaw = findFlaw(testimony) ?? proveUpload(testimony, browser) ?? compareClocks(browser);
  return flaw ? flawed(flaw) : { ...key, status: 'ok', ...figuresOf(testimony, capture, browser.timings) };
}

/** Why a load that was cut short failed; in the h3 arm any attempt by TCP is the reason. */
function endingOf({ by, says }: NonNullable<BrowserCapture['ending']>, { page, wire }: Testimony): Flaw {
  const [own] = page.origins;
  const tcp = flowsTo(wire.client.flows, 'client', [own]).some(
    (flow) => flow.transport === 'tcp' && flow.opened && !(page.recorded && isRefused(flow)),
  );
  if (own.protocol === 'h3' && !discovers(own) && tcp && by !== 'page-crash' && by !== 'browser-crash')
    return { status: 'failed', reason: 'fallback', says: `the browser turned to TCP: ${says}` };
  return reasonOf({ by, says });
}

/** The page's clock may lag behind the machine's by as much as its own beginning is rounded to, and must never lead it. */
const CLOCK_TOLERANCE = 0.02;
const CLOCK_LAGS_MS = 50;
const CLOCK_LEADS_MS = 5;

function compareClocks({ timings, record }: BrowserCapture): Flaw | undefined {
  const [pageMs, seenMs] = [timings!.loadEventEndMs, record?.loadEventSeenMs];
  if (seenMs === undefined) return undefined;
  const lagsMs = seenMs - pageMs;
  if (lagsMs >= -CLOCK_LEADS_MS && lagsMs <= Math.max(CLOCK_LAGS_MS, CLOCK_TOLERANCE * pageMs)) return undefined;
  const says = `the page says that it took ${pageMs.toFixed(0)} ms, Photofinish saw ${seenMs.toFixed(0)} ms`;
  return { status: 'void', reason: 'clock', says };
}

function figuresOf(
  testimony: Testimony,
  capture: Capture,
  timings: NonNullable<BrowserCapture['timings']>,
): LoadFigures {
  const { page, wire } = testimony;
  const requests = networkRequests(testimony);
  const [ports, listeners] = [portsOf(page), listenersOf(page)];
  const records = testimony.server.filter(({ port }) => ports.includes(port));
  const { upload, roundTripsMs } = capture.browser;
  const uploadMs = upload && 1000 * upload.seconds;
  const sentBytes = page.upload?.bytes ?? 0;
  const lastByteMs = Math.max(0, ...testimony.requests.map(({ finishedMs }) => finishedMs ?? 0));
  const bodies = page.unlogged
    ? requests.map(({ encodedBytes = 0 }) => encodedBytes)
    : records.map(({ bodyBytes }) => bodyBytes);
  const payloadBytes = bodies.reduce((sum, bytes) => sum + bytes, sentBytes);
  const traffic = { down: sentBy(wire.server, 'server', listeners), up: sentBy(wire.client, 'client', listeners) };
  const came = { down: receivedBy(wire.client, 'client', listeners), up: receivedBy(wire.server, 'server', listeners) };
  const h3Percent = h3SharePercent(testimony);
  const coreBusyShare = busiestShare(capture.host);
  // A kernel does not know what QUIC sends again, and a gateway's does not know what passes through it.
  const knowsSent = !usesQuic(page) && !page.unlogged;
  return {
    pltMs: timings.loadEventEndMs,
    ttfbMs: timings.ttfbMs,
    domContentLoadedMs: timings.domContentLoadedMs,
    fcpMs: timings.fcpMs,
    lcpMs: timings.lcpMs,
    cls: timings.cls,
    lastByteMs,
    quietMs: quietSinceMs(testimony.requests),
    doneMs: timings.doneMs,
    uploadMs,
    loadedRttMs: roundTripsMs && roundTripsMs.length > 0 ? median(roundTripsMs) : undefined,
    requests: requests.length,
    connections: openedConnections(testimony),
    usedConnections: usedConnections(testimony),
    peakInFlight: peakInFlight(requests),
    h3SharePercent: h3Percent,
    resumedConnections: new Set(records.filter(({ resumed }) => resumed).map(({ clientPort }) => clientPort)).size,
    earlyRequests: records.filter(({ earlyData }) => earlyData).length,
    packetsDown: traffic.down.packets,
    packetsUp: traffic.up.packets,
    bytesDown: traffic.down.bytes,
    bytesUp: traffic.up.bytes,
    bytesReceived: came.down.bytes,
    lostDown: lostPackets(traffic.down, came.down),
    lostUp: lostPackets(traffic.up, came.up),
    payloadBytes,
    overheadPercent: payloadBytes > 0 ? 100 * ((traffic.down.bytes + traffic.up.bytes) / payloadBytes - 1) : undefined,
    throughputKbps: throughput(uploadMs === undefined ? [payloadBytes, lastByteMs] : [sentBytes, uploadMs]),
    undigestedObjects: testimony.digests && undigestedObjects(testimony).length,
    retransmittedSegments: knowsSent
      ? wire.server.retransmittedSegments + wire.client.retransmittedSegments
      : undefined,
    slowStartPackets: knowsSent ? slowStartPackets(testimony) : undefined,
    strayPackets: strayPackets(wire, listeners),
    hostDrops: wire.client.droppedDatagrams + wire.server.droppedDatagrams,
    coreBusyShare,
    cpuBound: isSaturated(coreBusyShare, timings.loadEventEndMs + (uploadMs ?? 0)),
    cpuSlowdown: capture.browser.cpuSlowdown,
    coreWaitMs: capture.host.coreWaitMs,
    stolenShare: capture.host.stolenShare,
    launch: capture.launch,
    overheadMs: capture.wallMs - timings.loadEventEndMs - (uploadMs ?? 0),
  };
}

/**
 * How far TCP's windows grew before rising delay ended their slow start, if it did so as often as connections were used. One that
 * starts slowly again, after a timeout, counts with its mean. A page that is sent a file grows the browser's windows, which is
 * nothing to compare.
 */
function slowStartPackets(testimony: Testimony): number | undefined {
  const { times = 0, windowPackets = 0 } = testimony.wire.server.slowStartsEnded ?? {};
  const used = usedConnections(testimony);
  if (times === 0 || times < used || testimony.page.upload) return undefined;
  return Math.round((windowPackets / times) * used);
}

function throughput([bytes, ms]: readonly [bytes: number, ms: number]): number {
  return ms > 0 ? (bytes * 8) / ms : 0;
}

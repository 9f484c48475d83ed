import { createInterface } from 'node:readline';
import type { DirectionFigures, LinkFigures } from '../model/calibration.ts';
import type { Host } from '../model/lab.ts';
import { type DirectionName, FRAME_BYTES, type Link, type LinkDirection, meanRateKbps } from '../model/link.ts';
import { type Argv, start } from '../system/process.ts';
import { openCapture } from './capture.ts';
import type { Network } from './network.ts';
import type { Frame } from './pcap.ts';
import { ECHO_PHASE, type ProbeTask, type SendDatagrams } from './probe.ts';
import { MARK_BYTES, PROBE_PORT, readMark } from './probe-mark.ts';

/*
 * A link is measured from outside, by what the kernels at its two ends see (both captures have one clock):
 *
 *   echo    small probes there and back on the empty link            RTT
 *   flood   a burst, then more than the link takes, full frames      rate, bound of the queue
 *   sparse  small probes at a fraction of the rate, each way         loss, bursts, reordering, duplication
 *   stream  TCP as fast as it goes                                   the rate a transfer gets
 */

/** How much is sent; more of it takes longer and tells finer. */
export interface CalibrationEffort {
  readonly echoes: number;
  readonly lossProbes: number;
  readonly streamMs: number;
}

const FLOOD_PHASE = { down: 2, up: 3 } as const;
const SPARSE_PHASE = { down: 4, up: 5 } as const;
const DIRECTIONS = ['down', 'up'] as const;

/** UDP and IP headers of a datagram's frame, with Ethernet's. */
const DATAGRAM_HEADER_BYTES = 42;
const FULL_PAYLOAD_BYTES = FRAME_BYTES - DATAGRAM_HEADER_BYTES;
const SPARSE_BYTES = DATAGRAM_HEADER_BYTES + MARK_BYTES;
/** A flood offers so much more than the link takes, for so long. */
const OVERLOAD = 1.15;
const FLOOD_MS = 600;
const FLOOD_PACKETS_MIN = 24;
const FLOOD_WINDOWS = 40;
/** Traces up to this length are followed for a whole period. */
const TRACE_MS_MAX = 5_000;
/** Sparse probes use at most so much of the rate, so that they meet no queue. */
const SPARSE_SHARE = 0.3;
const SPARSE_PER_SECOND_MAX = 4_000;
const STREAM_WINDOW_MS = 250;
const ECHOES_PER_SECOND = 100;
/** Where no rate is set, a flood of this rate tells at least that the link passes it. */
const UNLIMITED_FLOOD_KBPS = 100_000;

/** Measures the link that is set, between the first client and the first server if no others are named. */
export async function measureLink(
  network: Network,
  link: Link,
  effort: CalibrationEffort,
  { client, server } = { client: network.clients[0]!, server: network.servers[0]! },
): Promise<LinkFigures> {
  await using stack = new AsyncDisposableStack();
  const captures = {
    client: stack.use(await openCapture(client, 'calibration')),
    server: stack.use(await openCapture(server, 'calibration')),
  };
  const probes = {
    client: stack.use(await openProbe(client, network.router.realtime)),
    server: stack.use(await openProbe(server, network.router.realtime)),
  };
  const sender = { down: probes.server, up: probes.client };
  const receiver = { down: client, up: server };

  await probes.client.perform({
    ...sparse(link.up, ECHO_PHASE, server, effort.echoes),
    perSecond: echoesPerSecond(link),
  });
  await settle(link);
  await Promise.all(
    DIRECTIONS.map((name) =>
      sender[name].perform(sparse(link[name], SPARSE_PHASE[name], receiver[name], effort.lossProbes)),
    ),
  );
  await settle(link);
  const before = { cpuMs: network.router.cpuMs(), atMs: performance.now() };
  for (const name of DIRECTIONS) {
    await sender[name].perform(flood(link[name], FLOOD_PHASE[name], receiver[name]));
    await settle(link);
  }
  for (const name of DIRECTIONS) {
    await sender[name].perform({
      kind: 'stream',
      to: receiver[name].address,
      streams: streamsFor(link[name]),
      forMs: effort.streamMs,
    });
    await settle(link);
  }
  const after = { cpuMs: network.router.cpuMs(), atMs: performance.now() };
  const seen = {
    client: { address: client.address, frames: await captures.client.finish() },
    server: { address: server.address, frames: await captures.server.finish() },
  };
  return {
    ...figures(link, seen),
    ...(before.cpuMs !== undefined && after.cpuMs !== undefined
      ? { linkCores: (after.cpuMs - before.cpuMs) / (after.atMs - before.atMs) }
      : {}),
  };
}

/** What two captures of a calibration say of the link between them. */
export function figures(link: Link, seen: { readonly client: Seen; readonly server: Seen }): LinkFigures {
  const direction = (name: DirectionName): DirectionFigures => {
    const [from, to] = name === 'down' ? [seen.server, seen.client] : [seen.client, seen.server];
    const flooded = deliveries(from, to, FLOOD_PHASE[name]);
    const sparse = deliveries(from, to, SPARSE_PHASE[name]);
    return definedOnly({
      ...lossFigures(sparse),
      udpKbps: floodKbps(flooded, link[name]),
      tcpKbps: streamKbps(to),
      queuePackets: queueBound(flooded, link[name], shortestWayMs(sparse, link[name])),
    });
  };
  const rtts = roundTrips(link, seen).sort((a, b) => a - b);
  const frames = [...seen.client.frames, ...seen.server.frames];
  return {
    rttMs: quantile(rtts, 0.5),
    rttP99Ms: quantile(rtts, 0.99),
    rttProbes: rtts.length,
    directions: { down: direction('down'), up: direction('up') },
    longestFrameBytes: frames.reduce((longest, frame) => Math.max(longest, frame.bytes), 0),
  };
}

/** What one end saw. */
export interface Seen {
  readonly address: string;
  readonly frames: readonly Frame[];
}

/** A probe, when its sender's end saw it, and when the other end did: never, once, or more often. */
interface Delivery {
  readonly sequence: number;
  readonly sentMs: number;
  readonly arrivedMs: readonly number[];
}

/** The probes of a phase from one end to the other, in the order in which they were sent. */
function deliveries(from: Seen, to: Seen, phase: number): Delivery[] {
  const arrived = new Map<number, number[]>();
  for (const { sequence, timeMs } of probes(to, phase, (frame) => frame.to === to.address)) {
    const times = arrived.get(sequence);
    if (times) times.push(timeMs);
    else arrived.set(sequence, [timeMs]);
  }
  return probes(from, phase, (frame) => frame.from === from.address).map(({ sequence, timeMs }) => ({
    sequence,
    sentMs: timeMs,
    arrivedMs: arrived.get(sequence) ?? [],
  }));
}

function probes(seen: Seen, phase: number, passes: (frame: Frame) => boolean) {
  return seen.frames.flatMap((frame) => {
    if (frame.protocol !== 'udp' || frame.toPort !== PROBE_PORT || !passes(frame)) return [];
    const mark = readMark(frame.payload);
    return mark?.phase === phase ? [{ sequence: mark.sequence, timeMs: frame.timeMs }] : [];
  });
}

/**
 * Round trips of the echoes: the way there and the way back, each by both captures, so that the time that the other
 * end's program took does not count; and without the time that the probe's own bits need at the link's rate.
 */
function roundTrips(link: Link, { client, server }: { readonly client: Seen; readonly server: Seen }): number[] {
  const back = new Map(deliveries(server, client, ECHO_PHASE).map((delivery) => [delivery.sequence, delivery]));
  const bitsMs = serializationMs(link.down, SPARSE_BYTES) + serializationMs(link.up, SPARSE_BYTES);
  return deliveries(client, server, ECHO_PHASE).flatMap((there) => {
    const answer = back.get(there.sequence);
    const arrived = there.arrivedMs[0];
    const returned = answer?.arrivedMs[0];
    if (arrived === undefined || returned === undefined) return [];
    return [arrived - there.sentMs + (returned - answer!.sentMs) - bitsMs];
  });
}

function lossFigures(sent: readonly Delivery[]) {
  let bursts = 0;
  let lost = 0;
  let duplicated = 0;
  let reordered = 0;
  let latestMs = 0;
  let lostBefore = false;
  for (const { arrivedMs } of sent) {
    const at = arrivedMs[0];
    if (at === undefined) {
      lost += 1;
      if (!lostBefore) bursts += 1;
    } else {
      if (at < latestMs) reordered += 1;
      latestMs = Math.max(latestMs, at);
      if (arrivedMs.length > 1) duplicated += 1;
    }
    lostBefore = at === undefined;
  }
  const share = (count: number) => (sent.length === 0 ? 0 : (100 * count) / sent.length);
  return {
    lossPercent: share(lost),
    lossProbes: sent.length,
    lost,
    meanBurstPackets: bursts > 0 ? lost / bursts : undefined,
    reorderedPercent: share(reordered),
    duplicatedPercent: share(duplicated),
  };
}

/**
 * The rate at which a flood came out: the median of some forty windows, without the first and last tenth, so that a
 * sender that was held up, and left the queue empty for a moment, is not taken for the link. Of a trace, the mean over
 * one whole period, or nothing where that is too long to wait for.
 */
function floodKbps(flooded: readonly Delivery[], { rate }: LinkDirection): number | undefined {
  const times = flooded.flatMap((delivery) => delivery.arrivedMs.slice(0, 1)).sort((a, b) => a - b);
  if (rate.kind === 'trace') {
    const periodMs = rate.trace.deliveriesMs.at(-1)!;
    if (periodMs > TRACE_MS_MAX || times.length === 0) return undefined;
    return (times.filter((time) => time < times[0]! + periodMs).length * FRAME_BYTES * 8) / periodMs;
  }
  const edge = Math.floor(times.length / 10);
  const inside = times.slice(edge, times.length - edge);
  const length = Math.max(10, Math.floor(inside.length / FLOOD_WINDOWS));
  const rates: number[] = [];
  for (let from = 0; from + length < inside.length; from += length)
    rates.push((length * FRAME_BYTES * 8) / (inside[from + length]! - inside[from]!));
  return rates.length === 0
    ? undefined
    : quantile(
        rates.sort((a, b) => a - b),
        0.5,
      );
}

/**
 * How many packets wait behind the one being sent when the queue is full. A packet that is accepted right after one
 * was refused takes the last place: it needs the empty link's time, and that of N to N + 1 packets more. The median
 * tells N, since half a packet's time is the widest margin to both sides.
 */
function queueBound(flooded: readonly Delivery[], direction: LinkDirection, wayMs: number): number | undefined {
  // With jitter the way itself varies by more than a packet, and what is lost on it was not refused.
  if (direction.rate.kind !== 'constant' || direction.jitterMs > 0 || direction.loss.kind !== 'none') return undefined;
  const packetMs = serializationMs(direction, FRAME_BYTES);
  const waits = flooded.flatMap(({ sentMs, arrivedMs }, index) => {
    const before = flooded[index - 1];
    const takesLastPlace = before?.arrivedMs.length === 0 && sentMs - before.sentMs < packetMs;
    return takesLastPlace && arrivedMs[0] !== undefined ? [(arrivedMs[0] - sentMs - wayMs) / packetMs] : [];
  });
  return waits.length === 0
    ? undefined
    : Math.floor(
        quantile(
          waits.sort((a, b) => a - b),
          0.5,
        ),
      );
}

/** The shortest time of small probes from one end to the other, without that of their own bits. */
function shortestWayMs(sent: readonly Delivery[], direction: LinkDirection): number {
  const waysMs = sent.flatMap(({ sentMs, arrivedMs }) => arrivedMs.slice(0, 1).map((at) => at - sentMs));
  return waysMs.reduce((least, ms) => Math.min(least, ms), Infinity) - serializationMs(direction, SPARSE_BYTES);
}

/**
 * TCP payload towards an end in three quarters of all quarter seconds, or less: not the mean, since a transfer needs
 * its time to fill the link, and not the highest, since what is held up for a moment comes in a clump.
 */
function streamKbps(to: Seen): number | undefined {
  const data = to.frames.filter(
    (frame) =>
      frame.protocol === 'tcp' && frame.to === to.address && frame.toPort === PROBE_PORT && frame.payloadBytes > 0,
  );
  const rates: number[] = [];
  let bytes = 0;
  let windowFrom = data[0]?.timeMs ?? 0;
  for (const frame of data.slice(1)) {
    bytes += frame.payloadBytes;
    const lastedMs = frame.timeMs - windowFrom;
    if (lastedMs < STREAM_WINDOW_MS) continue;
    rates.push((bytes * 8) / lastedMs);
    bytes = 0;
    windowFrom = frame.timeMs;
  }
  return rates.length === 0
    ? undefined
    : quantile(
        rates.sort((a, b) => a - b),
        0.75,
      );
}

function sparse(direction: LinkDirection, phase: number, to: Host, count: number): SendDatagrams {
  const kbps = meanRateKbps(direction.rate) ?? UNLIMITED_FLOOD_KBPS;
  // A late one holds up those behind it, for a few times the jitter; let go together, they must not overflow the queue.
  const heldUpMs = 8 * direction.jitterMs;
  const perSecond = Math.min(
    SPARSE_PER_SECOND_MAX,
    (SPARSE_SHARE * kbps * 1000) / (8 * SPARSE_BYTES),
    direction.rate.kind === 'unlimited' ? Infinity : (1000 * direction.queuePackets) / heldUpMs,
  );
  return { kind: 'datagrams', to: to.address, phase, count, payloadBytes: MARK_BYTES, perSecond, burst: 1, catchUp: 4 };
}

function flood(direction: LinkDirection, phase: number, to: Host): ProbeTask {
  const arriving = 1 - (direction.loss.kind === 'none' ? 0 : direction.loss.percent / 100);
  const perSecond = (OVERLOAD * peakKbps(direction) * 1000) / (8 * FRAME_BYTES * Math.max(0.1, arriving));
  const burst = direction.rate.kind === 'constant' ? direction.queuePackets + FLOOD_PACKETS_MIN : 1;
  const count = burst + Math.max(FLOOD_PACKETS_MIN, Math.ceil((perSecond * floodMs(direction)) / 1000));
  const catchUp = count; // A flood must never let the queue run empty, whatever holds its sender up.
  return {
    kind: 'datagrams',
    to: to.address,
    phase,
    count,
    payloadBytes: FULL_PAYLOAD_BYTES,
    perSecond,
    burst,
    catchUp,
  };
}

/** How long a flood lasts: a trace is followed for its whole period, if that is short enough. */
function floodMs({ rate }: LinkDirection): number {
  return rate.kind === 'trace' ? FLOOD_MS + Math.min(rate.trace.deliveriesMs.at(-1)!, TRACE_MS_MAX) : FLOOD_MS;
}

/** The most that a direction delivers at any time. */
function peakKbps({ rate }: LinkDirection): number {
  if (rate.kind !== 'trace') return meanRateKbps(rate) ?? UNLIMITED_FLOOD_KBPS;
  const windows = new Map<number, number>();
  for (const ms of rate.trace.deliveriesMs)
    windows.set(Math.floor(ms / 100), (windows.get(Math.floor(ms / 100)) ?? 0) + 1);
  return (Math.max(...windows.values()) * FRAME_BYTES * 8) / 100;
}

/** So far apart that one that is late by the jitter does not hold up the next. */
function echoesPerSecond({ down, up }: Link): number {
  return Math.min(ECHOES_PER_SECOND, 1000 / (8 * Math.max(down.jitterMs, up.jitterMs)));
}

/** So many connections that they fill the link within a few round trips. */
function streamsFor({ queuePackets }: LinkDirection): number {
  return Math.max(4, Math.min(32, Math.ceil(queuePackets / 25)));
}

/** Waits until whatever was sent has arrived: a round trip, and both queues emptied. */
async function settle(link: Link): Promise<void> {
  const waits = DIRECTIONS.map((name) => {
    const { rate, delayMs, jitterMs, queuePackets } = link[name];
    const queueMs = rate.kind === 'unlimited' ? 0 : (queuePackets + 1) * serializationMs(link[name], FRAME_BYTES);
    return delayMs + 4 * jitterMs + queueMs;
  });
  await new Promise((resolve) => setTimeout(resolve, 50 + waits[0]! + waits[1]!));
}

/** How long so many bytes need at a direction's rate. */
function serializationMs(direction: LinkDirection, bytes: number): number {
  const kbps = meanRateKbps(direction.rate);
  return kbps === undefined ? 0 : (bytes * 8) / kbps;
}

/** A quantile of ascending values, by the nearest rank; not a number where there is none. */
function quantile(ascending: readonly number[], share: number): number {
  return ascending[Math.min(ascending.length - 1, Math.ceil(share * ascending.length) - 1)] ?? Number.NaN;
}

function definedOnly<T extends object>(record: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as never;
}

interface Probe extends AsyncDisposable {
  /** Resolves when the task is done. */
  perform(task: ProbeTask): Promise<void>;
}

const PROBE_PROGRAM = new URL('./probe.ts', import.meta.url).pathname;

async function openProbe(host: Host, realtime: boolean): Promise<Probe> {
  // Behind the link itself but before all else: on a busy machine a flood would otherwise be none.
  const priority = realtime ? ['chrt', '--fifo', '5'] : [];
  const argv = [...priority, process.execPath, PROBE_PROGRAM] as unknown as Argv;
  const program = start(argv, { namespace: host.namespace });
  await using undo = new AsyncDisposableStack();
  undo.use(program);
  const lines = createInterface({ input: program.stdout })[Symbol.asyncIterator]();
  let said = '';
  program.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  const answer = async (expected: string) => {
    const { value, done } = await lines.next();
    if (done || value !== expected) throw new Error(`a probe ended: ${said.trim()}`);
  };
  await answer('ready');
  const kept = undo.move();
  return {
    async perform(task) {
      program.stdin.write(`${JSON.stringify(task)}\n`);
      await answer('done');
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

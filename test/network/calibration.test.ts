import { expect, test } from '@jest/globals';
import { figures, type Seen } from '../../harness/network/calibration.ts';
import type { Frame } from '../../harness/network/pcap.ts';
import { MARK_BYTES, PROBE_PORT, writeMark } from '../../harness/network/probe-mark.ts';
import { seededRandom } from '../../harness/stats/random.ts';
import { parseLink } from '../../harness/study/link.ts';

const CLIENT = '10.0.0.1';
const SERVER = '10.0.0.2';
const PHASES = { echo: 1, floodDown: 2, floodUp: 3, sparseDown: 4, sparseUp: 5 };
const link = (spec: string) => parseLink(spec, { readText: () => '' });

/** A link as it should be, of which both ends' captures are written down. */
function imitate({
  rateKbps,
  delayMs,
  queue,
  loss,
}: {
  rateKbps: number;
  delayMs: number;
  queue: number;
  loss: number;
}) {
  const client: Frame[] = [];
  const server: Frame[] = [];
  const random = seededRandom(1);
  let freeMs = 0;
  const departures: number[] = [];
  const send = (from: 'client' | 'server', phase: number, sequence: number, atMs: number, payloadBytes: number) => {
    const bytes = payloadBytes + 42;
    const [near, far] = from === 'client' ? [client, server] : [server, client];
    const [source, target] = from === 'client' ? [CLIENT, SERVER] : [SERVER, CLIENT];
    const payload = Buffer.alloc(MARK_BYTES);
    writeMark(payload, { phase, sequence });
    const frame = {
      bytes,
      protocol: 'udp' as const,
      from: source,
      to: target,
      fromPort: PROBE_PORT,
      toPort: PROBE_PORT,
      payloadBytes,
      payload,
    };
    near.push({ ...frame, timeMs: atMs });
    if (random() < loss) return undefined;
    const reachedMs = atMs + delayMs;
    if (departures.filter((departureMs) => departureMs > reachedMs).length > queue) return undefined;
    freeMs = Math.max(freeMs, reachedMs) + (bytes * 8) / rateKbps;
    departures.push(freeMs);
    far.push({ ...frame, timeMs: freeMs });
    return freeMs;
  };
  const rest = () => {
    freeMs += 10_000;
    departures.length = 0;
    return freeMs;
  };
  return {
    send,
    rest,
    seen: {
      client: { address: CLIENT, frames: client } satisfies Seen,
      server: { address: SERVER, frames: server } satisfies Seen,
    },
  };
}

test('figures are those of the link: RTT without the probes’ own bits, rate, loss, and the queue to the packet', () => {
  const { send, rest, seen } = imitate({ rateKbps: 2000, delayMs: 109, queue: 36, loss: 0 });
  for (let index = 0; index < 50; index += 1) {
    const atMs = rest();
    const there = send('client', PHASES.echo, index, atMs, MARK_BYTES)!;
    send('server', PHASES.echo, index, there + 3, MARK_BYTES); // The program at the other end took 3 ms, which must not count.
  }
  for (const [from, phase] of [
    ['server', PHASES.sparseDown],
    ['client', PHASES.sparseUp],
  ] as const)
    for (let index = 0; index < 100; index += 1) send(from, phase, index, rest(), MARK_BYTES);
  for (const [from, phase] of [
    ['server', PHASES.floodDown],
    ['client', PHASES.floodUp],
  ] as const) {
    const startMs = rest();
    for (let index = 0; index < 400; index += 1)
      send(from, phase, index, startMs + Math.max(0, index - 60) * 5.2, 1472);
  }
  const result = figures(link('rate=2mbit,rtt=218ms'), seen);
  expect(result.rttMs).toBeCloseTo(218, 6);
  expect(result.rttProbes).toBe(50);
  expect(result.longestFrameBytes).toBe(1514);
  for (const direction of [result.directions.down, result.directions.up]) {
    expect(direction.udpKbps).toBeCloseTo(2000, 6);
    expect(direction.queuePackets).toBe(36);
    expect(direction).toMatchObject({ lost: 0, lossProbes: 100, reorderedPercent: 0, duplicatedPercent: 0 });
  }
});

test('losses are counted with the bursts that they come in; overtaking and doubles as what they are', () => {
  const { send, rest, seen } = imitate({ rateKbps: 10_000, delayMs: 5, queue: 1000, loss: 0 });
  for (let index = 0; index < 20; index += 1) send('server', PHASES.sparseDown, index, rest(), MARK_BYTES);
  const arrived = seen.client.frames as Frame[];
  arrived.push(arrived[15]!); // One arrives twice,
  const late = arrived[10]!; // one after the next,
  arrived[10] = { ...late, timeMs: arrived[11]!.timeMs + 1 };
  arrived.splice(3, 3); // and two bursts are lost: 3, 4, 5
  arrived.splice(4, 1); // and 7.
  const { down } = figures(link('rate=10mbit,rtt=10ms'), seen).directions;
  expect(down).toMatchObject({
    lost: 4,
    lossProbes: 20,
    lossPercent: 20,
    meanBurstPackets: 2,
    reorderedPercent: 5,
    duplicatedPercent: 5,
  });
});

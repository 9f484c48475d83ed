import { expect, test } from '@jest/globals';
import { linkFigures } from '../../harness/calibration/link-figures.ts';
import { fitTrace } from '../../harness/calibration/trace-fit.ts';
import type { EndSightings, LinkSightings, ProbePhase, ProbeSighting } from '../../harness/model/calibration.ts';
import { linkOf } from '../links.ts';

const SMALL = 50;
const FULL = 1514;

interface End extends EndSightings {
  readonly sent: ProbeSighting[];
  readonly received: ProbeSighting[];
}

interface Probe {
  readonly from: 'client' | 'server';
  readonly phase: ProbePhase;
  readonly sequence: number;
  readonly atMs: number;
  readonly bytes: number;
}

/** A link as it should be, and what both its ends see. */
function imitate({ rateKbps, delayMs, queue }: { rateKbps: number; delayMs: number; queue: number }) {
  const end = (): End => ({ sent: [], received: [], segments: [], longestFrameBytes: 1514 });
  const seen = { client: end(), server: end() };
  let freeMs = 0;
  const departures: number[] = [];
  return {
    seen,
    /** When it arrives, or nothing where the queue is full. */
    send({ from, atMs, ...probe }: Probe): number | undefined {
      const [near, far] = from === 'client' ? [seen.client, seen.server] : [seen.server, seen.client];
      near.sent.push({ ...probe, timeMs: atMs });
      const reachedMs = atMs + delayMs;
      if (departures.filter((departureMs) => departureMs > reachedMs).length > queue) return undefined;
      freeMs = Math.max(freeMs, reachedMs) + (probe.bytes * 8) / rateKbps;
      departures.push(freeMs);
      far.received.push({ ...probe, timeMs: freeMs });
      return freeMs;
    },
    /** A time at which nothing is under way. */
    rest(): number {
      freeMs += 10_000;
      departures.length = 0;
      return freeMs;
    },
  };
}

test('figures are those of the link: RTT without the probes’ own bits, rate, loss, and the queue to the packet', () => {
  const { send, rest, seen } = imitate({ rateKbps: 2000, delayMs: 109, queue: 36 });
  for (let sequence = 0; sequence < 50; sequence += 1) {
    const echo = { phase: 'echo', sequence, bytes: SMALL } as const;
    const there = send({ from: 'client', atMs: rest(), ...echo })!;
    send({ from: 'server', atMs: there + 3, ...echo }); // The program at the other end took 3 ms, which must not count.
  }
  for (const from of ['server', 'client'] as const) {
    for (let sequence = 0; sequence < 100; sequence += 1)
      send({ from, phase: 'sparse', sequence, atMs: rest(), bytes: SMALL });
    const startMs = rest();
    for (let sequence = 0; sequence < 400; sequence += 1)
      send({ from, phase: 'flood', sequence, atMs: startMs + Math.max(0, sequence - 60) * 5.2, bytes: FULL });
  }
  const result = linkFigures(linkOf('rate=2mbit,rtt=218ms'), { ...seen, linkCores: 0.25 });
  expect(result.rttMs).toBeCloseTo(218, 6);
  expect(result.rttMeanMs).toBeCloseTo(218, 6);
  expect(result).toMatchObject({ rttProbes: 50, longestFrameBytes: 1514, linkCores: 0.25 });
  for (const direction of [result.directions.down, result.directions.up]) {
    expect(direction.udpKbps).toBeCloseTo(2000, 6);
    expect(direction.queuePackets).toBe(36);
    expect(direction).toMatchObject({ lost: 0, lossProbes: 100, reorderedPercent: 0, duplicatedPercent: 0 });
  }
});

test('losses are counted with the bursts that they come in; overtaking and doubles as what they are', () => {
  const { send, rest, seen } = imitate({ rateKbps: 10_000, delayMs: 5, queue: 1000 });
  for (let sequence = 0; sequence < 20; sequence += 1)
    send({ from: 'server', phase: 'sparse', sequence, atMs: rest(), bytes: SMALL });
  const arrived = seen.client.received;
  arrived.push(arrived[15]!); // One arrives twice,
  const late = arrived[10]!; // one after the next,
  arrived[10] = { ...late, timeMs: arrived[11]!.timeMs + 1 };
  arrived.splice(3, 3); // and two bursts are lost: 3, 4, 5
  arrived.splice(4, 1); // and 7.
  const { down } = linkFigures(linkOf('rate=10mbit,rtt=10ms'), seen).directions;
  expect(down).toMatchObject({
    lost: 4,
    lossProbes: 20,
    lossPercent: 20,
    meanBurstPackets: 2,
    reorderedPercent: 5,
    duplicatedPercent: 5,
  });
});

test('a transfer’s rate is what three quarters of all quarter seconds do not exceed', () => {
  const segments = Array.from({ length: 4000 }, (_, index) => ({ timeMs: index * 0.5, payloadBytes: 1000 }));
  const slow = segments.map(({ timeMs, payloadBytes }) => ({ timeMs: 2 * timeMs, payloadBytes }));
  const end = { sent: [], received: [], longestFrameBytes: 1514 };
  const seen: LinkSightings = { client: { ...end, segments }, server: { ...end, segments: slow } };
  const { down, up } = linkFigures(linkOf('rate=20mbit'), seen).directions;
  expect(down.tcpKbps).toBeCloseTo(16_000, -2);
  expect(up.tcpKbps).toBeCloseTo(8_000, -2);
});

test('where nothing came through there is no figure', () => {
  const nothing = { sent: [], received: [], segments: [], longestFrameBytes: 0 };
  const figures = linkFigures(linkOf('rate=20mbit,down.trace=train-down'), { client: nothing, server: nothing });
  expect(figures.rttMs).toBeNaN();
  expect(figures.rttMeanMs).toBeNaN();
  expect(figures.directions).toEqual({
    down: { lossPercent: 0, lossProbes: 0, lost: 0, reorderedPercent: 0, duplicatedPercent: 0 },
    up: { lossPercent: 0, lossProbes: 0, lost: 0, reorderedPercent: 0, duplicatedPercent: 0 },
  });
});

test('a rate that follows a trace is what was delivered in a period, and not the mean of all that was seen', () => {
  const { rate } = linkOf('down.trace=train-down').down;
  if (rate.kind !== 'trace') throw new Error('no trace');
  const flood = rate.trace.deliveriesMs.map((timeMs, sequence): ProbeSighting & { phase: ProbePhase } => {
    return { phase: 'flood', sequence, bytes: FULL, timeMs };
  });
  const end = { segments: [], longestFrameBytes: FULL };
  const seen: LinkSightings = {
    client: { ...end, sent: [], received: flood },
    server: { ...end, sent: flood.map((probe) => ({ ...probe, timeMs: 0 })), received: [] },
  };
  const arrivalsMs = flood.map(({ timeMs }) => timeMs);
  const { down } = linkFigures(linkOf('down.trace=train-down'), seen).directions;
  expect(down).toMatchObject(fitTrace(rate.trace, arrivalsMs));
  expect(down.udpKbps).toBeGreaterThan(0);
});

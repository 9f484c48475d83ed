import { expect, test } from '@jest/globals';
import type { ProbePhase } from '../../harness/model/calibration.ts';
import { PROBE_PORT } from '../../harness/model/calibration.ts';
import { sightings } from '../../harness/network/calibration.ts';
import type { WireFrame } from '../../harness/network/pcap.ts';
import { MARK_BYTES, writeMark } from '../../harness/network/probe-mark.ts';
import { planEchoes, planFlood, planSparse, settleMs } from '../../harness/network/probe-plan.ts';
import { linkOf } from '../links.ts';

const HERE = { namespace: 'lab1-client1', address: '10.0.0.1', device: 'eth0' };
const THERE = { namespace: 'lab1-server1', address: '10.0.0.2', device: 'eth0' };

function probe(timeMs: number, from: string, phase: ProbePhase, sequence: number): WireFrame {
  const payload = Buffer.alloc(MARK_BYTES);
  writeMark(payload, { phase, sequence });
  const to = from === HERE.address ? THERE.address : HERE.address;
  const ports = { fromPort: PROBE_PORT, toPort: PROBE_PORT };
  return { timeMs, bytes: 50, protocol: 'udp', from, to, ...ports, payloadBytes: MARK_BYTES, payload };
}

test('a capture is read for the probes that left and arrived, the segments that arrived, and the longest frame', () => {
  const segment = { ...probe(3, THERE.address, 'echo', 0), protocol: 'tcp' as const, payloadBytes: 1448, bytes: 1514 };
  const frames: WireFrame[] = [
    probe(1, HERE.address, 'flood', 7),
    probe(2, THERE.address, 'sparse', 9),
    segment,
    { ...segment, payloadBytes: 0 }, // An acknowledgement,
    { ...segment, from: HERE.address, to: THERE.address }, // what this end sent,
    { ...probe(4, THERE.address, 'echo', 0), payload: Buffer.from('somebody else’s') },
    { ...probe(5, THERE.address, 'echo', 0), toPort: 53 }, // and what is no probe do not count.
  ];
  expect(sightings(HERE, frames)).toEqual({
    sent: [{ phase: 'flood', sequence: 7, timeMs: 1, bytes: 50 }],
    received: [{ phase: 'sparse', sequence: 9, timeMs: 2, bytes: 50 }],
    segments: [{ timeMs: 3, payloadBytes: 1448 }],
    longestFrameBytes: 1514,
  });
});

/** Half a second of ten packets every 10 ms, then nothing for half a second. */
const OUTAGE = Array.from({ length: 501 }, (_, index) => Math.floor(index / 10) * 10 + 10).map((ms) => `${ms}\n`);
const link = (spec: string) => linkOf(spec, `${OUTAGE.slice(0, 500).join('')}1000\n`);

test('sparse probes never overflow a queue, not even those that a late one or an outage held up', () => {
  const jittered = planSparse(link('rate=50mbit,rtt=40ms,jitter=10ms,queue=20').down, THERE, 100);
  expect((jittered.perSecond * 80) / 1000).toBeLessThanOrEqual(20);
  const traced = planSparse(link('trace=t,rtt=40ms,queue=20').down, THERE, 100);
  expect(((traced.perSecond * 500) / 1000) * 50).toBeLessThanOrEqual(20 * 1514);
});

test('echoes are so far apart that none waits for the one before it', () => {
  expect(planEchoes(link('rtt=40ms'), THERE, 10).perSecond).toBe(100);
  expect(1000 / planEchoes(link('rtt=80ms,jitter=20ms'), THERE, 10).perSecond).toBeGreaterThanOrEqual(160);
});

test('a flood is more than the link takes at its fastest, after losses, and long enough to see a trace by', () => {
  const bitsPerSecond = (spec: string) => planFlood(link(spec).down, THERE).perSecond * 1514 * 8;
  expect(bitsPerSecond('rate=10mbit')).toBeCloseTo(11.5e6, 0);
  expect(bitsPerSecond('rate=10mbit,loss=50%')).toBeCloseTo(23e6, 0);
  expect(bitsPerSecond('trace=t')).toBeGreaterThan(1.1 * 10 * 100 * 1514 * 8);
  const { count, perSecond } = planFlood(link('trace=t').down, THERE);
  expect(count / perSecond).toBeGreaterThan(1.5);
});

test('nothing is sent before what was sent has arrived: a round trip, a full queue, an outage', () => {
  expect(settleMs(link('rate=10mbit,rtt=40ms'))).toBeGreaterThan(40 + 34 * 1.2);
  expect(settleMs(link('trace=t,rtt=40ms'))).toBeGreaterThan(40 + 500);
});

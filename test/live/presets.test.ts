import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect } from '@jest/globals';
import type { Summary } from '../../harness/findings/summary.ts';
import type { Measurement } from '../../harness/model/measurement.ts';
import { openStoreToRead } from '../../harness/store/store.ts';
import { inPeace } from '../in-peace.ts';
import { undisturbed } from './figures.ts';
import { labTest, labTestBeside } from './lab.ts';
import { measure } from './measure.ts';

/*
 * The short form of every study that repeats a paper, with fewer blocks: that all of it runs, that the proofs hold, and
 * that physics does.
 */

const folder = mkdtempSync('/var/tmp/photofinish-presets-');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A segment of TCP with all its headers, down to Ethernet's. */
const FULL_FRAME_BYTES = 1_514;

type Load = Extract<Measurement, { status: 'ok' }>;

interface Repeated {
  readonly summary: Summary;
  readonly loads: readonly Load[];
  /** Of a figure, of the loads of one arm; in the conditions whose names have this in them. */
  readonly median: (figure: keyof Load, arm: string, among?: string) => number;
  readonly mean: (figure: keyof Load, arm: string) => number;
}

async function repeat(study: string, blocks: number): Promise<Repeated> {
  const out = mkdtempSync(join(folder, `${study}-`));
  const words = ['--study', study, '--quick', '--exactly', `${blocks}`, '--seed', '11', '--out', out];
  const { code, complaint } = await measure(words);
  expect({ code, complaint }).toEqual({ code: 0, complaint: '' });
  const summary = JSON.parse(readFileSync(join(out, 'summary.json'), 'utf8')) as Summary;
  using store = openStoreToRead(join(out, 'study.sqlite'));
  const loads = undisturbed(store.measurements()).filter((each) => each.status === 'ok');
  const valuesOf = (figure: keyof Load, arm: string, among = '') =>
    loads
      .filter((each) => each.arm === arm && each.condition.includes(among))
      .map((each) => each[figure] as number)
      .toSorted((a, b) => a - b);
  return {
    ...{ summary, loads },
    median(...which) {
      const values = valuesOf(...which);
      return values[Math.floor(values.length / 2)] ?? Number.NaN;
    },
    mean(...which) {
      const values = valuesOf(...which);
      return values.reduce((sum, value) => sum + value, 0) / values.length;
    },
  };
}

// First, beside what asks little of the machine: the transfers at 40 Mbit/s come last of those that run beside others.
labTestBeside(
  'oliveira2020-pairs: two flows of TCP share the link evenly, and all carry no more than it can',
  async () => {
    const even = ({ mean }: Repeated) => mean('fairness', 'tcp-cubic+tcp-cubic');
    const all: Repeated[] = [];
    const repeatPairs = async (blocks: number) => {
      const found = await repeat('oliveira2020-pairs', blocks);
      all.push(found);
      return found;
    };
    // Whichever ends last has waited for all the bits of both.
    const lastKbps = ({ ownKbps, besideKbps }: Load) => Math.min(ownKbps!, besideKbps!);
    await inPeace(async () => {
      const first = await repeatPairs(1);
      // Which packet finds a queue of a few full is chance: one pair may share less evenly, three on average do not.
      const found = even(first) > 0.9 ? first : await repeatPairs(3);
      expect(even(found)).toBeGreaterThan(0.9);
      for (const load of found.loads) {
        expect([load.arm, load.fairness]).toEqual([load.arm, expect.any(Number)]); // Both ran at the same time.
        // Where both are Cubic neither waits long.
        if (load.arm.includes('bbr')) continue;
        expect([load.arm, lastKbps(load), lastKbps(load) > 1_500]).toEqual([load.arm, lastKbps(load), true]);
      }
    });
    for (const { summary, loads } of all) {
      expect(summary.loads).toMatchObject({ failed: 0 });
      expect(summary.loads.counted % 7).toBe(0);
      for (const load of loads)
        expect([load.arm, lastKbps(load), lastKbps(load) <= 2_500]).toEqual([load.arm, lastKbps(load), true]);
    }
  },
  1_200_000,
);

labTestBeside(
  'kramer2015: where the way is long and narrow h3 is ahead of h2, and h2 of h1',
  async () => {
    const all: Repeated[] = [];
    await inPeace(async () => {
      const found = await repeat('kramer2015', 2);
      all.push(found);
      const long = 'rate=2mbit,rtt=218ms,loss=0%';
      const [h1, h2, h3] = ['h1', 'h2', 'h3'].map((arm) => found.median('pltMs', arm, long));
      expect([h1, h2, h3, h3! < h2! && h2! < h1!]).toEqual([h1, h2, h3, true]);
      // QUIC's handshake is one round trip; TCP's and that of TLS are two.
      const [ofH2, ofH3] = ['h2', 'h3'].map((arm) => found.median('ttfbMs', arm, long));
      expect([ofH2, ofH3, Math.round((ofH2! - ofH3!) / 218)]).toEqual([ofH2, ofH3, 1]);
    });
    for (const { summary } of all) expect(summary.loads).toMatchObject({ failed: 0, counted: 18 });
  },
  900_000,
);

labTestBeside(
  'dncs2020: over a router, with Lighthouse',
  async () => {
    const { summary, loads } = await repeat('dncs2020', 1);
    expect(summary.loads).toMatchObject({ failed: 0, counted: 6 });
    for (const load of loads) if (load.condition.includes('10240')) expect(load.pltMs).toBeGreaterThan(1e6 / 1280);
    for (const { arms } of summary.conditions)
      for (const { lighthouse } of Object.values(arms)) expect(lighthouse).toBeGreaterThan(0.3);
  },
  900_000,
);

labTestBeside(
  'valle2023: no upload is faster than its bits, and what is laid around them is what its protocol has around them',
  async () => {
    const { loads, median } = await repeat('valle2023', 1);
    const narrow = loads.filter(({ condition }) => condition.includes('rate=500kbit'));
    expect(narrow).toHaveLength(2);
    for (const { uploadMs } of narrow) expect(uploadMs).toBeGreaterThanOrEqual((200_000 * 8) / 500);
    const large = loads.filter(({ condition }) => condition.includes('8mb'));
    expect(large).toHaveLength(2);
    for (const { uploadMs } of large) expect(uploadMs).toBeGreaterThanOrEqual((8_025_669 * 8) / 4_000);
    // What was not lost is the file and what is laid around it: a frame of Chromium's QUIC has 1,292 bytes at most.
    for (const { arm, bytesUp, lostUp } of narrow) {
      const [frameBytes, mostPercent] = arm === 'h2' ? [FULL_FRAME_BYTES, 12] : [1_292, 20];
      const around = 100 * ((bytesUp - lostUp! * frameBytes) / 200_000 - 1);
      expect([arm, around, around > 4.5 && around < mostPercent]).toEqual([arm, around, true]);
    }
    expect(median('loadedRttMs', 'h2', 'rate=500kbit')).toBeGreaterThan(10); // The queue, with no delay beside it.
  },
  900_000,
);

labTest(
  'goncalves2015: the crowd uses a connection for each client by h2 and h3, and six by h1',
  async () => {
    const { summary, median } = await repeat('goncalves2015', 1);
    expect(summary.loads.failed).toBe(0);
    expect(median('tabs', 'nginx-h2')).toBe(10);
    // Where a connection is slow to come about on the full link, Chromium opens another, and uses the first.
    expect(['nginx-h2', 'apache-h2', 'nginx-h3'].map((arm) => median('usedConnections', arm))).toEqual([5, 5, 5]);
    expect(median('usedConnections', 'nginx-h1c')).toBe(30);
    for (const arm of ['nginx-h1c', 'nginx-h1', 'nginx-h2', 'nginx-h3', 'apache-h2'])
      expect(median('pltMs', arm)).toBeGreaterThan((5 * 420_391 * 8) / 4_950);
  },
  900_000,
);

/**
 * What TCP lays around the payload on its way down. Where the link loses nothing a queue of one round trip overflows all the
 * same, and how far depends on how quick the machine is: so without what is sent again.
 */
function laidAroundPercent({ bytesDown, payloadBytes, retransmittedSegments }: Load): number {
  return 100 * ((bytesDown - retransmittedSegments! * FULL_FRAME_BYTES) / payloadBytes - 1);
}

labTestBeside(
  'oliveira2020: TCP and QUIC lay around a file what their frames have, and no transfer is faster than its bits',
  async () => {
    const { summary, loads } = await repeat('oliveira2020', 1);
    expect(summary.loads).toMatchObject({ failed: 0, counted: 8 });
    for (const tcp of loads.filter(({ arm }) => arm.startsWith('tcp'))) {
      const ofQuic = tcp.arm.replace('tcp', 'quic');
      const quic = loads.find(({ arm, condition }) => arm === ofQuic && condition === tcp.condition)!;
      // 66 bytes around 1,448, and a handshake.
      const around = laidAroundPercent(tcp);
      expect([tcp.condition, around, around > 4.5 && around < 6]).toEqual([tcp.condition, around, true]);
      // nginx sends datagrams of 1,200 bytes and less, each in a frame of its own.
      const frameBytes = quic.bytesDown / quic.packetsDown;
      expect([quic.condition, frameBytes, frameBytes > 1_000 && frameBytes < 1_260]).toEqual([
        quic.condition,
        frameBytes,
        true,
      ]);
    }
    for (const { pltMs } of loads) expect(pltMs).toBeGreaterThan((2_000_000 * 8) / 40_000);
  },
  900_000,
);

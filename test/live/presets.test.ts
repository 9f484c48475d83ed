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
        const { arm, fairness } = load;
        // Where both are Cubic neither waits long.
        const least = arm.includes('bbr') ? 0 : 1_500;
        expect([arm, lastKbps(load), lastKbps(load) > least]).toEqual([arm, lastKbps(load), true]);
        expect([arm, fairness, fairness! > 0.5]).toEqual([arm, fairness, true]);
      }
    });
    for (const { summary, loads } of all) {
      expect(summary.loads).toMatchObject({ failed: 0 });
      expect(summary.loads.counted % 7).toBe(0);
      for (const load of loads) {
        expect([load.arm, lastKbps(load), lastKbps(load) <= 2_500]).toEqual([load.arm, lastKbps(load), true]);
        expect(load.fairness).toBeLessThanOrEqual(1);
      }
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
  'valle2023: no upload is faster than its bits, and QUIC needs more bytes for them',
  async () => {
    const { loads, median } = await repeat('valle2023', 1);
    const narrow = loads.filter(({ condition }) => condition.includes('rate=500kbit'));
    expect(narrow).toHaveLength(2);
    for (const { uploadMs } of narrow) expect(uploadMs).toBeGreaterThanOrEqual((200_000 * 8) / 500);
    const large = loads.filter(({ condition }) => condition.includes('8mb'));
    expect(large).toHaveLength(2);
    for (const { uploadMs } of large) expect(uploadMs).toBeGreaterThanOrEqual((8_025_669 * 8) / 4_000);
    expect(median('bytesUp', 'h3', 'rate=500kbit')).toBeGreaterThan(median('bytesUp', 'h2', 'rate=500kbit'));
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
 * What is laid around the payload on its way down. Where the link loses nothing a queue of one round trip overflows all the
 * same, and how far depends on how quick the machine is: so without what TCP sends again, and of QUIC, of which nobody can
 * tell that, what has come through.
 */
function laidAroundPercent({ bytesDown, bytesReceived, payloadBytes, retransmittedSegments }: Load): number {
  const bytes =
    retransmittedSegments === undefined ? bytesReceived! : bytesDown - retransmittedSegments * FULL_FRAME_BYTES;
  return 100 * (bytes / payloadBytes - 1);
}

labTestBeside(
  'oliveira2020: QUIC lays more around a file than TCP does, and no transfer is faster than its bits',
  async () => {
    const { summary, loads } = await repeat('oliveira2020', 1);
    expect(summary.loads).toMatchObject({ failed: 0, counted: 8 });
    for (const tcp of loads.filter(({ arm }) => arm.startsWith('tcp'))) {
      const ofQuic = tcp.arm.replace('tcp', 'quic');
      const quic = loads.find(({ arm, condition }) => arm === ofQuic && condition === tcp.condition)!;
      const around = [tcp, quic].map(laidAroundPercent);
      expect([tcp.condition, around, around[1]! > around[0]! && around[0]! > 0]).toEqual([tcp.condition, around, true]);
    }
    for (const load of loads) expect(load.overheadPercent).toBeGreaterThan(laidAroundPercent(load));
    for (const { pltMs } of loads) expect(pltMs).toBeGreaterThan((2_000_000 * 8) / 40_000);
  },
  900_000,
);

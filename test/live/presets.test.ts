import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect } from '@jest/globals';
import type { Measurement } from '../../harness/model/measurement.ts';
import type { Summary } from '../../harness/report/summary.ts';
import { openStoreToRead } from '../../harness/store/store.ts';
import { labTest, labTestBeside } from './lab.ts';
import { measure } from './measure.ts';

/*
 * The short form of every study that repeats a paper, with fewer blocks: that all of it runs, that the proofs hold, and
 * that physics does.
 */

const folder = mkdtempSync('/var/tmp/photofinish-presets-');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Load = Extract<Measurement, { status: 'ok' }>;

interface Repeated {
  readonly summary: Summary;
  readonly loads: readonly Load[];
  /** Of a figure, of the loads of one arm; in the conditions whose names have this in them. */
  readonly median: (figure: keyof Load, arm: string, among?: string) => number;
  readonly mean: (figure: keyof Load, arm: string) => number;
}

async function repeat(study: string, blocks: number): Promise<Repeated> {
  const out = join(folder, `${study}-${blocks}`);
  const words = ['--study', study, '--quick', '--exactly', `${blocks}`, '--seed', '11', '--out', out];
  const { code, complaint } = await measure(words);
  expect({ code, complaint }).toEqual({ code: 0, complaint: '' });
  const summary = JSON.parse(readFileSync(join(out, 'summary.json'), 'utf8')) as Summary;
  using store = openStoreToRead(join(out, 'study.sqlite'));
  const measurements = store.measurements();
  expect(measurements.filter(({ status }) => status === 'void')).toEqual([]);
  const loads = measurements.filter((each) => each.status === 'ok');
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

labTestBeside(
  'kramer2015: where the way is long and narrow h3 is ahead of h2, and h2 of h1',
  async () => {
    const { summary, median } = await repeat('kramer2015', 2);
    expect(summary.loads).toMatchObject({ failed: 0, counted: 18 });
    const [h1, h2, h3] = ['h1', 'h2', 'h3'].map((arm) => median('pltMs', arm, 'rate=2mbit,rtt=218ms,loss=0%'));
    expect([h1, h2, h3, h3! < h2! && h2! < h1!]).toEqual([h1, h2, h3, true]);
  },
  900_000,
);

labTest(
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

labTestBeside(
  'oliveira2020: QUIC has more overhead than TCP where nothing is lost, and no transfer is faster than its bits',
  async () => {
    const { summary, median, loads } = await repeat('oliveira2020', 1);
    expect(summary.loads).toMatchObject({ failed: 0, counted: 8 });
    const whole = 'rate=100mbit,rtt=10ms,loss=0%';
    // Not so with BBR, whose start overflows a queue of one round trip: TCP then sends much again.
    expect(median('overheadPercent', 'quic-cubic', whole)).toBeGreaterThan(
      median('overheadPercent', 'tcp-cubic', whole),
    );
    for (const { pltMs, condition } of loads)
      expect(pltMs).toBeGreaterThan((2_000_000 * 8) / (condition.includes('100mbit') ? 100_000 : 40_000));
  },
  900_000,
);

labTestBeside(
  'oliveira2020-pairs: two flows of TCP share the link evenly, and all carry no more than it can',
  async () => {
    const even = ({ mean }: Repeated) => mean('fairness', 'tcp-cubic+tcp-cubic');
    const first = await repeat('oliveira2020-pairs', 1);
    expect(first.summary.loads).toMatchObject({ failed: 0, counted: 7 });
    // Which packet finds a queue of a few full is chance: one pair may share less evenly, three on average do not.
    const found = even(first) > 0.9 ? first : await repeat('oliveira2020-pairs', 3);
    expect(even(found)).toBeGreaterThan(0.9);
    const { loads } = found;
    for (const { arm, ownKbps, besideKbps, fairness } of loads) {
      // Whichever ends last has waited for all the bits of both; where both are Cubic neither waits long.
      const kbps = Math.min(ownKbps!, besideKbps!);
      const least = arm.includes('bbr') ? 0 : 1_500;
      expect([arm, kbps, kbps > least && kbps <= 2_500]).toEqual([arm, kbps, true]);
      expect([arm, fairness! > 0.5 && fairness! <= 1]).toEqual([arm, true]);
    }
  },
  900_000,
);

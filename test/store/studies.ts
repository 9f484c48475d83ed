import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RULES } from '../../harness/comparison/rules.ts';
import { originFor } from '../../harness/model/arm.ts';
import type { Capture } from '../../harness/model/capture.ts';
import type { LoadFigures, Measurement } from '../../harness/model/measurement.ts';
import type { FinishedBlock, Machine } from '../../harness/model/session.ts';
import type { Arm, Condition, Plan, Study } from '../../harness/model/study.ts';
import { parseLink } from '../../harness/study/link.ts';
import { NAMED_LINKS } from '../../harness/study/named-links.ts';

const noFiles = {
  readText: (path: string): string => {
    throw new Error(`no file ${path}`);
  },
};

export const LINKS = [...Object.keys(NAMED_LINKS), 'rate=unlimited', 'rate=500kbit,burst=2%:5'].map((text) =>
  parseLink(text, noFiles),
);

const ARMS: readonly Arm[] = [
  { name: 'h1', protocol: 'h1' },
  { name: 'h2', protocol: 'h2' },
  { name: 'h3-bbr', protocol: 'h3', visit: 'resumed', congestion: 'bbr', browserFlags: ['--enable-features=X'] },
];

export const STUDY: Study = {
  name: 'everything',
  grids: [{ sites: ['few-small'], links: LINKS, servers: ['nginx'], visits: ['cold'] }],
  arms: ARMS,
  device: 'mobile',
  rule: RULES.default,
  metric: 'plt',
  lighthouse: 2,
  seed: 7,
  stopping: { kind: 'early', until: 'settled', cap: 100 },
  served: 'h2',
  timeoutMs: 60_000,
  mix: { fibre: 60, '4g': 40 },
};

const CONDITIONS = LINKS.map((link): Condition => {
  const what = { site: 'few-small', server: 'nginx', visit: 'cold', device: 'mobile' } as const;
  return { id: `few-small|${link.name}|nginx|cold`, ...what, link, timeoutMs: 60_000 };
});

export const PLAN: Plan = {
  study: 'everything',
  seed: 7,
  conditions: CONDITIONS,
  arms: ARMS,
  rule: RULES.default,
  metric: 'plt',
  stopping: STUDY.stopping,
  served: 'h2',
  lighthouse: 2,
  mix: { fibre: 60, '4g': 40 },
  sites: { 'few-small': { objects: 5, bytes: 50_000, digest: 'abc' } },
  control: { id: 'control', condition: CONDITIONS[0]!, arm: 'h1', twin: 'h1-twin', delayed: 'h1-delayed', cap: 40 },
};

export const MACHINE: Machine = {
  photofinish: '0.1.0',
  chromium: '150',
  servers: { nginx: '1.29' },
  kernel: '6.1',
  cpu: 'one',
  cores: 2,
  memoryBytes: 8e9,
  packages: [{ name: 'nginx', version: '1.29' }],
};

/** Figures of a load of which none is absent. */
export const FIGURES: LoadFigures = {
  pltMs: 712.25,
  ttfbMs: 100,
  domContentLoadedMs: 400.5,
  fcpMs: 300,
  lcpMs: 690.125,
  cls: 0.01,
  lastByteMs: 700,
  quietMs: 701,
  doneMs: 720,
  requests: 50,
  connections: 6,
  usedConnections: 5,
  peakInFlight: 6,
  undigestedObjects: 0,
  hostDrops: 0,
  resumedConnections: 0,
  earlyRequests: 0,
  packetsDown: 260,
  packetsUp: 150,
  bytesDown: 301_234,
  bytesUp: 21_034,
  bytesReceived: 301_100,
  lostDown: 2,
  lostUp: 1,
  payloadBytes: 300_000,
  overheadPercent: 7.4,
  throughputKbps: 3428.5,
  retransmittedSegments: 3,
  strayPackets: 0,
  coreBusyShare: 0.31,
  cpuBound: false,
  coreWaitMs: 3,
  stolenShare: 0.02,
  launch: 2,
  overheadMs: 160.5,
};

/** A load that brought everything, as a measurement. */
export function okLoad(condition: string, block: number, arm: string, more: Partial<LoadFigures> = {}): Measurement {
  return { condition, block, arm, status: 'ok', ...FIGURES, ...more };
}

export function captureFor(arm: string, more: Partial<Capture> = {}): Capture {
  return {
    page: { url: `https://${arm}.test/`, visit: 'cold', origins: [originFor('h1', 'cold')], objects: [] },
    server: [],
    host: { cores: [0.5] },
    launch: 2,
    wallMs: 900,
    browser: { events: [{ method: 'Network.requestWillBeSent', params: { arm, text: 'ä"\n' } }], digests: {} },
    ...more,
  };
}

/** A block of these measurements, which are all of one. */
export function blockOf(serial: number, measurements: readonly Measurement[]): FinishedBlock {
  const { condition, block: index } = measurements[0]!;
  const name = (arm: string) => `har/${`${serial}`.padStart(5, '0')}-${arm}.har.gz`;
  return {
    serial,
    block: { condition, index, order: measurements.map(({ arm }) => arm) },
    beganMs: 1_790_000_000_000 + serial,
    trials: measurements.map((measurement) => ({
      measurement,
      capture: captureFor(measurement.arm),
      evidence: [name(measurement.arm)],
    })),
  };
}

/** A folder that goes when it is disposed of. */
export function temporaryFolder(): Disposable & { readonly path: string } {
  const path = mkdtempSync(join(tmpdir(), 'photofinish-'));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true }) };
}

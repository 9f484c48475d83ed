import { RULES } from '../../harness/comparison/rules.ts';
import type { Measurement } from '../../harness/model/measurement.ts';
import type { Plan, Study } from '../../harness/model/study.ts';
import { planStudy } from '../../harness/study/plan.ts';
import { linkOf } from '../links.ts';

/** A study of three arms as tests want it; links by name or text. */
export function studyOf({
  sites = ['a', 'b'],
  links = ['4g', 'dsl'],
  ...more
}: { readonly sites?: readonly string[]; readonly links?: readonly string[] } & Partial<Study> = {}): Study {
  return {
    name: 'test',
    grids: [
      {
        sites,
        links: links.map((text) => linkOf(text)),
        servers: ['nginx'],
        visits: ['cold'],
      },
    ],
    arms: (['h1', 'h2', 'h3'] as const).map((protocol) => ({ name: protocol, protocol })),
    device: 'desktop',
    rule: RULES.default,
    metric: 'plt',
    stopping: { kind: 'early', until: 'settled', cap: 100 },
    served: 'h2',
    lighthouse: 0,
    seed: 7,
    ...more,
  };
}

/** The plan of such a study, whose sites are all alike. */
export function planOf(wish: Parameters<typeof studyOf>[0] = {}): Plan {
  return planStudy(studyOf(wish), () => ({ objects: 6, bytes: 1_000_000, digest: 'd' }));
}

interface Outcomes {
  readonly condition: string;
  readonly block: number;
  /** The time of each arm, or what became of it. */
  readonly arms: Readonly<Record<string, number | 'failed' | 'void'>>;
  readonly launch?: number;
}

/** What was measured in a block: loads of which only the time is told. */
export function measured({ condition, block, arms, launch = 1 }: Outcomes): Measurement[] {
  return Object.entries(arms).map(([arm, outcome]) => {
    const key = { condition, block, arm, launch };
    if (outcome === 'failed') return { ...key, status: 'failed', reason: 'timeout', says: 'too slow' };
    if (outcome === 'void') return { ...key, status: 'void', reason: 'server', says: 'it ended' };
    return { ...key, status: 'ok', ...FIGURES, pltMs: outcome };
  });
}

const FIGURES = {
  ttfbMs: 10,
  domContentLoadedMs: 20,
  cls: 0,
  lastByteMs: 30,
  quietMs: 30,
  requests: 6,
  connections: 1,
  usedConnections: 1,
  peakInFlight: 5,
  resumedConnections: 0,
  earlyRequests: 0,
  packetsDown: 10,
  packetsUp: 8,
  lostDown: 1,
  lostUp: 0,
  bytesDown: 10_000,
  bytesUp: 1_000,
  payloadBytes: 9_000,
  overheadPercent: 20,
  throughputKbps: 1000,
  strayPackets: 0,
  coreBusyShare: 0.5,
  cpuBound: false,
  overheadMs: 150,
};

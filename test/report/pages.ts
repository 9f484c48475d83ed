import { readFileSync } from 'node:fs';
import { type Summary, summarizeStudy } from '../../harness/findings/summary.ts';
import type { Calibration, LinkCheck } from '../../harness/model/calibration.ts';
import type { Capture } from '../../harness/model/capture.ts';
import type { LabState } from '../../harness/model/lab.ts';
import type { Measurement } from '../../harness/model/measurement.ts';
import { referencePageOf } from '../../harness/model/reference.ts';
import type { Plan } from '../../harness/model/study.ts';
import { nextSteps } from '../../harness/report/next-steps.ts';
import { type PageData, unpackBlocks } from '../../harness/report/page-data.ts';
import { buildPage, type PageSource } from '../../harness/report/view-model.ts';
import { readLoad } from '../../harness/report/waterfall.ts';
import { seededRandom } from '../../harness/stats/random.ts';
import type { StoredTrial } from '../../harness/store/trials.ts';
import { MACHINE } from '../fakes/machine.ts';
import { type RecordedName, readCapture } from '../fixtures/captures.ts';
import { measured, planOf } from '../study/plans.ts';

/** A page of one colour, and of another. */
const [PICTURE, OTHER] = readFileSync(new URL('pictures.txt', import.meta.url), 'utf8').split('\n') as [string, string];

type Times = Readonly<Record<string, number | 'failed'>>;

/** What the arms take in each condition: a winner, a tie, two that tie, little to tell, an arm that fails, a winner. */
const TIMES: readonly Times[] = [
  { h1: 300, h2: 200, h3: 100 },
  { h1: 1000, h2: 1000, h3: 999 },
  { h1: 500, h2: 250, h3: 255 },
  { h1: 900, h2: 900, h3: 860 },
  { h1: 'failed', h2: 400, h3: 300 },
  { h1: 820, h2: 640, h3: 800 },
];
/** In this condition chance decides nearly each block. */
const OPEN = 3;

export interface SmallStudy {
  readonly sites?: readonly string[];
  readonly blocks?: number;
  /** How many of its conditions, the last ones, have no block. */
  readonly unmeasured?: number;
  /** What failed loads say, and a request's address. */
  readonly says?: string;
  readonly url?: string;
}

/** A small fixed study, with something of everything that a page must show. */
export function smallSource(study: SmallStudy = {}): PageSource {
  const { sites = ['article', 'shop'], blocks = 20, unmeasured = 0, says, url } = study;
  const stopping = { kind: 'early', until: 'settled', cap: 40 } as const;
  const plan = planOf({ sites, links: ['fibre', '4g', 'cable'], stopping });
  const measuredOnes = plan.conditions.slice(0, plan.conditions.length - unmeasured);
  const random = seededRandom(5);
  const measurements = Array.from({ length: blocks }, (_, block) =>
    measuredOnes.flatMap(({ id }, index) => measuredBlock(plan, { id, index, block }, random)),
  )
    .flat()
    .map((each): Measurement => (each.status === 'ok' || says === undefined ? each : { ...each, says }));
  const trials = measurements.map((measurement, index): StoredTrial => storedAs(measurement, index));
  const loadOf = (trial: number) =>
    readLoad(spoilt(readCapture(`${trials[trial]!.measurement.arm}-cold` as RecordedName), url));
  return {
    trials,
    loadOf,
    filmOf: (condition) =>
      condition === plan.conditions[2]!.id
        ? {
            pltMs: 300,
            frames: [
              { atMs: 90, jpeg: PICTURE },
              { atMs: 280, jpeg: OTHER },
            ],
          }
        : undefined,
    found: {
      plan,
      measurements,
      scores: [],
      warmUps: 4,
      disturbed: 0,
      films: 3,
      references: referencesOf(plan),
      links: [...new Set(plan.conditions.map(({ link }) => link.name))].map((link) => ({
        link,
        lab: LAB,
        calibration: calibrationOf(link !== 'cable'),
      })),
      sessions: [
        {
          number: 1,
          beganMs: Date.UTC(2026, 10, 21, 12),
          lastMs: Date.UTC(2026, 10, 21, 12, 4),
          machine: MACHINE,
          notes: [],
        },
        {
          number: 2,
          beganMs: Date.UTC(2026, 10, 21, 13),
          lastMs: Date.UTC(2026, 10, 21, 13, 2),
          machine: MACHINE,
          notes: ['chromium was 155.0, is 156.0'],
        },
      ],
    },
  };
}

/** References of the first page: one load that was watched and two that were not, by each arm. */
function referencesOf({ conditions, arms }: Plan): PageSource['found']['references'] {
  const page = referencePageOf(conditions[0]!);
  return arms.flatMap(({ name }, index) =>
    [80, 40, 60].map((pltMs, load) => ({ page, arm: name, watched: load === 0, pltMs: pltMs + 5 * index })),
  );
}

function measuredBlock(
  plan: Plan,
  { id, index, block }: { id: string; index: number; block: number },
  random: () => number,
) {
  const noise = () => (index % TIMES.length === OPEN ? 0.8 + 0.4 * random() : 1 + 0.001 * random());
  const arms = Object.fromEntries(
    plan.arms.map(({ name }) => {
      const time = TIMES[index % TIMES.length]![name]!;
      return [name, time === 'failed' ? time : Math.round(1000 * time * noise()) / 1000];
    }),
  );
  return measured({ condition: id, block, arms, launch: 1 + Math.floor(block / 3) });
}

function storedAs(measurement: Measurement, index: number): StoredTrial {
  const serial = 1 + Math.floor(index / 3);
  const evidence = [`har/${`${serial}`.padStart(5, '0')}-${measurement.arm}.har.gz`];
  return {
    id: index,
    session: 1,
    serial,
    beganMs: Date.UTC(2026, 10, 21, 12) + 1000 * serial,
    position: index % 3,
    measurement,
    evidence,
  };
}

/** A copy of the load with a request that has another address. */
function spoilt(capture: Capture, url: string | undefined): Capture {
  if (url === undefined) return capture;
  const events = capture.browser.events.map((event) => {
    const { request, ...params } = event.params as { request?: { url: string } };
    const isImage = event.method === 'Network.requestWillBeSent' && request?.url.endsWith('flag-1.png');
    return isImage ? { ...event, params: { ...params, request: { ...request, url } } } : event;
  });
  return { ...capture, browser: { ...capture.browser, events } };
}

function calibrationOf(ok: boolean): Calibration {
  const direction = { lossPercent: 0, lossProbes: 100, lost: 0, reorderedPercent: 0, duplicatedPercent: 0 };
  const checks: LinkCheck[] = [
    { figure: 'rtt', unit: 'ms', asked: 40, measured: ok ? 40.1 : 47.5, within: [39, 41], ok },
    { figure: 'down tcp', unit: 'kbit/s', asked: 9000, measured: 9012, within: [8900, 9100], ok: true },
    { figure: 'rtt p99', unit: 'ms', asked: 40, measured: 40.6, ok: true, why: 'for information' },
  ];
  return {
    figures: {
      rttMs: 40,
      rttMeanMs: 40,
      rttP99Ms: 41,
      rttProbes: 60,
      longestFrameBytes: 1514,
      directions: { down: direction, up: direction },
    },
    checks,
    ok,
    attempts: ok ? 1 : 3,
  };
}

const LAB: LabState = {
  driver: 'fake',
  kernel: 'none',
  realtime: false,
  link: { down: 'qdisc netem', up: 'qdisc netem' },
  hosts: [
    { namespace: 'client', routes: ['10.77.0.0/24 dev eth0'], sysctls: { 'net.ipv4.tcp_ecn': '2' }, offloadsOn: [] },
  ],
  serverConfigurations: { nginx: 'server { listen 4433 quic; }' },
  topology: 'direct',
  browsers: { tcp: 'Chrome/156.0' },
  flags: { tcp: ['--disable-quic'] },
};

/** The page of such a study, with its summary. */
export function smallPage(study?: SmallStudy): { readonly page: PageData; readonly summary: Summary } {
  const source = smallSource(study);
  const summary = summarizeStudy(source.found);
  const next = nextSteps(summary, { goOn: 'npm run measure -- --out here', folder: 'here', ownPages: '' });
  const again = { command: 'npm run measure -- --study test --seed 7' };
  return { summary, page: buildPage(source, summary, { again, next }) };
}

/** The times of an arm in a page's condition, block by block. */
export function timesOn(page: PageData, condition: number, arm: string): readonly (number | 'failed')[] {
  return unpackBlocks(page.conditions[condition]!.blocks).map(({ outcomes }) => outcomes[arm]!);
}

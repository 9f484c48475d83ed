import { LINK_SOURCES } from '../commands/sources.ts';
import { RULES } from '../comparison/rules.ts';
import { originFor } from '../model/arm.ts';
import type { Capture } from '../model/capture.ts';
import type { LoadFigures, Measurement } from '../model/measurement.ts';
import {
  type BlockOrder,
  evidenceName,
  type FinishedBlock,
  type FinishedTrial,
  type Machine,
} from '../model/session.ts';
import type { Plan, Study, TrialKey } from '../model/study.ts';
import { normalDeviate } from '../stats/normal.ts';
import { type Random, seededRandom, shuffled } from '../stats/random.ts';
import { openStore } from '../store/store.ts';
import { parseLink } from '../study/link.ts';
import { planStudy } from '../study/plan.ts';

const ARMS = ['h1', 'h2', 'h3'] as const;
type Arm = (typeof ARMS)[number];
const SITES = { 'few-small': 6, 'few-large': 6, 'many-small': 255, 'many-large': 255 } as const;
const LINKS = [2, 10, 50].flatMap((rate) =>
  [18, 218].flatMap((rtt) => [0, 2].map((loss) => `kramer-${rate}-${rtt}-${loss}`)),
);
const CONDITIONS = LINKS.length * Object.keys(SITES).length;
const BYTES = 1_000_000;
const BLOCKS_PER_LAUNCH = 3;
/** The standard deviation of the logarithm of a load's time. */
const NOISE = 0.05;
/** The share of all loads that fail; the next is the share of all blocks that are void. */
const FAILED_SHARE = 0.01;
const VOID_SHARE = 0.002;

/** Writes a finished study of 48 conditions and at least `loads` loads into a new store; captures are small. */
export function writeGeneratedStudy(path: string, loads: number): void {
  const { study, plan } = generatedPlan(loads / ARMS.length);
  using store = openStore(path);
  store.writeStudy({ study, plan });
  const session = store.beginSession(MACHINE, 0, []);
  for (const block of blocksOf(plan)) store.addBlock(session, block);
}

/** A study of 48 conditions with at least this many blocks. */
export function generatedPlan(blocks: number): { readonly study: Study; readonly plan: Plan } {
  const study = studyOf(Math.ceil(blocks / CONDITIONS));
  const factsOf = (site: string) => ({ objects: SITES[site as keyof typeof SITES], bytes: BYTES, digest: site });
  return { study, plan: planStudy(study, factsOf) };
}

/** A block as a lab would have run it, made without one; its loads count, and take the same in each condition. */
export function generatedBlock({ serial, block }: BlockOrder, launch: number, random: Random): FinishedBlock {
  const trials = block.order.map((arm): FinishedTrial => {
    const key = { condition: block.condition, block: block.index, arm };
    const measurement = { ...key, status: 'ok', ...figuresOf(1000 * Math.exp(NOISE * normalDeviate(random)), random) };
    return { measurement: { ...measurement, launch } as Measurement, capture: { ...CAPTURE, launch }, evidence: [] };
  });
  return { serial, block, beganMs: Date.now(), trials };
}

function studyOf(blocks: number): Study {
  const links = LINKS.map((name) => parseLink(name, LINK_SOURCES));
  return {
    name: 'generated',
    grids: [{ sites: Object.keys(SITES), links, servers: ['nginx'], visits: ['cold'] }],
    arms: ARMS.map((name) => ({ name, protocol: name })),
    stopping: { kind: 'exactly', blocks },
    served: 'h2',
    device: 'desktop',
    rule: RULES.kramer2015,
    metric: 'plt',
    lighthouse: 0,
    seed: blocks,
    repeats: 'kramer2015',
  };
}

const MACHINE: Machine = {
  photofinish: '0',
  chromium: '0',
  servers: {},
  kernel: '',
  cpu: '',
  cores: 2,
  memoryBytes: 0,
  packages: [],
};

/** Round by round, as a study would have run them; a block with a void trial comes again. */
function* blocksOf({ conditions, stopping, seed }: Plan): Generator<FinishedBlock> {
  const random = seededRandom(seed, 'generated study');
  const truth = new Map(conditions.map(({ id }) => [id, timesMs(random)]));
  let serial = 0;
  for (let index = 0; stopping.kind === 'exactly' && index < stopping.blocks; index += 1)
    for (const { id } of shuffled(conditions, random))
      for (const isVoid of random() < VOID_SHARE ? [true, false] : [false]) {
        serial += 1;
        const block = { condition: id, index, order: shuffled(ARMS, random) };
        const trials = block.order.map((arm) => {
          const pltMs = truth.get(id)![arm] * Math.exp(NOISE * normalDeviate(random));
          return trialOf({ condition: id, block: index, arm }, { pltMs, isVoid, serial }, random);
        });
        yield { serial, block, beganMs: 10_000 * serial, trials };
      }
}

/** What each arm takes in a condition, but for the noise. */
function timesMs(random: Random): Readonly<Record<Arm, number>> {
  const baseMs = 500 * Math.exp(2.3 * random());
  return { h1: baseMs, h2: baseMs * (0.8 + 0.4 * random()), h3: baseMs * (0.8 + 0.4 * random()) };
}

interface Truth {
  readonly pltMs: number;
  readonly isVoid: boolean;
  readonly serial: number;
}

function trialOf(key: TrialKey, { pltMs, isVoid, serial }: Truth, random: Random): FinishedTrial {
  const launch = Math.floor(serial / BLOCKS_PER_LAUNCH);
  const says = `${key.arm}: net::ERR_CONNECTION_RESET, and "what else", serial ${serial}`;
  const measurement: Measurement = isVoid
    ? { ...key, status: 'void', reason: 'server', says, launch }
    : random() < FAILED_SHARE
      ? { ...key, status: 'failed', reason: 'network', says, launch }
      : { ...key, status: 'ok', ...figuresOf(pltMs, random), launch };
  const evidence = [`har/${evidenceName(serial, key.arm)}.har.gz`];
  return { measurement, capture: { ...CAPTURE, launch }, evidence };
}

const OWN = originFor('h1', 'cold');
const CAPTURE: Capture = {
  page: { url: `${OWN.url}/`, visit: 'cold', origins: [OWN], objects: [] },
  server: [],
  host: { cores: [0.5, 0.5] },
  launch: 0,
  wallMs: 0,
  browser: { events: [], digests: {} },
};

/** The figures of a load; no two loads are alike, as in a real study. */
function figuresOf(pltMs: number, random: Random): LoadFigures {
  const whole = (most: number) => Math.floor(most * random());
  const bytesDown = BYTES + whole(100_000);
  const bytesUp = whole(50_000);
  return {
    pltMs,
    ttfbMs: 0.1 * pltMs,
    domContentLoadedMs: 0.6 * pltMs,
    fcpMs: 0.4 * pltMs,
    lcpMs: 0.9 * pltMs,
    cls: random() / 10,
    lastByteMs: 0.98 * pltMs,
    quietMs: 0.99 * pltMs,
    requests: 255,
    connections: 1 + whole(6),
    usedConnections: 1,
    peakInFlight: whole(100),
    resumedConnections: 0,
    earlyRequests: 0,
    packetsDown: 700 + whole(100),
    packetsUp: whole(400),
    bytesDown,
    bytesUp,
    payloadBytes: BYTES,
    overheadPercent: 100 * ((bytesDown + bytesUp) / BYTES - 1),
    throughputKbps: (8 * BYTES) / pltMs,
    retransmittedSegments: whole(3),
    strayPackets: 0,
    coreBusyShare: random(),
    cpuBound: random() < 0.05,
    launch: 0,
    overheadMs: 150 + 50 * random(),
  };
}

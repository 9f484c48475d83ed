import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism, cpus, release } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Link, meanRateKbps, rttMs } from '../model/link.ts';
import { openProbe } from '../network/calibration.ts';
import { openCounters } from '../network/counters.ts';
import { planStream } from '../network/probe-plan.ts';
import { parseLink } from '../study/link.ts';
import { asEnclosed, type EnclosureKind } from '../system/enclosure.ts';
import { run } from '../system/process.ts';
import { PROJECT } from '../system/tools.ts';
import { writeWhole } from '../system/write-whole.ts';
import { openLabNetwork } from './lab-network.ts';

/*
 * How much this machine's link carries where nothing limits it: TCP's rate over a short way, where the processor is the end of
 * it, and over a long one, where as much is under way as the kernels' buffers hold.
 */

/** What TCP was seen to carry over a link of a gigabit with this round trip. */
export interface Capacity {
  readonly rttMs: number;
  readonly kbps: number;
}

const RTTS_MS = [20, 200] as const;
/** The round trips for which a window grows before it fills a long path. */
const RAMP_TRIPS = 16;
const MEASURED_MS = 1_000;
/** TCP's payload of a full frame is a twentieth less than the frame, and a machine has better moments. */
const CERTAIN = 0.9;

/** Where capacities are kept between studies, as long as the machine is the same. */
const FILE = `${PROJECT}.lab/capacity.json`;

interface Kept {
  readonly machine: string;
  readonly capacities: readonly Capacity[];
}

/** Measures what the link carries down on this machine, and keeps it; needs an enclosure. */
export async function measureCapacities(): Promise<readonly Capacity[]> {
  await using network = await openLabNetwork();
  const [client, server] = [network.clients[0]!, network.servers[0]!];
  await using counters = await openCounters(client);
  await using from = await openProbe(server);
  await using _to = await openProbe(client);
  const capacities: Capacity[] = [];
  for (const rtt of RTTS_MS) {
    const link = parseLink(`rate=1gbit,rtt=${rtt}ms`, { readText: () => '' });
    await network.setLink(link);
    const rampMs = 200 + RAMP_TRIPS * rtt;
    const streaming = from.perform(planStream(link.down, client, rampMs + MEASURED_MS + 200));
    await setTimeout(rampMs);
    await counters.zero();
    const beganMs = performance.now();
    await setTimeout(MEASURED_MS);
    const { received } = await counters.read();
    capacities.push({ rttMs: rtt, kbps: (received.bytes * 8) / (performance.now() - beganMs) });
    await streaming;
    await setTimeout(3 * rtt);
  }
  writeWhole(FILE, JSON.stringify({ machine: machineNow(), capacities } satisfies Kept));
  return capacities;
}

/** Measures capacities from outside an enclosure, by a program that runs in one. */
export async function measureCapacitiesEnclosed(kind: EnclosureKind): Promise<readonly Capacity[]> {
  return JSON.parse(await run(asEnclosed(kind, [process.execPath, PROGRAM]))) as readonly Capacity[];
}

const PROGRAM = fileURLToPath(new URL('./capacity-program.ts', import.meta.url));

/** What was measured before on this machine; where nothing was, it is measured now. */
export async function findCapacities(): Promise<readonly Capacity[]> {
  const kept = existsSync(FILE) ? (JSON.parse(readFileSync(FILE, 'utf8')) as Kept) : undefined;
  return kept?.machine === machineNow() ? kept.capacities : measureCapacities();
}

function machineNow(): string {
  return [release(), availableParallelism(), cpus()[0]?.model].join(', ');
}

/** A rate that this machine was seen to be unable to carry. */
export interface BeyondCapacity {
  readonly link: Link;
  readonly askedKbps: number;
  readonly carriedKbps: number;
}

/** The links that ask for a higher rate than was carried over a way as long as theirs, or over the next shorter one. */
export function linksBeyond(links: readonly Link[], capacities: readonly Capacity[]): readonly BeyondCapacity[] {
  return links.flatMap((link) => {
    const rates = [link.down, link.up].map(({ rate }) => (rate.kind === 'unlimited' ? 0 : (meanRateKbps(rate) ?? 0)));
    const askedKbps = Math.max(...rates);
    const shorter = capacities.filter((each) => each.rttMs <= Math.max(rttMs(link), capacities[0]!.rttMs));
    const carriedKbps = Math.min(...shorter.map(({ kbps }) => kbps));
    return carriedKbps < CERTAIN * askedKbps ? [{ link, askedKbps, carriedKbps }] : [];
  });
}

/** What any machine carries that a lab can be built on: nothing needs to be measured for it. */
const SURE: readonly Capacity[] = [{ rttMs: 0, kbps: 100_000 }];

/** Says before anything is measured which links ask for more than this machine carries; they will be refused. */
export async function describeBeyond(all: readonly Link[]): Promise<readonly string[]> {
  const links = [...new Map(all.map((link) => [link.name, link])).values()];
  if (linksBeyond(links, SURE).length === 0) return [];
  return linksBeyond(links, await findCapacities()).map(({ link, askedKbps, carriedKbps }) => {
    const [asked, carried] = [askedKbps, carriedKbps].map((kbps) => Math.round(kbps / 1000));
    return `${link.name} needs ${asked} Mbit/s; this machine carried ${carried} at ${rttMs(link)} ms: calibration will probably fail and stop the study`;
  });
}

import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type EndSightings, type LinkSightings, PROBE_PORT, type ProbeSighting } from '../model/calibration.ts';
import { LabError } from '../model/errors.ts';
import type { Host } from '../model/lab.ts';
import type { Link } from '../model/link.ts';
import { mayRunRealtime } from '../system/enclosure.ts';
import { run, start } from '../system/process.ts';
import { within } from '../system/within.ts';
import { openCapture } from './capture.ts';
import type { Network } from './network.ts';
import type { WireFrame } from './pcap.ts';
import type { ProbeTask } from './probe.ts';
import { readMark } from './probe-mark.ts';
import { planEchoes, planFlood, planSparse, planStream, settleMs } from './probe-plan.ts';

/** How much is sent; more of it takes longer and tells finer. */
export interface CalibrationEffort {
  readonly echoes: number;
  readonly lossProbes: number;
  readonly streamMs: number;
}

/**
 * Measures the link that is set, from outside, by what the kernels at its two ends see; between the first client and
 * the first server if no others are named.
 */
export async function measureLink(
  network: Network,
  link: Link,
  effort: CalibrationEffort,
  { client, server } = { client: network.clients[0]!, server: network.servers[0]! },
): Promise<LinkSightings> {
  await using stack = new AsyncDisposableStack();
  const captures = {
    client: stack.use(await openCapture(client, 'calibration')),
    server: stack.use(await openCapture(server, 'calibration')),
  };
  const probes = { client: stack.use(await openProbe(client)), server: stack.use(await openProbe(server)) };
  if (await mayRunRealtime()) await Promise.all([probes.client.hurry(), probes.server.hurry()]);
  const settle = () => new Promise((resolve) => setTimeout(resolve, settleMs(link)));
  const ways = [
    { from: probes.server, to: client, direction: link.down },
    { from: probes.client, to: server, direction: link.up },
  ];

  await probes.client.perform(planEchoes(link, server, effort.echoes));
  await settle();
  await Promise.all(ways.map(({ from, to, direction }) => from.perform(planSparse(direction, to, effort.lossProbes))));
  await settle();
  const usedCores = watchCores(network);
  for (const { from, to, direction } of ways) {
    await from.perform(planFlood(direction, to));
    await settle();
  }
  for (const { from, to, direction } of ways) {
    if (direction.rate.kind !== 'constant') continue; // There is nothing to hold it against.
    await from.perform(planStream(direction, to, effort.streamMs));
    await settle();
  }
  const linkCores = usedCores();
  return {
    client: sightings(client, await captures.client.finish()),
    server: sightings(server, await captures.server.finish()),
    linkCores,
  };
}

/** What a host saw: its capture, read. */
export function sightings({ address }: Host, frames: readonly WireFrame[]): EndSightings {
  const probes = (passes: (frame: WireFrame) => boolean): ProbeSighting[] =>
    frames.flatMap((frame) => {
      if (frame.protocol !== 'udp' || frame.toPort !== PROBE_PORT || !passes(frame)) return [];
      const mark = readMark(frame.payload);
      return mark ? [{ ...mark, timeMs: frame.timeMs, bytes: frame.bytes }] : [];
    });
  const isSegment = ({ protocol, to, toPort, payloadBytes }: WireFrame) =>
    protocol === 'tcp' && to === address && toPort === PROBE_PORT && payloadBytes > 0;
  return {
    sent: probes((frame) => frame.from === address),
    received: probes((frame) => frame.to === address),
    segments: frames.filter(isSegment).map(({ timeMs, payloadBytes }) => ({ timeMs, payloadBytes })),
    longestFrameBytes: frames.reduce((longest, frame) => Math.max(longest, frame.bytes), 0),
  };
}

/** Begins to count the processor time of the link; the function returned says how many cores it used since. */
function watchCores({ router }: Network): () => number | undefined {
  const before = { cpuMs: router.cpuMs(), atMs: performance.now() };
  return () => {
    const cpuMs = router.cpuMs();
    if (before.cpuMs === undefined || cpuMs === undefined) return undefined;
    return (cpuMs - before.cpuMs) / (performance.now() - before.atMs);
  };
}

/** One end of a calibration, on a host. */
export interface Probe extends AsyncDisposable {
  /**
   * From here on it runs before all but the link itself: on a busy machine a flood would otherwise be none. A probe must
   * not start at that priority: two that did once spun in the kernel without an end in sight, and nothing else ran.
   */
  hurry(): Promise<void>;
  /** Resolves when the task is done. */
  perform(task: ProbeTask): Promise<void>;
}

const PROBE_PROGRAM = fileURLToPath(new URL('./probe.ts', import.meta.url));
/** What a probe is given to start, and beyond what its task takes: a machine may be busy. */
const PATIENCE_MS = 30_000;

/** How long a task takes where nothing holds it up. */
function taskMs(task: ProbeTask): number {
  return task.kind === 'stream' ? task.forMs : (1000 * task.count) / task.perSecond;
}

/** Starts a probe on a host. One that does not answer in time has the lab renewed. */
export async function openProbe(host: Host, patienceMs = PATIENCE_MS): Promise<Probe> {
  const program = start([process.execPath, PROBE_PROGRAM], { namespace: host.namespace });
  await using undo = new AsyncDisposableStack();
  undo.use(program);
  const lines = createInterface({ input: program.stdout })[Symbol.asyncIterator]();
  let said = '';
  program.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  const answer = async (expected: string, limitMs: number) => {
    const late = () => {
      throw new LabError(`a probe of the calibration did not answer within ${limitMs / 1000} s`);
    };
    const { value, done } = await within(limitMs, lines.next(), late);
    if (done || value !== expected) throw new Error(`a probe ended: ${said.trim()}`);
  };
  await answer('ready', patienceMs);
  const kept = undo.move();
  return {
    async hurry() {
      await run(['chrt', '--fifo', '--pid', '5', `${program.pid}`]);
    },
    async perform(task) {
      program.stdin.write(`${JSON.stringify(task)}\n`);
      await answer('done', Math.ceil(2 * taskMs(task) + patienceMs));
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

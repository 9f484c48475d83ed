import { FRAME_BYTES, type LinkDirection, type Loss, meanRateKbps, TRACE_STEP_MS, type Trace } from '../model/link.ts';
import type { Argv } from '../system/process.ts';

/*
 * A direction of the link is two queueing disciplines, one below the other, where its packets leave:
 *
 *   1: netem  loss, duplication, delay, jitter, reordering; holds whatever is under way
 *   2: netem  rate, and a queue of exactly the packets asked for
 *
 * They are apart because netem's `limit` counts what is on its way together with what waits.
 */

/** Where a direction is shaped. */
export interface ShapedDevice {
  readonly node: string;
  readonly device: string;
}

/** So many packets under way that no lab reaches it: the first stage must never drop for want of room. */
const UNDER_WAY_LIMIT = 1_000_000;

/**
 * The `tc` commands that make a direction, to be run in order; they replace what was there. `transitMs` of the delay
 * passes by itself.
 */
export function renderShaping(
  { node, device }: ShapedDevice,
  direction: LinkDirection,
  transitMs = 0,
): readonly Argv[] {
  const at = (verb: string, ...rest: string[]): Argv => ['tc', '-n', node, 'qdisc', verb, 'dev', device, ...rest];
  // A replaced root takes its children along, so this clears whatever was there.
  const commands = [at('replace', 'root', 'handle', '9:', 'pfifo', 'limit', `${UNDER_WAY_LIMIT}`)];
  const path = renderPath({ ...direction, delayMs: Math.max(0, direction.delayMs - transitMs) });
  if (path.length === 0 && direction.rate.kind === 'unlimited') return commands;
  commands.push(at('replace', 'root', 'handle', '1:', 'netem', 'limit', `${UNDER_WAY_LIMIT}`, ...path));
  const below = (...rest: string[]) => at('add', 'parent', '1:1', 'handle', '2:', ...rest);
  const { rate, queuePackets, duplicatePercent } = direction;
  // A queue of N is a limit of N + 1: netem counts the packet that is being sent as well.
  if (rate.kind === 'constant' && duplicatePercent === 0)
    commands.push(below('netem', 'limit', `${queuePackets + 1}`, 'rate', `${rate.kbps}kbit`));
  const bucket = (kbps: number): Argv[] => [
    below('htb', 'default', '1'),
    ['tc', '-n', node, 'class', 'add', 'dev', device, 'parent', '2:', 'classid', '2:1', ...renderBucket(kbps)],
  ];
  // Linux refuses another netem near one that duplicates. A bucket will do, but sends the first frame early.
  if (rate.kind === 'constant' && duplicatePercent > 0)
    commands.push(
      ...bucket(rate.kbps),
      at('add', 'parent', '2:1', 'handle', '3:', 'pfifo', 'limit', `${queuePackets}`),
    );
  if (rate.kind === 'trace')
    commands.push(
      ...bucket(meanRateKbps(rate)!),
      at('add', 'parent', '2:1', 'handle', '3:', 'plug', 'limit', `${queuePackets * FRAME_BYTES}`),
      at('change', 'parent', '2:1', 'handle', '3:', 'plug', 'release_indefinite'),
    );
  return commands;
}

/** A bucket makes up for a timer that was so late, which with no more than a frame in it costs a tenth at 50 Mbit/s. */
const LATE_MS = 1;

/**
 * The token bucket of a rate: what it holds when it is full, and one frame on credit, go at once. Of the buckets that
 * Linux has, this one keeps its level when the rate is changed; tbf's is filled anew.
 */
function renderBucket(kbps: number): string[] {
  const burst = `${Math.ceil((kbps * LATE_MS) / 8)}`;
  return [
    'htb',
    'rate',
    `${Math.max(8, Math.round(kbps))}kbit`,
    'burst',
    burst,
    'cburst',
    burst,
    'quantum',
    `${FRAME_BYTES}`,
  ];
}

/** The commands (without `tc`) that follow a trace, each with its time in milliseconds, and the time of them all. */
export interface TraceSchedule {
  readonly node: string;
  readonly periodMs: number;
  readonly steps: readonly { readonly atMs: number; readonly command: string }[];
}

/**
 * A trace as changes of the token bucket's rate, every step. Where nothing is delivered the queue is plugged; each
 * change also releases the plug, because that (unlike a changed bucket) makes the kernel look at the queue again.
 */
export function scheduleTrace({ node, device }: ShapedDevice, trace: Trace): TraceSchedule {
  const periodMs = trace.deliveriesMs.at(-1)!;
  const deliveries = Array<number>(Math.ceil(periodMs / TRACE_STEP_MS)).fill(0);
  for (const ms of trace.deliveriesMs)
    deliveries[Math.max(0, Math.min(deliveries.length - 1, Math.floor((ms - 0.5) / TRACE_STEP_MS)))]! += 1;
  const change = (what: 'qdisc' | 'class', ...rest: string[]) => [what, 'change', 'dev', device, ...rest].join(' ');
  const steps = deliveries.flatMap((packets, index) => {
    const atMs = index * TRACE_STEP_MS;
    const lengthMs = Math.min(TRACE_STEP_MS, periodMs - atMs);
    // A delivery of a trace is 1500 bytes, which is 1514 on the lab's wire.
    const kbps = (packets * FRAME_BYTES * 8) / lengthMs;
    if (packets === 0) return [{ atMs, command: change('qdisc', 'parent', '2:1', 'handle', '3:', 'plug', 'block') }];
    return [
      { atMs, command: change('class', 'parent', '2:', 'classid', '2:1', ...renderBucket(kbps)) },
      { atMs, command: change('qdisc', 'parent', '2:1', 'handle', '3:', 'plug', 'release_indefinite') },
    ];
  });
  return { node, periodMs, steps };
}

/** What happens to a packet before it comes to the queue, as netem's arguments. */
function renderPath(direction: LinkDirection): string[] {
  const { delayMs, jitterMs, jitterDistribution, duplicatePercent, reorderPercent } = direction;
  const args: string[] = [];
  if (delayMs > 0) args.push('delay', microseconds(delayMs));
  if (jitterMs > 0) args.push(microseconds(jitterMs));
  if (jitterMs > 0 && jitterDistribution !== 'uniform') args.push('distribution', jitterDistribution);
  args.push(...renderLoss(direction.loss));
  if (duplicatePercent > 0) args.push('duplicate', percent(duplicatePercent));
  if (reorderPercent > 0) args.push('reorder', percent(reorderPercent));
  // With a rate, netem never sends a packet before the one that came ahead of it, whatever their jitter; at 10 Gbit/s
  // that is all it does. Asked-for reordering is exempt from it.
  if (jitterMs > 0) args.push('rate', '10gbit');
  return args;
}

function renderLoss(loss: Loss): string[] {
  switch (loss.kind) {
    case 'none':
      return [];
    case 'random':
      return ['loss', percent(loss.percent)];
    case 'burst': {
      const share = loss.percent / 100;
      const leaveBad = 1 / loss.meanBurstPackets;
      const enterBad = (leaveBad * share) / (1 - share);
      return ['loss', 'gemodel', percent(enterBad * 100), percent(leaveBad * 100)];
    }
  }
}

function microseconds(ms: number): string {
  return `${Math.round(ms * 1000)}us`;
}

function percent(value: number): string {
  return `${Number(value.toFixed(6))}%`;
}

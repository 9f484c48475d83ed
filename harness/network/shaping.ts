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

/** More packets under way than any lab reaches: the first stage must never drop for want of room. */
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
  const bucket = (kbps: number, holdsMs: number): Argv[] => [
    below('htb', 'default', '1'),
    ['tc', '-n', node, 'class', 'add', 'dev', device, 'parent', '2:', 'classid', '2:1', ...renderBucket(kbps, holdsMs)],
  ];
  // Linux refuses another netem near one that duplicates. A bucket will do, but sends the first frame early.
  if (rate.kind === 'constant' && duplicatePercent > 0)
    commands.push(
      ...bucket(rate.kbps, BUCKET_MS.constant),
      at('add', 'parent', '2:1', 'handle', '3:', 'pfifo', 'limit', `${queuePackets}`),
    );
  if (rate.kind === 'trace')
    commands.push(
      ...bucket(meanRateKbps(rate)!, BUCKET_MS.trace),
      at('add', 'parent', '2:1', 'handle', '3:', 'plug', 'limit', `${queuePackets * FRAME_BYTES}`),
      at('change', 'parent', '2:1', 'handle', '3:', 'plug', 'release_indefinite'),
    );
  return commands;
}

/**
 * A bucket makes up for a timer, or a whole machine, that was late by this much: what it missed beyond is lost. After a
 * rest it lets as much go at once, so it is no larger than it must be; a trace is only followed in steps of 50 ms anyway.
 * With no more than a frame in it a link of 50 Mbit/s is a tenth short, and with 1 ms a trace lost 5 to 11 % of its rate
 * where a host stole a fifth of the processor's time, against 0.3 % with 10 ms.
 */
const BUCKET_MS = { constant: 4, trace: 10 } as const;

/**
 * The token bucket of a rate: what it holds when it is full, and one frame on credit, go at once. Of the buckets that
 * Linux has, this one keeps its level when the rate is changed; tbf's is filled again.
 */
function renderBucket(kbps: number, holdsMs: number): string[] {
  const rate = bucketKbps(kbps);
  const burst = `${Math.ceil((rate * holdsMs) / 8)}`;
  return ['htb', 'rate', `${rate}kbit`, 'burst', burst, 'cburst', burst, 'quantum', `${FRAME_BYTES}`];
}

/** A bucket's rate is a whole number, and not so low that a frame takes seconds; or it is none. */
function bucketKbps(kbps: number): number {
  return kbps > 0 ? Math.max(8, Math.round(kbps)) : 0;
}

/** The rates that a direction follows, over and over. */
export interface TraceSchedule extends ShapedDevice {
  readonly periodMs: number;
  /** The lateness that the token bucket makes up for. */
  readonly bucketMs: number;
  /** Each with the time at which it begins; at a rate of 0 all is held back. */
  readonly steps: readonly { readonly atMs: number; readonly kbps: number }[];
}

/** A trace as changes of the token bucket's rate, every step; where nothing is delivered the queue is plugged. */
export function scheduleTrace(at: ShapedDevice, trace: Trace): TraceSchedule {
  const periodMs = trace.deliveriesMs.at(-1)!;
  const deliveries = Array<number>(Math.ceil(periodMs / TRACE_STEP_MS)).fill(0);
  for (const ms of trace.deliveriesMs)
    deliveries[Math.max(0, Math.min(deliveries.length - 1, Math.floor((ms - 0.5) / TRACE_STEP_MS)))]! += 1;
  const steps = deliveries.map((packets, index) => {
    const atMs = index * TRACE_STEP_MS;
    const lengthMs = Math.min(TRACE_STEP_MS, periodMs - atMs);
    // A delivery of a trace is 1500 bytes, which is 1514 on the lab's wire.
    return { atMs, kbps: bucketKbps((packets * FRAME_BYTES * 8) / lengthMs) };
  });
  return { ...at, periodMs, bucketMs: BUCKET_MS.trace, steps };
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

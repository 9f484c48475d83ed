import { longestOutageMs, meanRateKbps, type Rate, TRACE_STEP_MS, type Trace } from '../model/link.ts';
import { type Expectation, refused } from './quantity.ts';

const MIN_MS = 100;
/** The longest trace. */
export const MAX_TRACE_MS = 3_600_000;
const MAX_OUTAGE_MS = 60_000;
const MIN_KBPS = 100;
const MAX_KBPS = 1_000_000;

/** What a trace file may be, for the message. */
export const TRACE_ALLOWED =
  'a packet-delivery trace file (each line the millisecond of a packet, ascending) of 100 ms to 1 hour, 100kbit to 1gbit, no outage above 60 s, as in trace=train.trace';

/**
 * A packet-delivery trace in Mahimahi's format: a line is the millisecond at which one packet of 1500 bytes can be
 * sent, the same millisecond as often as packets fit into it; the whole begins again after its last line.
 */
export function parseTrace(name: string, text: string, expectation: Expectation): Trace {
  const wrong = (why: string) => refused(name, expectation, why);
  const lines = text.split('\n').map((line) => line.trim());
  while (lines.at(-1) === '') lines.pop();
  if (lines.length === 0) throw wrong('empty');
  let last = 0;
  const deliveriesMs = lines.map((line, index) => {
    const at = /^\d{1,9}$/.test(line) ? Number(line) : undefined;
    if (at === undefined) throw wrong(`line ${index + 1} is no whole number of milliseconds`);
    if (at < last) throw wrong(`line ${index + 1}: ${at} comes after ${last}`);
    last = at;
    return at;
  });
  if (last < MIN_MS)
    throw wrong(`its last line, which is its length, is ${last} ms: repeat it until it is long enough`);
  if (last > MAX_TRACE_MS) throw wrong(`its last line, which is its length, is ${last} ms`);
  const trace = { name, deliveriesMs };
  const rate: Rate = { kind: 'trace', trace };
  const kbps = meanRateKbps(rate)!;
  if (kbps < MIN_KBPS || kbps > MAX_KBPS) throw wrong(`${Number(kbps.toPrecision(3))} kbit/s on average`);
  const peakKbps = (busiestStep(trace) * 1500 * 8) / TRACE_STEP_MS;
  if (peakKbps > MAX_KBPS) throw wrong(`${Number(peakKbps.toPrecision(3))} kbit/s for ${TRACE_STEP_MS} ms`);
  const outageMs = longestOutageMs(rate);
  if (outageMs > MAX_OUTAGE_MS) throw wrong(`nothing for ${outageMs} ms`);
  return trace;
}

/** The most packets of any step in which a trace is followed. */
function busiestStep({ deliveriesMs }: Trace): number {
  let [step, packets, most] = [-1, 0, 0];
  for (const ms of deliveriesMs) {
    const its = Math.floor(ms / TRACE_STEP_MS);
    packets = its === step ? packets + 1 : 1;
    step = its;
    most = Math.max(most, packets);
  }
  return most;
}

/** Traces that have a name, generated: the same each time. */
export const NAMED_TRACES: Readonly<Record<string, () => Trace>> = {
  'train-down': () => generatedTrace('train-down', TRAIN_DOWN_KBPS),
  'train-up': () =>
    generatedTrace(
      'train-up',
      TRAIN_DOWN_KBPS.map((kbps) => kbps / 4),
    ),
};

/** A cell's rate along a railway line in kbit/s, half a second each: three cells, two tunnels (1.5 and 0.5 s). */
const TRAIN_DOWN_KBPS: readonly number[] = [
  4_000, 6_000, 9_000, 12_000, 16_000, 18_000, 20_000, 19_000, 15_000, 11_000, 8_000, 5_000, 3_000, 1_500, 0, 0, 0,
  2_000, 6_000, 10_000, 14_000, 17_000, 15_000, 12_000, 9_000, 6_000, 4_000, 2_500, 0, 3_000, 7_000, 11_000, 13_000,
  12_000, 10_000, 8_000, 7_000, 6_000, 5_000, 4_500,
];
const STEP_MS = 500;

function generatedTrace(name: string, stepsKbps: readonly number[]): Trace {
  const deliveriesMs: number[] = [];
  let owedBits = 0;
  for (let ms = 1; ms <= stepsKbps.length * STEP_MS; ms += 1) {
    owedBits += stepsKbps[Math.floor((ms - 1) / STEP_MS)]!;
    for (; owedBits >= 12_000; owedBits -= 12_000) deliveriesMs.push(ms);
  }
  return { name, deliveriesMs };
}

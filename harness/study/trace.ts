import { UsageError } from '../model/errors.ts';
import type { Trace } from '../model/link.ts';

const MAX_MS = 3_600_000;

/**
 * A packet-delivery trace in Mahimahi's format: a line is the millisecond at which one packet of 1500 bytes can be
 * sent, the same millisecond as often as packets fit into it; the whole begins anew after its last line.
 */
export function parseTrace(name: string, text: string): Trace {
  const lines = text.split('\n').map((line) => line.trim());
  while (lines.at(-1) === '') lines.pop();
  if (lines.length === 0) throw new UsageError(`trace ${name}: empty; a line is the millisecond of one packet`);
  let last = 0;
  const deliveriesMs = lines.map((line, index) => {
    const at = /^\d{1,9}$/.test(line) ? Number(line) : undefined;
    if (at === undefined)
      throw new UsageError(`trace ${name}, line ${index + 1}: '${shortened(line)}' is no whole number of milliseconds`);
    if (at < last)
      throw new UsageError(`trace ${name}, line ${index + 1}: ${at} comes after ${last}; times must not fall`);
    last = at;
    return at;
  });
  if (last > MAX_MS) throw new UsageError(`trace ${name}: ${last} ms long; allowed: up to ${MAX_MS} ms (an hour)`);
  if (last === 0) throw new UsageError(`trace ${name}: ends at 0 ms; its last line is its length and must be above 0`);
  return { name, deliveriesMs };
}

function shortened(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
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

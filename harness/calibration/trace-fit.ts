import type { DirectionFigures } from '../model/calibration.ts';
import { FRAME_BYTES, type Trace } from '../model/link.ts';
import { sumOf } from '../stats/order.ts';

/** Deliveries are compared by how many come in each window of this length. */
const WINDOW_MS = 250;
/** Phases are tried this far apart first, then every millisecond near the best. */
const COARSE_MS = 10;

/**
 * What frames that came at these times (ascending) say of the direction that followed a trace, which began at a time
 * unknown: of all its phases the one is taken that they fit best, so it takes seconds of a trace and not the whole.
 */
export function fitTrace(trace: Trace, arrivalsMs: readonly number[]): Pick<DirectionFigures, 'udpKbps' | 'trace'> {
  const seen = countInWindows(arrivalsMs);
  if (seen.length === 0) return {};
  const periodMs = trace.deliveriesMs.at(-1)!;
  const delivered = deliveredUpTo(trace);
  const strayAt = (phaseMs: number) => {
    let stray = 0;
    for (const [window, count] of seen.entries()) {
      const fromMs = phaseMs + window * WINDOW_MS;
      stray += Math.abs(count - (delivered(fromMs + WINDOW_MS) - delivered(fromMs)));
    }
    return stray;
  };
  const coarse = Array.from({ length: Math.ceil(periodMs / COARSE_MS) }, (_, index) => index * COARSE_MS);
  const near = leastBy(coarse, strayAt);
  const fine = Array.from(
    { length: 2 * COARSE_MS + 1 },
    (_, index) => (near + periodMs - COARSE_MS + index) % periodMs,
  );
  const phaseMs = leastBy(fine, strayAt);

  const lastedMs = seen.length * WINDOW_MS;
  const due = delivered(phaseMs + lastedMs) - delivered(phaseMs);
  const kbps = (frames: number) => (frames * FRAME_BYTES * 8) / lastedMs;
  return {
    udpKbps: kbps(sumOf(seen)),
    trace: { kbps: kbps(due), strayPercent: (100 * strayAt(phaseMs)) / Math.max(1, due) },
  };
}

/** How many of these times fall into each window, from the first time on; the last one's window is not whole. */
function countInWindows(timesMs: readonly number[]): number[] {
  const [firstMs, lastMs] = [timesMs[0], timesMs.at(-1)];
  if (firstMs === undefined || lastMs === undefined) return [];
  const counts = Array<number>(Math.floor((lastMs - firstMs) / WINDOW_MS)).fill(0);
  for (const ms of timesMs) {
    const window = Math.floor((ms - firstMs) / WINDOW_MS);
    if (window < counts.length) counts[window]! += 1;
  }
  return counts;
}

/** A function that tells how many packets a trace has delivered up to a whole millisecond since it began. */
function deliveredUpTo({ deliveriesMs }: Trace): (ms: number) => number {
  const periodMs = deliveriesMs.at(-1)!;
  const upTo = new Uint32Array(periodMs + 1);
  for (const ms of deliveriesMs) upTo[ms]! += 1;
  for (let ms = 1; ms <= periodMs; ms += 1) upTo[ms]! += upTo[ms - 1]!;
  return (ms) => Math.floor(ms / periodMs) * deliveriesMs.length + upTo[ms % periodMs]!;
}

function leastBy(values: readonly number[], measure: (value: number) => number): number {
  let least = Number.POSITIVE_INFINITY;
  let found = values[0]!;
  for (const value of values) {
    const measured = measure(value);
    if (measured < least) [least, found] = [measured, value];
  }
  return found;
}

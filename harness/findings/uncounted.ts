import type { LoadCounts } from './summary.ts';

/** The loads that were made for others to count, and all loads that were made. */
export interface Uncounted {
  readonly loads: number;
  readonly of: number;
}

/** How many loads were never meant to count: those of the control, warm-ups, reference loads and films. */
export function uncountedOf(counts: LoadCounts): Uncounted {
  const { counted, superseded, disturbed, control, warmup, reference, film } = counts;
  const loads = control + warmup + reference + film;
  return { loads, of: counted + counts.void + superseded + disturbed + loads };
}

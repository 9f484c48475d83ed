/** When a number of bytes were read from a socket, by the machine's steady clock. */
export interface BytesArrival {
  readonly atMs: number;
  readonly bytes: number;
}

/** What comes in less time, or is less, tells of what the browser had not had the time to read, and not of a link. */
const LEAST_BYTES = 64_000;
const LEAST_MS = 200;
/** What a lost packet held up comes all at once, a round trip's worth and more. */
const LEAST_ROUND_TRIPS = 4;

/**
 * The rate of the link that a page came over, in kbit/s: the best at which anything long enough came, in the order of
 * time. Undefined where the page was too small to fill any link, which says nothing of how quick it is.
 */
export function estimateRate(arrivals: readonly BytesArrival[], rttMs = 0): number | undefined {
  const leastMs = Math.max(LEAST_MS, LEAST_ROUND_TRIPS * rttMs);
  let best: number | undefined;
  let [first, bytes] = [0, 0];
  for (const [last, arrival] of arrivals.entries()) {
    // What came with the first of them was under way before.
    if (last > 0) bytes += arrival.bytes;
    const spans = (from: number, less: number) =>
      bytes - less >= LEAST_BYTES && arrival.atMs - arrivals[from]!.atMs >= leastMs;
    while (first + 1 < last && spans(first + 1, arrivals[first + 1]!.bytes)) {
      first += 1;
      bytes -= arrivals[first]!.bytes;
    }
    if (!spans(first, 0)) continue;
    best = Math.max(best ?? 0, (8 * bytes) / (arrival.atMs - arrivals[first]!.atMs));
  }
  return best === undefined ? undefined : Math.round(best);
}

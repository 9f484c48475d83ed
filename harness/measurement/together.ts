import type { BrowserCapture, TransferProgress } from '../model/capture.ts';
import type { Measurement } from '../model/measurement.ts';
import { jainIndex } from '../stats/jain.ts';

/** A load and what went over the same link at the same time: it counts only if all of them came to their end. */
export function measureTogether(
  own: Extract<Measurement, { status: 'ok' }>,
  others: readonly Measurement[],
  browsers: readonly BrowserCapture[],
): Measurement {
  const flawed = others.filter((each) => each.status !== 'ok').at(0);
  if (flawed) return { ...flawed, says: `what went beside it: ${flawed.says}` };
  const beside = others.flatMap((each) => (each.status === 'ok' ? each.throughputKbps : []));
  const progress = browsers.flatMap((browser) => browser.progress ?? []);
  const shared = progress.length === browsers.length ? ratesTogether(progress) : undefined;
  return {
    ...own,
    ownKbps: own.throughputKbps,
    besideKbps: beside[0]!,
    fairness: shared && jainIndex(shared),
  };
}

/**
 * What each transfer got while all of them ran, in bytes a millisecond; undefined where they never did. What one gets
 * once the others are done does not tell how they shared.
 */
export function ratesTogether(transfers: readonly TransferProgress[]): readonly number[] | undefined {
  const points = transfers.map(({ originMs, points }) =>
    points.map(([atMs, bytes]): readonly [number, number] => [originMs + atMs, bytes]),
  );
  if (points.some((own) => own.length < 2)) return undefined;
  const fromMs = Math.max(...points.map(([first]) => first![0]));
  const toMs = Math.min(...points.map((own) => own.at(-1)![0]));
  if (toMs <= fromMs) return undefined;
  return points.map((own) => (bytesAt(own, toMs) - bytesAt(own, fromMs)) / (toMs - fromMs));
}

/** How much had come by a moment within the transfer, between two points in proportion. */
function bytesAt(points: readonly (readonly [atMs: number, bytes: number])[], atMs: number): number {
  const index = points.findIndex(([ms]) => ms >= atMs);
  const [ms, bytes] = points[index]!;
  if (index === 0) return bytes;
  const [beforeMs, before] = points[index - 1]!;
  return before + ((bytes - before) * (atMs - beforeMs)) / (ms - beforeMs);
}

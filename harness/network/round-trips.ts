import { PROBE_PORT } from '../model/calibration.ts';
import type { Host } from '../model/lab.ts';
import { openProbe, sightings } from './calibration.ts';
import { openCapture } from './capture.ts';
import { MARK_BYTES } from './probe-mark.ts';

/** When a probe was sent, in milliseconds since 1970, and how long it took there and back. */
export interface RoundTrip {
  readonly sentMs: number;
  readonly tookMs: number;
}

/** Round trips of small probes between two hosts, as the kernel of the first sees them go and come back. */
export interface RoundTrips extends AsyncDisposable {
  /** Ends it; each probe that came back, in order. */
  finish(): Promise<readonly RoundTrip[]>;
}

/** Five of 78 bytes in a second are 3 kbit/s: less than a hundredth of the slowest link that has a name. */
const PER_SECOND = 5;
/** Probes for a day: longer than anything that is measured meanwhile. */
const COUNT = 86_400 * PER_SECOND;

/** Begins to probe how long a packet takes there and back, whatever else is on its way. */
export async function probeRoundTrips(from: Host, to: Host): Promise<RoundTrips> {
  await using undo = new AsyncDisposableStack();
  const capture = undo.use(await openCapture(from, 'round-trips', `udp port ${PROBE_PORT}`));
  const [own, other] = await Promise.all([openProbe(from), openProbe(to)]);
  undo.use(own);
  undo.use(other);
  const task = { kind: 'datagrams', phase: 'echo', to: to.address, count: COUNT, payloadBytes: MARK_BYTES } as const;
  own.perform({ ...task, perSecond: PER_SECOND, burst: 1, catchUp: 1 }).catch(() => {}); // It is ended before its time.
  const kept = undo.move();
  return {
    async finish() {
      const { sent, received } = sightings(from, await capture.finish());
      const back = new Map(received.map(({ sequence, timeMs }) => [sequence, timeMs]));
      return sent.flatMap(({ sequence, timeMs }) => {
        const backMs = back.get(sequence);
        return backMs === undefined ? [] : [{ sentMs: timeMs, tookMs: backMs - timeMs }];
      });
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

import { measurementOf } from '../../harness/measurement/measurement.ts';
import { type RecordedName, readCapture } from '../fixtures/captures.ts';

/** A real capture, which a test may change. */
export type Spoilt = ReturnType<typeof readCapture>;

export const key = { condition: 'few-small|rate=10mbit,rtt=40ms|nginx|cold', block: 3, arm: 'arm' };

/** What is made of a real capture to which something was done. */
export function judge(name: RecordedName, spoil: (capture: Spoilt) => void = () => {}) {
  const capture = readCapture(name);
  spoil(capture);
  return measurementOf(key, capture as never);
}

/** The events of a capture by method, to be changed. */
export function eventsOf(capture: Spoilt, method: string) {
  return capture.browser.events.filter((event) => event.method === method) as unknown as {
    params: Record<string, unknown> & {
      response: Record<string, unknown>;
      request: { url: string };
      requestId: string;
    };
  }[];
}

type WireFlow = NonNullable<Spoilt['wire']>['client']['flows'][number];

/** A connection that a host opened or let in, over which as much came as went. */
export function flowOf(
  transport: 'tcp' | 'udp',
  [ownPort, otherPort]: readonly [number, number],
  traffic: { packets: number; bytes: number },
): WireFlow {
  return { transport, ownPort, otherPort, sent: traffic, received: traffic, opened: true } as never;
}

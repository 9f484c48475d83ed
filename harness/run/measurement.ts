import { ORIGINS, type Protocol } from '../model/arm.ts';
import type { Capture } from '../model/capture.ts';
import type { Manifest } from '../model/site.ts';
import type { Measurement, TrialKey } from '../model/study.ts';

interface ResponseReceived {
  readonly requestId: string;
  readonly response: {
    readonly url: string;
    readonly status: number;
    readonly protocol?: string;
    readonly connectionId: number;
  };
}

interface LoadingFinished {
  readonly requestId: string;
  readonly encodedDataLength: number;
}

/** What DevTools calls each protocol. */
const SEEN_AS: Readonly<Record<Protocol, string>> = { h1: 'http/1.1', h2: 'h2', h3: 'h3', h1c: 'http/1.1' };

/** Judges a capture: what the load took, or why it does not count. */
export function measurementOf(key: TrialKey, protocol: Protocol, manifest: Manifest, capture: Capture): Measurement {
  const failed = (reason: string): Measurement => ({ ...key, status: 'failed', reason });
  if (!capture.timings) return failed(capture.error ?? 'no load event');
  const received = eventsOf<ResponseReceived>(capture, 'Network.responseReceived');
  const tested = received.filter(({ response }) => new URL(response.url).origin === ORIGINS[protocol].url);
  const responses = tested.map((event) => event.response);
  const wrong = responses.find((response) => response.protocol !== SEEN_AS[protocol]);
  if (wrong) return failed(`protocol: ${wrong.url} came over ${wrong.protocol}, not ${SEEN_AS[protocol]}`);
  const finished = new Set(
    eventsOf<LoadingFinished>(capture, 'Network.loadingFinished').map((event) => event.requestId),
  );
  const whole = tested.filter(({ requestId, response }) => response.status === 200 && finished.has(requestId));
  const paths = new Set(whole.map(({ response }) => new URL(response.url).pathname));
  const missing = manifest.objects.find((object) => object.arrives === undefined && !paths.has(object.path));
  if (missing) return failed(`object: ${missing.path} is missing or short`);
  return {
    ...key,
    status: 'ok',
    pltMs: capture.timings.loadEventEndMs,
    ttfbMs: capture.timings.ttfbMs,
    requests: responses.length,
    connections: new Set(responses.map((response) => response.connectionId)).size,
    bytes: eventsOf<LoadingFinished>(capture, 'Network.loadingFinished').reduce(
      (sum, event) => sum + event.encodedDataLength,
      0,
    ),
    wallMs: capture.wallMs,
  };
}

function eventsOf<T>(capture: Capture, method: string): T[] {
  return capture.events.filter((event) => event.method === method).map((event) => event.params as T);
}

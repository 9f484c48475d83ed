import { UsageError } from '../../model/errors.ts';
import type { SeenPage } from '../../model/recording.ts';

/** What Chromium says of requests that it gave up because an interface of this machine came, went or got another address. */
const NETWORK_CHANGED = 'net::ERR_NETWORK_CHANGED';
const MOST_RECORDINGS = 3;

/**
 * Records a page, and records it again where this machine's network changed while the page loaded. One that is stopped
 * throws: what had come by then is no recording.
 */
export async function recordUndisturbed(record: () => Promise<SeenPage>, signal: AbortSignal): Promise<SeenPage> {
  for (let recordings = 1; ; recordings += 1) {
    const isLast = recordings === MOST_RECORDINGS;
    signal.throwIfAborted();
    try {
      const seen = await record();
      signal.throwIfAborted();
      if (!wasDisturbed(seen)) return seen;
      if (isLast)
        return { ...seen, notes: [...seen.notes, 'the network of this machine changed while the page loaded'] };
    } catch (error) {
      if (isLast || signal.aborted || !(error instanceof UsageError) || !error.message.includes(NETWORK_CHANGED))
        throw error;
    }
  }
}

/** Whether a request had no answer, or one that was cut short, because the network changed. */
function wasDisturbed({ leftOut, exchanges }: SeenPage): boolean {
  return [...leftOut.map(({ why }) => why), ...exchanges.map(({ broken }) => broken)].some((why) =>
    why?.includes(NETWORK_CHANGED),
  );
}

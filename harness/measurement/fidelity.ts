import { without } from '../model/multiset.ts';
import type { Exchange, RecordedManifest, ReplayNote } from '../model/recording.ts';

/** How far a replay asks for what was recorded; each request by its method and address. */
export interface Fidelity {
  readonly recorded: number;
  /**
   * How many recorded requests were asked for again; `nearly` counts those with parts that change with each load.
   */
  readonly again: number;
  readonly nearly: number;
  /** Recorded, and not asked for. */
  readonly missing: readonly string[];
  /** Asked for, and not recorded. */
  readonly further: readonly string[];
  /** Came when the page was recorded, and could not be kept. */
  readonly lost: readonly string[];
}

/** Compares what a page asked for when it was replayed with what it asked for when it was recorded. */
export function compareRequests(
  { responses, leftOut }: RecordedManifest,
  replayed: readonly Pick<Exchange, 'method' | 'url'>[],
  notes: readonly ReplayNote[],
): Fidelity {
  const nameOf = ({ method, url }: Pick<Exchange, 'method' | 'url'>) => `${method} ${url}`;
  const nearly = new Map(
    notes.flatMap(({ method, url, recorded }) => (recorded === undefined ? [] : [[`${method} ${url}`, recorded]])),
  );
  const asked = replayed.map((each) => {
    const recorded = nearly.get(nameOf(each));
    return recorded === undefined ? nameOf(each) : `${each.method} ${recorded}`;
  });
  // What was not kept is asked for again, and refused; what came of it then is named by itself.
  const refused = new Set(leftOut.map(({ what }) => withoutScheme(what)));
  const kept = responses.map(nameOf);
  const missing = without(kept, asked, String);
  return {
    recorded: kept.length,
    again: kept.length - missing.length,
    missing,
    further: without(asked, kept, String).filter((request) => !refused.has(withoutScheme(request))),
    lost: leftOut.filter(({ came }) => came).map(({ what, why }) => `${what}: ${why}`),
    nearly: notes.filter(({ answer }) => answer !== 'none').length,
  };
}

/** `WebSocket wss://a.test/socket` was a `GET` of `https://a.test/socket`. */
function withoutScheme(what: string): string {
  return what.replace(/^\S+ /, '').replace(/^(?:wss|https?|ws):/, '');
}

import type { Span, Waited } from '../../model/recording.ts';

/** The round trip to each server and the time that each answer took besides. */
export interface Waits {
  /** By the server's address, or by the origin where that is not known. */
  readonly rttMs: ReadonlyMap<string, number>;
  readonly thinkMs: (exchange: Waited) => number | undefined;
}

/**
 * Splits the time that answers took into way, what their servers were busy with meanwhile, and thought. Where a page was
 * loaded again, those loads say how long its servers think: each answer has the middle of what it took there, or of what
 * answers with another query took.
 */
export function splitWaits(exchanges: readonly Waited[], again: readonly (readonly Waited[])[] = []): Waits {
  const rttMs = new Map<string, number>();
  for (const [server, own] of Map.groupBy([...exchanges, ...again.flat()], serverOf)) {
    const rtt = roundTripOf(own);
    if (rtt !== undefined) rttMs.set(server, rtt);
  }
  const thoughtIn = (load: readonly Waited[]) => {
    const silences = new Map(
      [...Map.groupBy(load, serverOf)].map(([server, own]) => {
        const rtt = rttMs.get(server) ?? 0;
        return [server, { shared: silencesOf(own, SHARED * rtt), alone: silencesOf(own, ALONE * rtt) }];
      }),
    );
    return (each: Waited) => {
      const { askedMs = 0, waitMs, protocol } = each;
      const server = serverOf(each);
      if (waitMs === undefined) return undefined;
      const { shared, alone } = silences.get(server)!;
      const silence = protocol === 'h1' || protocol === 'h1c' ? alone : shared;
      return silence([askedMs + (rttMs.get(server) ?? 0), askedMs + waitMs]);
    };
  };
  const own = thoughtIn(exchanges);
  const byRequest = new Map<string, number[]>();
  for (const load of again) {
    const thought = thoughtIn(load);
    for (const each of load) {
      const ms = thought(each);
      if (ms === undefined) continue;
      for (const key of [requestOf(each), withoutQuery(requestOf(each))]) {
        const known = byRequest.get(key);
        if (known) known.push(ms);
        else byRequest.set(key, [ms]);
      }
    }
  }
  return {
    rttMs,
    thinkMs(exchange) {
      const request = requestOf(exchange);
      const known = byRequest.get(request) ?? byRequest.get(withoutQuery(request));
      const ms = known ? known.toSorted((a, b) => a - b)[(known.length - 1) >> 1] : own(exchange);
      return ms === undefined ? undefined : Math.round(10 * ms) / 10;
    },
  };
}

function requestOf({ method, url }: Waited): string {
  return `${method} ${url}`;
}

/** A request without its query; it ends with the question mark, so that it is taken for no full address. */
function withoutQuery(request: string): string {
  return request.replace(/\?.*$/s, '').concat('?');
}

/** What answers an exchange: two origins at one address are one way from here. A HAR may call anything an address. */
export function serverOf({ address, url }: Pick<Waited, 'address' | 'url'>): string {
  return address ?? URL.parse(url)?.origin ?? url;
}

/**
 * The shortest of a server's handshakes, which are a round trip each. An answer may seem quicker than it can be, since a
 * busy browser notes late that it has asked: the quickest counts only where no handshake was seen.
 */
function roundTripOf(exchanges: readonly Waited[]): number | undefined {
  const connects = exchanges.flatMap(({ connectMs }) => connectMs ?? []);
  const waits = exchanges.flatMap(({ waitMs }) => waitMs ?? []);
  const times = connects.length > 0 ? connects : waits;
  return times.length > 0 ? Math.min(...times) : undefined;
}

/** The sender on a shared connection that waits to be told to go on is silent for a round trip, and some more if busy. */
const SHARED = 1.25;
/** A connection of its own is held up only by a link that is full, on which something comes all the time. */
const ALONE = 0.25;

/**
 * How long a server was silent within a stretch of time. While other answers of its come, an answer waits for its turn,
 * on the link or in the server; a replay over such a link has it wait again, so that is no thought. Nor is it where they
 * come with such pauses as there are until a connection has found out how much it may send.
 */
function silencesOf(exchanges: readonly Waited[], pauseMs: number): (span: Span) => number {
  const spans = merged(exchanges.flatMap(({ came = [] }) => came));
  const silence = (lastMs: number, fromMs: number, nextMs: number) =>
    Math.max(0, Math.min(nextMs - Math.max(lastMs, fromMs), nextMs - lastMs - pauseMs));
  /** The length of all pauses before each span. */
  const before = [0];
  for (const [index, [fromMs]] of spans.entries()) {
    const last = spans[index - 1]?.[1];
    before.push(before.at(-1)! + (last === undefined ? 0 : silence(last, last, fromMs)));
  }
  return ([fromMs, untilMs]) => {
    if (untilMs <= fromMs) return 0;
    const first = countUntil(spans, fromMs);
    const end = Math.max(first, countUntil(spans, untilMs, { excluded: true }));
    const lastMs = spans[first - 1]?.[1] ?? Number.NEGATIVE_INFINITY;
    if (first === end) return silence(lastMs, fromMs, untilMs);
    const between = before[end]! - before[first + 1]!;
    return silence(lastMs, fromMs, spans[first]![0]) + between + silence(spans[end - 1]![1], fromMs, untilMs);
  };
}

/** The spans joined where they touch, in order of time. */
function merged(spans: readonly Span[]): readonly Span[] {
  const apart: [number, number][] = [];
  for (const [fromMs, untilMs] of spans.toSorted(([a], [b]) => a - b)) {
    const last = apart.at(-1);
    if (last && fromMs <= last[1]) last[1] = Math.max(last[1], untilMs);
    else apart.push([fromMs, untilMs]);
  }
  return apart;
}

/** How many spans begin up to a moment, or before it. */
function countUntil(spans: readonly Span[], atMs: number, { excluded = false } = {}): number {
  let [low, high] = [0, spans.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const begins = spans[middle]![0];
    if (begins < atMs || (begins === atMs && !excluded)) low = middle + 1;
    else high = middle;
  }
  return low;
}

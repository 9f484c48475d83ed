import { without } from '../../model/multiset.ts';
import { headerOf, type Nearness, type RecordedManifest, type RecordedResponse } from '../../model/recording.ts';
import { isVolatile, type Pair, splitQuery } from './volatile-query.ts';

/** A request as a server has it. */
export interface AskedRequest {
  readonly method: string;
  /** Scheme, host and port. */
  readonly origin: string;
  /** Path and query. */
  readonly target: string;
  /** SHA-256 of its body; absent where it has none. */
  readonly body?: string | undefined;
  /** Its `Range` header. */
  readonly range?: string | undefined;
  /** The request headers by which answers of one address may differ: what asks, and for what. */
  readonly asks?: AskedFor;
}

/** Headers by which answers of one address may differ: which origin asks, and what it asks permission for. */
export const ASKED_FOR = ['origin', 'access-control-request-method', 'access-control-request-headers'] as const;

export type AskedFor = Readonly<Partial<Record<(typeof ASKED_FOR)[number], string | undefined>>>;

export interface FoundResponse {
  readonly response: RecordedResponse;
  readonly nearness: Nearness;
}

/** What was recorded, in a form that is quickly searched. */
export interface ResponseIndex {
  readonly recordedAtMs: number;
  /** By method and address. */
  readonly byAddress: ReadonlyMap<string, readonly RecordedResponse[]>;
  /** By method and address up to the query, each with what its query says. */
  readonly byPath: ReadonlyMap<string, readonly Candidate[]>;
}

interface Candidate {
  readonly response: RecordedResponse;
  readonly pairs: readonly Pair[];
}

/** Indexes a recording. */
export function indexResponses({ recordedAtMs, responses }: RecordedManifest): ResponseIndex {
  const key = ({ method, url }: RecordedResponse) => `${method} ${url}`;
  return {
    recordedAtMs,
    byAddress: Map.groupBy(responses, key),
    byPath: Map.groupBy(
      responses.map((response) => ({ response, pairs: splitQuery(queryOf(response.url)) })),
      ({ response }) => withoutQuery(key(response)),
    ),
  };
}

/**
 * The recorded response to a request; undefined where there is none. Of several for the same request they come in the
 * order in which they were recorded, the last of them for ever: `earlier` is how often it was asked for in this load.
 */
export function findResponse(index: ResponseIndex, request: AskedRequest, earlier = 0): FoundResponse | undefined {
  const found = findFor(index, request, earlier);
  // What was never asked for by HEAD is answered as by GET; its body is not sent.
  return found ?? (request.method === 'HEAD' ? findFor(index, { ...request, method: 'GET' }, earlier) : undefined);
}

function findFor(index: ResponseIndex, request: AskedRequest, earlier: number): FoundResponse | undefined {
  const address = `${request.method} ${request.origin}${request.target}`;
  const same = index.byAddress.get(address) ?? [];
  const ranged = withRange(same, request.range);
  const whole = ranged.filter(({ requestBody }) => requestBody === request.body);
  if (whole.length > 0) return { response: nth(askedAlike(whole, request.asks), earlier), nearness: 'exact' };
  if (ranged.length > 0) return { response: nth(askedAlike(ranged, request.asks), earlier), nearness: 'body' };
  const candidates = index.byPath.get(withoutQuery(address)) ?? [];
  const fitting = new Set(
    withRange(
      candidates.map(({ response }) => response),
      request.range,
    ),
  );
  const others = candidates.filter(({ response }) => fitting.has(response));
  const nearest = findNearest(others, splitQuery(queryOf(request.target)), index.recordedAtMs);
  return nearest && { response: nearest, nearness: 'near' };
}

/**
 * The answers to one address whose requests had the same headers, or at least had these headers, as far as there are
 * any.
 */
function askedAlike(responses: readonly RecordedResponse[], asks: AskedFor = {}): readonly RecordedResponse[] {
  return ASKED_FOR.reduce((left, header) => {
    const same = left.filter(({ requestHeaders }) => headerOf(requestHeaders, header) === asks[header]);
    if (same.length > 0) return same;
    const has = left.filter(({ requestHeaders }) => headerOf(requestHeaders, header) !== undefined);
    return asks[header] !== undefined && has.length > 0 ? has : left;
  }, responses);
}

function nth<T>(items: readonly T[], index: number): T {
  return items[Math.min(index, items.length - 1)]!;
}

/** Answers to the same range, or else whole ones, of which a range can be cut. */
function withRange(responses: readonly RecordedResponse[], range: string | undefined): readonly RecordedResponse[] {
  const rangeOf = ({ requestHeaders }: RecordedResponse) => headerOf(requestHeaders, 'range');
  const same = responses.filter((response) => rangeOf(response) === range);
  if (same.length > 0 || range === undefined) return same;
  return responses.filter((response) => response.status === 200);
}

/** The one that differs in the fewest keys, all of them such as differ from load to load; the first of those. */
function findNearest(
  candidates: readonly Candidate[],
  asked: readonly Pair[],
  recordedAtMs: number,
): RecordedResponse | undefined {
  const nameOf = ([key, value]: Pair) => `${key}=${value}`;
  let nearest: { readonly response: RecordedResponse; readonly differences: number } | undefined;
  for (const { response, pairs: recorded } of candidates) {
    const [extra, missing] = [without(asked, recorded, nameOf), without(recorded, asked, nameOf)];
    const differences = extra.length + missing.length;
    if (nearest && nearest.differences <= differences) continue;
    if ([...extra, ...missing].every((pair) => isVolatile(pair, recordedAtMs))) nearest = { response, differences };
  }
  return nearest?.response;
}

function queryOf(address: string): string {
  const mark = address.indexOf('?');
  return mark < 0 ? '' : address.slice(mark + 1);
}

function withoutQuery(address: string): string {
  const mark = address.indexOf('?');
  return mark < 0 ? address : address.slice(0, mark);
}

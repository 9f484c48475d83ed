import { readLog } from '../measurement/devtools-log.ts';
import { logOf } from '../measurement/timed-log.ts';
import type { Capture, DevToolsEvent } from '../model/capture.ts';
import type { ReplayNote } from '../model/recording.ts';
import type { UnrecordedRequest, WaterfallRequest } from './page-data.ts';

/** What the log says of a request beyond what a load is judged by. */
interface Further {
  priority: string;
  type: string;
  connectMs?: number | undefined;
  connectedMs?: number | undefined;
  answeredMs?: number;
}

interface Timing {
  readonly requestTime: number;
  readonly connectStart: number;
  readonly connectEnd: number;
  readonly receiveHeadersStart?: number;
  readonly receiveHeadersEnd: number;
}

interface Params {
  readonly requestId: string;
  readonly timestamp: number;
  readonly type?: string;
  readonly newPriority: string;
  readonly request: { readonly url: string; readonly initialPriority?: string };
  readonly response: { readonly timing?: Timing };
  readonly redirectResponse?: { readonly timing?: Timing };
}

/** The most characters of a name or an error that are shown. */
const NAME_LENGTH = 300;

/** What a page shows of a single load. */
export interface WaterfallLoad {
  readonly requests: readonly WaterfallRequest[];
  /** Absent where it never came. */
  readonly loadEventMs?: number | undefined;
  /** What a recorded page asked for otherwise than it was recorded; absent of other pages. */
  readonly unrecorded?: readonly UnrecordedRequest[] | undefined;
}

/** Reads what a page shows of a load from all that was seen. */
export function readLoad(capture: Capture): WaterfallLoad {
  const loadEventMs = capture.browser.timings?.loadEventEndMs;
  return {
    requests: readWaterfall(capture),
    loadEventMs,
    unrecorded: capture.unrecorded?.map((note) => describeNote(note, originOf(capture.page.url))),
  };
}

function describeNote({ method, url, answer, recorded }: ReplayNote, own: string): UnrecordedRequest {
  return {
    asked: `${method} ${shortName(url, own)}`,
    answer,
    recorded: recorded !== undefined && recorded !== url ? shortName(recorded, own) : undefined,
  };
}

/** The requests of a load with all that a waterfall shows of them, in the order in which the browser wanted them. */
export function readWaterfall(capture: Capture): readonly WaterfallRequest[] {
  const { page } = capture;
  const log = logOf(capture);
  const { requests } = readLog(log);
  const further = readFurther(log);
  const origin = originOf(page.url);
  return requests.map(({ url: own, wantedMs, sentMs, finishedMs, status, bytes, connection, error }, index) => ({
    name: shortName(own, origin),
    error: (error ?? '').slice(0, NAME_LENGTH),
    wantedMs,
    status: status ?? 0,
    bytes,
    connection: connection ?? 0,
    ...further[index]!,
    sentMs,
    finishedMs,
  }));
}

/** Reads this in the order of the log's requests; those that need no network are left out of both. */
function readFurther(events: readonly DevToolsEvent[]): readonly Further[] {
  const all: Further[] = [];
  const latest = new Map<string, Further>();
  let originS: number | undefined;
  for (const { method, params } of events as { method: string; params: Params }[]) {
    const before = latest.get(params.requestId);
    if (method === 'Network.requestWillBeSent' && /^https?:/.test(params.request.url)) {
      originS ??= params.timestamp;
      if (before) addTiming(before, params.redirectResponse?.timing, originS);
      const request: Further = { priority: params.request.initialPriority ?? '', type: params.type ?? '' };
      all.push(request);
      latest.set(params.requestId, request);
    }
    if (!before) continue;
    if (method === 'Network.resourceChangedPriority') before.priority = params.newPriority;
    if (method === 'Network.responseReceived') addTiming(before, params.response.timing, originS!);
  }
  return all;
}

function addTiming(request: Further, timing: Timing | undefined, originS: number): void {
  if (!timing) return;
  const beganMs = (timing.requestTime - originS) * 1000;
  // Below 0 where the request found a connection.
  if (timing.connectStart >= 0) {
    request.connectMs = beganMs + timing.connectStart;
    request.connectedMs = beganMs + timing.connectEnd;
  }
  const answered = timing.receiveHeadersStart ?? timing.receiveHeadersEnd;
  if (answered >= 0) request.answeredMs = beganMs + answered;
}

function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : '';
}

function shortName(url: string, origin: string): string {
  const own = origin !== '' && url.startsWith(`${origin}/`) ? url.slice(origin.length) : url;
  return own.length > NAME_LENGTH ? `${own.slice(0, NAME_LENGTH)}…` : own;
}

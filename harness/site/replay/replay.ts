import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import {
  type Header,
  headerOf,
  LONGEST_URL,
  MOST_HEADER_BYTES,
  type RecordedResponse,
  type ReplayNote,
} from '../../model/recording.ts';
import type { ReadRecording } from '../record/store.ts';
import { ASKED_FOR, type AskedRequest, type FoundResponse, findResponse, indexResponses } from './find-response.ts';
import { cutRange, isNotModified, replayHeaders, TIMING_FOR_ALL } from './replay-headers.ts';

/*
 * What stands behind the server under test where a recorded site is served. That server speaks the arm's protocol and
 * passes everything on, so no recorded byte is ever part of its configuration; here the answer is found, thought about for
 * as long as it was, and sent. Measured on two cores with nginx and 12 KB: 0.1 to 0.3 ms more than for a file that nginx
 * sends itself, 4 to 7 ms for the last of a hundred at once; the same in every arm.
 */

/** Where the server under test says which origin it was asked as: scheme, host and port. */
export const ORIGIN_HEADER = 'x-photofinish-origin';

export interface ReplayOptions {
  /** Whether answers take as long as they took when they were recorded. */
  readonly thinks: boolean;
  /** Hears of every request that has no answer, or not its own. */
  readonly tell: (note: ReplayNote) => void;
}

/** A recording as it is served. */
export interface Replay {
  readonly server: Server;
  /** Forgets how often each request was made: answers that came one after the other begin with the first again. */
  beginLoad(): void;
}

/** A server of a recording, for a lab's own server to pass requests on to. */
export function createReplay({ site: { manifest }, bodies }: ReadRecording, { thinks, tell }: ReplayOptions): Replay {
  const index = indexResponses(manifest);
  const asked = new Map<string, number>();
  const find = (request: AskedRequest): FoundResponse | undefined => {
    const url = `${request.origin}${request.target}`;
    const { method, body, range, asks } = request;
    const key = JSON.stringify([method, url, body, range, asks]);
    const earlier = asked.get(key) ?? 0;
    asked.set(key, earlier + 1);
    return findResponse(index, request, earlier);
  };
  const server = createServer({ maxHeaderSize: 2 * MOST_HEADER_BYTES + LONGEST_URL }, async (message, response) => {
    const body = hasBody(message) ? await readDigest(message).catch(() => false as const) : undefined;
    if (body === false) return; // A client that broke off awaits no answer.
    const request = readRequest(message, body);
    const found = find(request);
    const url = `${request.origin}${request.target}`;
    if (!found) {
      tell({ method: request.method, url, answer: 'none' });
      response.writeHead(404, ['content-length', '0', 'cache-control', 'no-store', ...TIMING_FOR_ALL]).end();
      return;
    }
    if (found.nearness !== 'exact')
      tell({ method: request.method, url, answer: found.nearness, recorded: found.response.url });
    const answer = () => send(found.response, message, response, bodyOf(found.response, bodies));
    const thinkMs = thinks ? Math.round(found.response.thinkMs ?? 0) : 0;
    if (thinkMs > 0) setTimeout(answer, thinkMs);
    else answer();
  });
  server.keepAliveTimeout = 0; // The server under test keeps its connections as long as it likes.
  server.requestTimeout = 0;
  server.on('clientError', (_, socket) => socket.destroy());
  return { server, beginLoad: () => asked.clear() };
}

const EMPTY = Buffer.alloc(0);

function bodyOf({ body }: RecordedResponse, bodies: ReadonlyMap<string, Buffer>): Buffer {
  return (body === undefined ? undefined : bodies.get(body)) ?? EMPTY;
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

async function readDigest(message: IncomingMessage): Promise<string> {
  const digest = createHash('sha256');
  for await (const chunk of message as AsyncIterable<Buffer>) digest.update(chunk);
  return digest.digest('hex');
}

function readRequest(message: IncomingMessage, body: string | undefined): AskedRequest {
  return {
    method: message.method ?? 'GET',
    origin: normalOrigin(String(message.headers[ORIGIN_HEADER] ?? '')),
    target: message.url ?? '/',
    body,
    range: message.headers.range,
    asks: Object.fromEntries(ASKED_FOR.map((name) => [name, textOf(message.headers[name])])),
  };
}

function textOf(value: string | string[] | undefined): string | undefined {
  return value === undefined ? undefined : String(value);
}

const origins = new Map<string, string>();

/** An origin without the port that its scheme has anyway. */
function normalOrigin(origin: string): string {
  const known = origins.get(origin);
  if (known !== undefined) return known;
  const normal = URL.canParse(origin) ? new URL(origin).origin : origin;
  if (origins.size < MOST_ORIGINS) origins.set(origin, normal);
  return normal;
}

/** The most origins that are remembered; no page has more. */
const MOST_ORIGINS = 1_000;

function send(recorded: RecordedResponse, message: IncomingMessage, response: ServerResponse, body: Buffer): void {
  const headers = replayHeaders(recorded.headers, Date.now());
  const { method, headers: asked } = message;
  const given = { ifNoneMatch: asked['if-none-match'], ifModifiedSince: asked['if-modified-since'] };
  const isRead = method === 'GET' || method === 'HEAD';
  if (isRead && recorded.status === 200 && isNotModified(recorded.headers, given)) {
    response.writeHead(304, flat(headers.filter(([name]) => !/^content-(?!security|location)/i.test(name)))).end();
    return;
  }
  // All of it is what was recorded, a whole answer: a server may say so, and one that knows no ranges does.
  const ranged = asked.range === 'bytes=0-' ? undefined : asked.range;
  const cut = method === 'GET' && recorded.status === 200 ? cutRange(ranged, body.length) : undefined;
  if (cut === 'unsatisfiable') {
    response.writeHead(416, ['content-range', `bytes */${body.length}`, 'content-length', '0']).end();
    return;
  }
  const part = cut ? body.subarray(cut.first, cut.last + 1) : body;
  const whole: Header[] = cut ? [['content-range', `bytes ${cut.first}-${cut.last}/${body.length}`]] : [];
  response.writeHead(cut ? 206 : recorded.status, flat([...headers, ...whole, ...lengthOf(recorded, method, part)]));
  response.end(method === 'HEAD' ? undefined : part);
}

/** A 204 has no length; an answer to HEAD has that of what GET would bring. */
function lengthOf({ status, method, headers }: RecordedResponse, asked: string | undefined, part: Buffer): Header[] {
  if (status === 204) return [];
  const announced = asked === 'HEAD' && method === 'HEAD' ? headerOf(headers, 'content-length') : undefined;
  return [['content-length', /^\d+$/.test(announced ?? '') ? announced! : `${part.length}`]];
}

function flat(headers: readonly Header[]): string[] {
  return headers.flat();
}

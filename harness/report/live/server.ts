import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import express, { type ErrorRequestHandler, type Express, type RequestHandler, type Response } from 'express';
import { UsageError } from '../../model/errors.ts';
import { LIVE_PATHS, VERSION_HEADER } from '../live-state.ts';
import { policyOf, renderServedPage } from '../page.ts';
import type { PageBundle } from '../page-bundle.ts';
import { openEvidence } from './evidence.ts';
import type { FollowedStudy } from './follow.ts';
import { openStreams, type Streams } from './streams.ts';

/** Shows a study to this machine's browsers. */
export interface LiveServer extends AsyncDisposable {
  /** With the token that every request must name: other users of this machine reach the port, too. */
  readonly url: string;
  /** Waits until every page that follows has the study's end, as long as that may take. */
  drained(): Promise<void>;
}

/** What a server shows, and where. */
export interface Served {
  readonly study: FollowedStudy;
  readonly bundle: PageBundle;
  /** The study's folder: its evidence is shown, and nothing else of this machine. */
  readonly folder: string;
  /** The port to listen at; 0: one that is free. */
  readonly port: number;
  /** What its address begins with, and every request. */
  readonly token: string;
  readonly patience?: Patience;
}

/** How long a client may take for what it asks for. */
export interface Patience {
  /** What every answer has, and how fast it must be taken beyond that. */
  readonly sendMs: number;
  readonly leastBytesPerMs: number;
  /** How often clients that follow are looked at: those that are late twice are disconnected. */
  readonly breathMs: number;
}

const HOST = '127.0.0.1';
const MOST_CONNECTIONS = 128;
/** How long a page may take to fetch the end of its study. */
const DRAIN_MS = 3000;
/** After 15 s without a word a proxy in between may take the connection of one that follows for dead. */
const PATIENCE: Patience = { sendMs: 10_000, leastBytesPerMs: 100, breathMs: 15_000 };

/** Opens a server that only this machine's browsers reach, and only by its own name. */
export async function openLiveServer({ port, patience = PATIENCE, ...served }: Served): Promise<LiveServer> {
  await using undo = new AsyncDisposableStack();
  const streams = undo.use(openStreams(served.study, patience.breathMs));
  const app = express();
  const server = createServer({ requestTimeout: 10_000, maxHeaderSize: 16_384 }, app);
  server.maxConnections = MOST_CONNECTIONS;
  await listen(server, port);
  const own = (server.address() as AddressInfo).port;
  const { token } = served;
  route(app, { ...served, streams, port: own, patience });
  undo.defer(async () => {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  });
  const end = undo.move();
  return {
    url: `http://${HOST}:${own}/${token}/`,
    drained: () => streams.drained(DRAIN_MS),
    [Symbol.asyncDispose]: () => end.disposeAsync(),
  };
}

async function listen(server: Server, port: number): Promise<void> {
  server.listen(port, HOST);
  try {
    await once(server, 'listening');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE')
      throw new UsageError(`port ${port} is taken. Expected: another one, or none for one that is free`);
    if (code === 'EACCES') throw new UsageError(`port ${port} may not be used by this user. Expected: 1024 or above`);
    throw cause;
  }
}

interface Routed extends Required<Served> {
  readonly streams: Streams;
}

function route(app: Express, { study, bundle, folder, streams, port, token, patience }: Routed): void {
  app.disable('x-powered-by').disable('etag').enable('case sensitive routing').enable('strict routing');
  app.use(letGoOfSlow(patience), refuseStrangers(port), setHeaders, requireToken(token));
  app.get('/', (_, response) => {
    response.set('Content-Security-Policy', `${policyOf(bundle, 'served')}; frame-ancestors 'none'`);
    response.type('html').send(renderServedPage(study.page(), bundle));
  });
  app.get(`/${LIVE_PATHS.data}`, (_, response) => {
    const { json, version } = study.page();
    response.set(VERSION_HEADER, version).type('json').send(json);
  });
  app.get(`/${LIVE_PATHS.events}`, ({ method }, response) => {
    if (method === 'HEAD') response.type('text/event-stream').end();
    else streams.add(response);
  });
  app.get('/:name', ({ params }, response) => sendEvidence(response, folder, '', params.name!));
  app.get('/:kind/:name', ({ params }, response) => sendEvidence(response, folder, params.kind!, params.name!));
  app.use((_, response) => {
    refuse(response, 404, 'there is no such thing here');
  });
  app.use(answerError);
}

/** Disconnects clients that take an answer too slowly, of whichever kind; those that follow a study get theirs in pieces. */
function letGoOfSlow({ sendMs, leastBytesPerMs }: Patience): RequestHandler {
  return (_, response, next) => {
    const letGo = () => response.destroy();
    const look = () => {
      const bytes = response.getHeader('Content-Length');
      if (bytes !== undefined) timer = setTimeout(letGo, Number(bytes) / leastBytesPerMs);
      // On a busy machine the file may not be open yet.
      else if (!response.headersSent) timer = setTimeout(look, sendMs);
    };
    let timer = setTimeout(look, sendMs);
    response.on('close', () => clearTimeout(timer));
    next();
  };
}

/**
 * Refuses requests for other host names. A foreign page may have its own name lead to this address, and would then be
 * taken for ours.
 */
function refuseStrangers(port: number): RequestHandler {
  const names = [HOST, 'localhost'].flatMap((name) => [`${name}:${port}`, ...(port === 80 ? [name] : [])]);
  return ({ headers, method, url }, response, next) => {
    if (!names.includes(headers.host?.toLowerCase() ?? '')) refuse(response, 421, 'this server has another name');
    else if (method !== 'GET' && method !== 'HEAD') refuse(response.set('Allow', 'GET, HEAD'), 405, 'only to be read');
    else if (!url.startsWith('/')) refuse(response, 400, 'this is no proxy');
    else next();
  };
}

/** Lets through requests that have the token of the printed address, and takes the token off the address. */
function requireToken(token: string): RequestHandler {
  return (request, response, next) => {
    if (!request.url.startsWith(`/${token}/`))
      return refuse(response, 403, 'ask for the whole address that photofinish printed');
    request.url = request.url.slice(token.length + 1);
    next();
  };
}

const setHeaders: RequestHandler = (_, response, next) => {
  response.set({
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cache-Control': 'no-store',
  });
  next();
};

/**
 * The report that stays is a page like any that a user may have been sent: it may show itself and hand over evidence,
 * and contacts no server. In its sandbox it is of another origin than this server, so it cannot read what else is
 * served here.
 */
const REPORT_POLICY =
  "sandbox allow-scripts allow-downloads; default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

async function sendEvidence(response: Response, folder: string, kind: string, name: string): Promise<void> {
  await using file = await openEvidence(folder, kind, name);
  if (!file) return refuse(response, 404, 'there is no such thing here');
  response.set({ 'Content-Type': file.type, 'Content-Length': `${file.bytes}` });
  if (kind === '') response.set('Content-Security-Policy', REPORT_POLICY);
  else response.set('Content-Disposition', `attachment; filename="${name}"`);
  if (response.req.method === 'HEAD' || file.bytes === 0) return void response.end();
  // No more than was promised, though another process may be adding to it.
  await pipeline(file.handle.createReadStream({ start: 0, end: file.bytes - 1, autoClose: false }), response);
}

function refuse(response: Response, status: number, says: string): void {
  response.status(status).type('text/plain').send(`${says}\n`);
}

/** Express knows an error handler by its four parameters. */
const answerError: ErrorRequestHandler = (error: { status?: number; code?: string }, _request, response, _next) => {
  // A client that disconnects in the middle is no error.
  if (response.headersSent) response.destroy();
  else refuse(response, error.status === 400 ? 400 : 500, error.status === 400 ? 'not understood' : 'this went wrong');
};
